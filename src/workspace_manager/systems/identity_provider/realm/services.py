"""The manager's own clients in the realm; the connected systems say themselves which they need."""

from workspace_manager.contract.realm import ClientWants, audience_mapper
from workspace_manager.contract.secret import SecretRef

LEAST_ROLES = (
    "manage-clients",
    "manage-users",
    "query-users",
    "view-clients",
    "view-realm",
    "view-users",
)
"""What the manager needs of the realm day by day, `manage-clients` for those of knowledge stacks
alone; changing the realm itself, as the set-up does, is not among it.
"""
CALLBACK_PATH = "/accounts/oidc/identity_provider/login/callback/"
BACKCHANNEL_LOGOUT_PATH = "/accounts/oidc/identity_provider/backchannel-logout"


def manager_client(
    base_url: str, client_id: str = "", *, drive_client_id: str = "", secret_ref: SecretRef = ""
) -> ClientWants:
    """The manager itself. With a drive, its access tokens carry the drive's client id and its own.

    See docs/explanation/realm.md#the-audience-of-the-managers-tokens.
    """
    client_id = client_id or base_url
    mappers = [
        audience_mapper("audience-drive", drive_client_id),
        audience_mapper("audience-manager", client_id, id_token=False),
    ]
    return ClientWants(
        client_id,
        redirect_uris=(f"{base_url}{CALLBACK_PATH}",),
        post_logout_uris=(f"{base_url}/",),
        backchannel_logout_url=f"{base_url}{BACKCHANNEL_LOGOUT_PATH}",
        pkce=True,
        secret_ref=secret_ref,
        mappers=tuple(mappers) if drive_client_id else (),
    )


def service_account(client_id: str, *, secret_ref: SecretRef = "") -> ClientWants:
    """A client of which the manager uses the service account in place of the master administrator.

    See docs/explanation/realm.md#the-administrator.
    """
    return ClientWants(
        client_id, redirect_uris=(), secret_ref=secret_ref, service_roles=LEAST_ROLES
    )
