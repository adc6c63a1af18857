"""What the manager must know to drive the identity provider (specification, sections 2.5, 4.2 and 5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Address, realm, administrator, the manager's own client, and two rules.

    The administrator is either a person (password grant with the client `admin-cli`, specification 4.2) or a service account
    (client-credentials grant): an `admin_username` that begins with `service-account-`, which Keycloak keeps for service accounts.
    """

    url: str = setting(
        "Address",
        kind="url",
        required=True,
        help="Keycloak's address without /realms, for example https://id.example.org",
    )
    realm: str = setting("Realm", required=True, help="The realm people sign in to")
    admin_username: str = setting(
        "Administrator's user name",
        required=True,
        help="A user allowed to manage the realm's users, or service-account-<client id> to use that client's service account",
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        "Administrator's password",
        kind="secret",
        required=True,
        help="The user's password, or the secret of the service account's client",
    )
    token_url: str = setting(
        "Token address",
        kind="url",
        default="",
        help="Where the administrator's token comes from. Empty: {url}/realms/master/protocol/openid-connect/token. For a service "
        "account whose client lives in another realm, that realm's token endpoint",
    )
    users_url: str = setting(
        "Users path",
        default="/admin/realms/{realm}/users",
        named=True,
        help="Below the address; {realm} stands for the realm",
    )
    users_create_url: str = setting(
        "Create path", default="", help="Below the users path; POST creates a user. Empty or /"
    )
    users_delete_url: str = setting(
        "Delete path",
        default="/{userId}",
        named=True,
        help="Below the users path; DELETE removes the user. {userId} stands for the user's id",
    )
    client_id: str = setting(
        "Client id",
        default="",
        required=True,
        help="The manager's own client in the realm, usually the manager's address",
    )
    client_secret: Secret | None = setting(  # noqa: RUF009
        "Client secret",
        kind="secret",
        default=None,
        required=True,
        help="The secret of that client",
    )
    admit_unregistered: bool = setting(
        "Admit unregistered people",
        kind="boolean",
        default=False,
        help="Let people sign in who were not approved here but made in the identity provider by somebody else",
    )
    fence: bool = setting(
        "Lock people out first",
        kind="boolean",
        default=True,
        help="A removal begins by disabling the person and ending all sessions. Off: a token that is still valid may bring the "
        "drive account back while the removal runs",
    )
