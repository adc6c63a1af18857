"""Settings of the identity provider.

See docs/explanation/settings.md#what-each-system-has-to-be-told.
"""

import re
from dataclasses import dataclass
from urllib.parse import unquote

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import MANAGEMENT, MASTER


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the identity provider: address, realm, administrator, the manager's own client,
    and rules.

    The administrator is either a person (password grant with the client `admin-cli`,
    docs/explanation/realm.md#the-administrator) or a service account (client-credentials grant): an
    `admin_username` that begins with `service-account-`, which Keycloak reserves for service
    accounts.
    """

    url: str = setting(
        message("setting_url"),
        kind="url",
        required=True,
        help=message("setting_url_help"),
    )
    realm: str = setting(
        message("setting_realm"), required=True, help=message("setting_realm_help")
    )
    admin_username: str = setting(
        message("setting_admin_username"),
        required=True,
        help=message("setting_admin_username_help"),
        credential=True,
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        message("setting_admin_password"),
        kind="secret",
        required=True,
        help=message("setting_admin_password_help"),
    )
    token_url: str = setting(
        message("setting_token_url"),
        kind="url",
        default="",
        help=message("setting_token_url_help"),
    )
    users_url: str = setting(
        message("setting_users_url"),
        default="/admin/realms/{realm}/users",
        named=True,
        help=message("setting_users_url_help"),
    )
    users_create_url: str = setting(
        message("setting_users_create_url"),
        default="",
        help=message("setting_users_create_url_help"),
    )
    users_delete_url: str = setting(
        message("setting_users_delete_url"),
        default="/{userId}",
        named=True,
        help=message("setting_users_delete_url_help"),
    )
    client_id: str = setting(
        message("setting_client_id"),
        default="",
        required=True,
        help=message("setting_client_id_help"),
        credential=True,
    )
    client_secret: Secret | None = setting(  # noqa: RUF009
        message("setting_client_secret"),
        kind="secret",
        default=None,
        required=True,
        help=message("setting_client_secret_help"),
    )
    admit_unregistered: bool = setting(
        message("setting_admit_unregistered"),
        kind="boolean",
        default=False,
        help=message("setting_admit_unregistered_help"),
    )
    fence: bool = setting(
        message("setting_fence"),
        kind="boolean",
        default=True,
        help=message("setting_fence_help"),
    )
    check_as_person: bool = setting(
        message("setting_check_as_person"),
        kind="boolean",
        default=False,
        help=message("setting_check_as_person_help"),
    )

    @property
    def signs_in_at(self) -> str:
        """Return the realm in which the administrator signs in; "" if the token address does not
        tell.
        """
        if not self.token_url:
            return MASTER
        found = re.search(r"/realms/([^/?#]+)/protocol/", self.token_url)
        return unquote(found[1]) if found else ""

    @property
    def roles_of(self) -> str:
        """Return the client whose roles the administrator can have: in master, there is one client
        with such roles for each realm.
        """
        return f"{self.realm}-realm" if self.signs_in_at == MASTER else MANAGEMENT
