"""The manager's own clients in the realm; each connected system declares its own."""

from collections.abc import Mapping

from workspace_manager.contract.realm import ClientWants, audience_mapper
from workspace_manager.contract.secret import SecretRef

LEAST_ROLES = (
    "manage-clients",
    "manage-users",
    "query-users",
    "view-clients",
    "view-identity-providers",
    "view-realm",
    "view-users",
)
"""Roles for the manager's daily work. Only clients of knowledge stacks need `manage-clients`; the
set-up needs more roles.
"""
CALLBACK_PATH = "/accounts/oidc/identity_provider/login/callback/"
ASKED_SCOPES = ("openid", "profile", "email")
"""Scopes of every sign-in."""
BACKCHANNEL_LOGOUT_PATH = "/accounts/oidc/identity_provider/backchannel-logout"


def manager_client(
    base_url: str,
    client_id: str = "",
    *,
    audiences: Mapping[str, str] | None = None,
    secret_ref: SecretRef = "",
) -> ClientWants:
    """Return the client of the manager. `audiences`: client ids by system, of systems such as the
    drive that the manager calls with a person's token. Its access tokens name them and the manager.

    See docs/explanation/realm.md#the-audience-of-the-managers-tokens.
    """
    client_id = client_id or base_url
    mappers = [
        *(audience_mapper(f"audience-{name}", its) for name, its in (audiences or {}).items()),
        audience_mapper("audience-manager", client_id, id_token=False),
    ]
    return ClientWants(
        client_id,
        redirect_uris=(f"{base_url}{CALLBACK_PATH}",),
        post_logout_uris=(f"{base_url}/",),
        backchannel_logout_url=f"{base_url}{BACKCHANNEL_LOGOUT_PATH}",
        pkce=True,
        secret_ref=secret_ref,
        mappers=tuple(mappers) if audiences else (),
    )


def service_account(client_id: str, *, secret_ref: SecretRef = "") -> ClientWants:
    """Return a client whose service account the manager uses instead of the master administrator.

    See docs/explanation/realm.md#the-administrator.
    """
    return ClientWants(
        client_id, redirect_uris=(), secret_ref=secret_ref, service_roles=LEAST_ROLES
    )
