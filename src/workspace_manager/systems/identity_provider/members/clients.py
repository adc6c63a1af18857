"""Members of clients: the manager's own, and those through which connected systems sign people in.

Requirements of each system are in its `ClientWants`. Members that the set-up writes are compared
with it (`client_want`), and are listed here as judged.
"""

from typing import Final

from pydantic import JsonValue

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.members import (
    CombinedMember,
    IgnoredMember,
    MemberTable,
    RequiredMember,
    Row,
)
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import ClientWants
from workspace_manager.systems.identity_provider.members.client_silence import SILENT
from workspace_manager.systems.identity_provider.messages import message

OFF: Final[tuple[JsonValue, ...]] = (None, "", "false")
UNSET: Final[tuple[JsonValue, ...]] = (None, "")
PUBLISHED_KEYS: Final[tuple[JsonValue, ...]] = (
    *UNSET,
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"),
)
"""Algorithms with a private key, whose public key the realm publishes."""
ADVANCED: Final = "Advanced"


def _attribute(name: str) -> str:
    return f"/attributes/{name}"


def client_table(want: ClientWants, own_id: str) -> MemberTable:
    """Return the table of one client. `own_id`: the manager's client id, for which there are more
    rows.
    """
    if want.client_id == own_id:
        rows = (*_own(own_id), *_asked_of_all(want.client_id), *JUDGED, *OWN_JUDGED, *SILENT)
        return MemberTable("The manager's client: GET /admin/realms/{realm}/clients", rows)
    more = _id_token(want.client_id) if want.takes_our_tokens else ()
    rows = (*more, *_asked_of_all(want.client_id), *JUDGED, *OTHERS_JUDGED, *SILENT)
    return MemberTable("A connected system's client: GET /admin/realms/{realm}/clients", rows)


class _ClientRows:
    """A builder of a client's rows, whose remedies name the setting in the console."""

    def __init__(self, client_id: str) -> None:
        self._client_id = client_id
        self._name = message("check_client", client_id=client_id)

    def needs(
        self,
        path: str,
        values: tuple[JsonValue, ...],
        found: str,
        setting: tuple[str, str, str],
        *,
        severity: Severity = Severity.FAILING,
        name: Message | None = None,
    ) -> RequiredMember:
        """Return a row. `setting`: the tab, the label and the value."""
        tab, label, value = setting
        text = message(found)
        return RequiredMember(
            path=path,
            because=f"{text.english}.",
            values=values,
            name=name or self._name,
            found=text,
            remedy=message(
                "set_at_client", client_id=self._client_id, tab=tab, setting=label, value=value
            ),
            severity=severity,
        )


def _asked_of_all(client_id: str) -> tuple[Row, ...]:
    """Return rows of settings that no sign-in here supports, for any client."""
    needs = _ClientRows(client_id).needs
    return (
        needs("/bearerOnly", (False, None), "client_is_bearer_only",
        ("Settings", "Bearer only", "off")),
        needs("/clientAuthenticatorType", ("client-secret", None), "client_proves_otherwise",
        ("Credentials", "Client Authenticator", "Client Id and Secret")),
        needs(_attribute("request.object.required"), (*UNSET, "not required"),
        "client_wants_request_object", (ADVANCED, "Request object required", "Not required")),
        needs(_attribute("require.pushed.authorization.requests"), OFF, "client_wants_par",
        (ADVANCED, "Pushed authorization request required", "off")),
        needs(_attribute("tls.client.certificate.bound.access.tokens"), OFF, "client_binds_tokens",
        (ADVANCED, "OAuth 2.0 Mutual TLS Certificate Bound Access Tokens Enabled", "off")),
        needs(_attribute("dpop.bound.access.tokens"), OFF, "client_binds_tokens",
        ("Settings", "Require DPoP bound tokens", "off")),
        needs(_attribute("id.token.encrypted.response.alg"), UNSET, "client_encrypts_id_tokens",
        (ADVANCED, "ID token encryption key management algorithm", "Choose…")),
        needs(_attribute("user.info.encrypted.response.alg"), UNSET, "client_signs_userinfo",
        (ADVANCED, "User info response encryption key management algorithm", "Choose…")),
        needs(_attribute("user.info.response.signature.alg"), UNSET, "client_signs_userinfo",
        (ADVANCED, "User info signed response algorithm", "Choose…")),
    )  # fmt: skip


def _id_token(client_id: str) -> tuple[Row, ...]:
    return (
        _ClientRows(client_id).needs(
            _attribute("id.token.signed.response.alg"), PUBLISHED_KEYS, "client_signs_with_secret",
            (ADVANCED, "ID token signature algorithm", "RS256"),
        ),
    )  # fmt: skip


def _own(client_id: str) -> tuple[Row, ...]:
    needs = _ClientRows(client_id).needs
    return (
        RequiredMember(
            path="/publicClient",
            because="Without a secret no sign-in is finished.",
            values=(False, None),
            name=message("check_own_client_secret"),
            found=message("client_is_public"),
            remedy=message("run_setup"),
        ),
        *_id_token(client_id),
        needs(_attribute("access.token.signed.response.alg"), PUBLISHED_KEYS,
        "client_signs_with_secret", (ADVANCED, "Access token signature algorithm", "RS256")),
        needs(_attribute("use.refresh.tokens"), (*UNSET, "true"), "client_gets_no_refresh_token",
        (ADVANCED, "Use refresh tokens", "on"), severity=Severity.WARNING),
        needs(_attribute("client.secret.authentication.allowed.method"),
        (*UNSET, "client_secret_post"), "client_takes_no_form",
        ("Credentials", "Allowed authentication method", "client_secret_post")),
    )  # fmt: skip


