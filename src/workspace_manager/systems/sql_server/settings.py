"""Settings of the SQL server (specification, section 2.5)."""

from dataclasses import dataclass

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Where the SQL server is, and who may manage accounts and databases there."""

    host: str = setting(
        "Host",
        required=True,
        help="Name or address of the MariaDB server (10.4 or newer), without mysql:// and without the port.",
    )
    port: int = setting("Port", kind="number", default=3306)
    admin_username: str = setting(
        "Administrator",
        default="",
        required=True,
        help="An account that may create users, read mysql.user, mysql.db and mysql.global_priv, end sessions, and hand on every "
        "privilege on databases that begin with ws_. The check says what is missing and how to give it.",
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        "Administrator's password", kind="secret", default=None, required=True
    )
    password_attribute: str = setting(
        "Attribute for the SQL password",
        default="sql_password",
        help="Name of the identity provider's user attribute from which the SQL web tool takes a person's password.",
    )
    admin_tool_url: str = setting(
        "SQL web tool",
        kind="url",
        default="",
        help="Address of phpMyAdmin or Adminer, shown to people who own a database. Empty: there is none.",
    )
