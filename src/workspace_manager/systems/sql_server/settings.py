"""Settings of the SQL server (docs/explanation/settings.md#what-each-system-has-to-be-told)."""

from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting
from workspace_manager.systems.sql_server.messages import message

MARIADB: Final = "mariadb"
POSTGRESQL: Final = "postgresql"
VERIFIED: Final = "verified"
UNVERIFIED: Final = "unverified"
OFF: Final = "off"


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Settings of the SQL server: its address, and our account there."""

    flavour: str = setting(
        message("setting_flavour"),
        kind="choice",
        choices=(MARIADB, POSTGRESQL),
        default=MARIADB,
        help=message("setting_flavour_help"),
    )
    host: str = setting(
        message("setting_host"),
        default="",
        required=True,
        help=message("setting_host_help"),
        origin=True,
    )
    port: int = setting(
        message("setting_port"),
        kind="number",
        default=3306,
        most=65535,
        help=message("setting_port_help"),
        origin=True,
    )
    encryption: str = setting(
        message("setting_encryption"),
        kind="choice",
        choices=(VERIFIED, UNVERIFIED, OFF),
        default=VERIFIED,
        help=message("setting_encryption_help"),
        origin=True,
    )
    certificate_authority: str = setting(
        message("setting_certificate_authority"),
        default="",
        help=message("setting_certificate_authority_help"),
        origin=True,
    )
    admin_username: str = setting(
        message("setting_admin_username"),
        default="",
        required=True,
        help=message("setting_admin_username_help"),
        credential=True,
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        message("setting_admin_password"), kind="secret", default=None, required=True
    )
    password_attribute: str = setting(
        message("setting_password_attribute"),
        default="sql_password",
        named=True,
        help=message("setting_password_attribute_help"),
    )
    admin_tool_url: str = setting(
        message("setting_admin_tool_url"),
        kind="url",
        default="",
        help=message("setting_admin_tool_url_help"),
        origin=False,
    )