AS_WANTED = "Compared with what its system needs, which the set-up writes."
JUDGED: Final[tuple[Row, ...]] = (
    CombinedMember(
        path="/clientId",
        because="The client is found by it.",
        findings=("identity_provider.check_client",),
    ),
    CombinedMember(
        path="/standardFlowEnabled", because=AS_WANTED, findings=("identity_provider.check_client",)
    ),
    CombinedMember(
        path="/redirectUris",
        because="Where sign-ins come back to; one that is anywhere gives codes away.",
        findings=("identity_provider.check_client", "identity_provider.check_redirects"),
    ),
    CombinedMember(
        path=_attribute("post.logout.redirect.uris"),
        because="Where sign-outs come back to.",
        findings=("identity_provider.check_client", "identity_provider.check_post_logout"),
    ),
    CombinedMember(
        path=_attribute("backchannel.logout.url"),
        because="Otherwise a session goes on after it was ended at the identity provider.",
        findings=("identity_provider.check_client", "identity_provider.check_sign_out"),
    ),
    CombinedMember(
        path="/frontchannelLogout",
        because="With it on, nothing is told behind the browser.",
        findings=("identity_provider.check_client", "identity_provider.check_sign_out"),
    ),
    CombinedMember(
        path=_attribute("pkce.code.challenge.method"),
        because="What is asked for and not sent ends a sign-in; the walk of one shows it.",
        findings=("identity_provider.check_client", "contract.check_sign_in_walk"),
    ),
    CombinedMember(
        path="/directAccessGrantsEnabled",
        because="At a public client anybody tries passwords without a browser.",
        findings=("identity_provider.check_direct_grants",),
    ),
    CombinedMember(
        path="/implicitFlowEnabled",
        because="Its tokens live as long as the realm says for that flow.",
        findings=("identity_provider.check_token_lifespan",),
    ),
    CombinedMember(
        path=_attribute("access.token.lifespan"),
        because="A token that is out cannot be taken back.",
        findings=("identity_provider.check_token_lifespan",),
    ),
    CombinedMember(
        path="/authenticationFlowBindingOverrides/browser",
        because="A flow that asks for something else than a page shows ends every sign-in.",
        findings=("contract.check_sign_in_walk",),
    ),
    CombinedMember(
        path="/access",
        because="Whether we may make and delete clients.",
        findings=("identity_provider.check_manage_clients",),
    ),
    CombinedMember(
        path="/protocolMappers",
        because="By the table of mappers.",
        findings=(
            "identity_provider.check_client",
            "identity_provider.check_audience",
            "identity_provider.check_password_in_tokens",
        ),
    ),
)
OWN_JUDGED: Final[tuple[Row, ...]] = (
    CombinedMember(
        path="/enabled",
        because="Nobody signs in through a client that is not enabled.",
        findings=("identity_provider.check_own_client",),
    ),
    CombinedMember(
        path="/secret",
        because="With another one no sign-in is finished.",
        findings=("identity_provider.check_own_client_secret",),
    ),
    CombinedMember(
        path="/defaultClientScopes",
        because="Tokens lack `sub`, or a scope that is asked for ends every sign-in.",
        findings=(
            "identity_provider.check_own_client_sub",
            "identity_provider.check_own_client_scopes",
            "identity_provider.check_own_client_claims",
        ),
    ),
    CombinedMember(
        path="/optionalClientScopes",
        because="A scope that is asked for by name may be among them.",
        findings=("identity_provider.check_own_client_scopes",),
    ),
    CombinedMember(
        path=_attribute("client.use.lightweight.access.token.enabled"),
        because="Access tokens lack `sub` and audience, and are refused wherever they are shown.",
        findings=("identity_provider.check_own_client_tokens",),
    ),
)
OTHERS_JUDGED: Final[tuple[Row, ...]] = (
    CombinedMember(
        path="/enabled", because=AS_WANTED, findings=("identity_provider.check_client",)
    ),
    CombinedMember(
        path="/publicClient", because=AS_WANTED, findings=("identity_provider.check_client",)
    ),
    CombinedMember(
        path="/defaultClientScopes",
        because="A scope that its system asks for and cannot have ends the sign-in.",
        findings=("contract.check_sign_in_walk", "identity_provider.check_password_in_tokens"),
    ),
    CombinedMember(
        path="/optionalClientScopes",
        because="A scope that its system asks for and cannot have ends the sign-in.",
        findings=("contract.check_sign_in_walk",),
    ),
    IgnoredMember(
        path="/secret",
        because="Its system has the other copy; where that tries it, its own check says so.",
    ),
    IgnoredMember(
        path=_attribute("id.token.signed.response.alg"),
        because="Its system reads userinfo, or asks nobody for a published key.",
    ),
    IgnoredMember(
        path=_attribute("access.token.signed.response.alg"),
        because="Its access tokens are shown to the identity provider alone, which made them.",
    ),
    IgnoredMember(
        path=_attribute("use.refresh.tokens"),
        because="How its system goes on after the access token ended is its own matter.",
    ),
    IgnoredMember(
        path=_attribute("client.secret.authentication.allowed.method"),
        because="How its system shows the secret is its own matter; the drive's check tries it.",
    ),
    IgnoredMember(
        path=_attribute("client.use.lightweight.access.token.enabled"),
        because="Its access tokens are shown to the identity provider alone, which knows the rest.",
    ),
)
CLIENT_TABLES: Final = (
    client_table(ClientWants("…", redirect_uris=()), "…"),
    client_table(ClientWants("…", redirect_uris=(), takes_our_tokens=True), ""),
)
