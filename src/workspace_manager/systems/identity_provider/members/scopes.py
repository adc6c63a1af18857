"""Members of client scopes."""

from typing import Final

from workspace_manager.contract.members import CombinedMember, IgnoredMember, MemberTable

CONSENT = "It is about a page that asks for consent, which people may be shown."

SCOPES: Final = MemberTable(
    "A client scope: GET /admin/realms/{realm}/client-scopes",
    (
        CombinedMember(
            path="/name",
            because="A scope that is asked for by a name that no scope has ends every sign-in.",
            findings=(
                "identity_provider.check_own_client_scopes",
                "identity_provider.check_own_client_sub",
            ),
        ),
        CombinedMember(
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
        IgnoredMember(path="/id", because="The server's own id of it."),
        IgnoredMember(path="/description", because="For administrators."),
        IgnoredMember(
            path="/protocol",
            because="A scope of SAML is given to clients of SAML alone, by the server.",
        ),
        IgnoredMember(
            path="/attributes/include.in.token.scope",
            because="Nobody here reads which scopes a token names.",
        ),
        IgnoredMember(path="/attributes/display.on.consent.screen", because=CONSENT),
        IgnoredMember(path="/attributes/consent.screen.text", because=CONSENT),
        IgnoredMember(path="/attributes/gui.order", because=CONSENT),
        IgnoredMember(
            path="/attributes/is.dynamic.scope",
            because="A scope with a parameter, and none is asked for with one.",
        ),
        IgnoredMember(
            path="/attributes/dynamic.scope.regexp",
            because="A scope with a parameter, and none is asked for with one.",
        ),
        IgnoredMember(
            path="/attributes/is.realm.default.scope", because="Of clients that are made."
        ),
    ),
)
