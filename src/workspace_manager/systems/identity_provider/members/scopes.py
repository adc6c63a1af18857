"""What each member of a client scope has to say."""

from typing import Final

from workspace_manager.contract.members import Ignored, Judged, MemberTable

CONSENT = "It is about a page that asks for consent, which people may be shown."

SCOPES: Final = MemberTable(
    "A client scope: GET /admin/realms/{realm}/client-scopes",
    (
        Judged(
            path="/name",
            because="A scope that is asked for by a name that no scope has ends every sign-in.",
            findings=(
                "identity_provider.check_own_client_scopes",
                "identity_provider.check_own_client_sub",
            ),
        ),
        Judged(
            path="/protocolMappers",
            because="By the table of mappers, for each client that has the scope by default.",
            findings=(
                *(
                    "identity_provider.check_audience",
                    "identity_provider.check_password_in_tokens",
                    "identity_provider.check_own_client_claims",
                ),
                "identity_provider.check_own_client_sub",
            ),
        ),
        Ignored(path="/id", because="The server's own id of it."),
        Ignored(path="/description", because="For administrators."),
        Ignored(
            path="/protocol",
            because="A scope of SAML is given to clients of SAML alone, by the server.",
        ),
        Ignored(
            path="/attributes/include.in.token.scope",
            because="Nobody here reads which scopes a token names.",
        ),
        Ignored(path="/attributes/display.on.consent.screen", because=CONSENT),
        Ignored(path="/attributes/consent.screen.text", because=CONSENT),
        Ignored(path="/attributes/gui.order", because=CONSENT),
        Ignored(
            path="/attributes/is.dynamic.scope",
            because="A scope with a parameter, and none is asked for with one.",
        ),
        Ignored(
            path="/attributes/dynamic.scope.regexp",
            because="A scope with a parameter, and none is asked for with one.",
        ),
        Ignored(path="/attributes/is.realm.default.scope", because="Of clients that are made."),
    ),
)
