"""Settings of the drive.

See docs/explanation/settings.md#what-each-system-has-to-be-told.
"""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.drive.messages import message


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the drive (Nextcloud with user_oidc). Only the address is required; without an
    administrator, accounts must be deleted by hand.
    """

    base_url: str = setting(
        message("setting_base_url"),
        kind="url",
        required=True,
        help=message("setting_base_url_help"),
    )
    oidc_username_prefix: str = setting(
        message("setting_oidc_username_prefix"),
        sentinel=True,
        default="",
        help=message("setting_oidc_username_prefix_help"),
    )
    legacy_prefix: str = setting(
        message("setting_legacy_prefix"),
        default="",
        help=message("setting_legacy_prefix_help"),
    )
    admin_username: str = setting(
        message("setting_admin_username"),
        default="",
        help=message("setting_admin_username_help"),
        credential=True,
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        message("setting_admin_password"),
        kind="secret",
        default=None,
        help=message("setting_admin_password_help"),
    )
    login_name_attribute: str = setting(
        message("setting_login_name_attribute"),
        default="filesvc_login_name",
        named=True,
        help=message("setting_login_name_attribute_help"),
    )
    app_password_attribute: str = setting(
        message("setting_app_password_attribute"),
        default="filesvc_app_password",
        named=True,
        help=message("setting_app_password_attribute_help"),
    )
    use_bearer_token: bool = setting(
        message("setting_use_bearer_token"),
        kind="boolean",
        default=True,
        help=message("setting_use_bearer_token_help"),
    )
    provider_name: str = setting(
        message("setting_provider_name"),
        default="",
        help=message("setting_provider_name_help"),
    )
    container_name: str = setting(
        message("setting_container_name"),
        default="",
        help=message("setting_container_name_help"),
    )
