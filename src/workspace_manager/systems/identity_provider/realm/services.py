"""The manager's own clients in the realm; the connected systems say themselves which they need."""

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
"""Roles for the manager's daily work, `manage-clients` for clients of knowledge stacks alone; the
set-up needs more.
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
    """Return the client of the manager. `audiences`: the client ids of the systems that it calls
    with a person's token, by system, like the drive: its access tokens carry them and its own.

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
    """A client of which the manager uses the service account in place of the master administrator.

    See docs/explanation/realm.md#the-administrator.
    """
    return ClientWants(
        client_id, redirect_uris=(), secret_ref=secret_ref, service_roles=LEAST_ROLES
    )
