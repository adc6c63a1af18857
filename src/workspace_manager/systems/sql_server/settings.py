"""Settings of the SQL server (specification, section 2.5)."""

from dataclasses import dataclass
from typing import Final

from workspace_manager.contract.secret import Secret
from workspace_manager.contract.settings import SystemSettings, setting

MARIADB: Final = "mariadb"
POSTGRESQL: Final = "postgresql"


@dataclass(frozen=True)
class Settings(SystemSettings):
    """Where the SQL server is, and who may manage accounts and databases there."""

    flavour: str = setting(
        "Product",
        kind="choice",
        choices=(MARIADB, POSTGRESQL),
        default=MARIADB,
        help="Which SQL server it is. Changing it moves nothing: what was made on the other one has to be removed there.",
    )
    host: str = setting(
        "Host",
        default="",
        required=True,
        help="Name or address of the SQL server (MariaDB 10.4 or newer, or PostgreSQL 15 or newer), without mysql:// and without the "
        "port.",
    )
    port: int = setting(
        "Port",
        kind="number",
        default=3306,
        most=65535,
        help="MariaDB usually listens on 3306, PostgreSQL on 5432.",
    )
    admin_username: str = setting(
        "Administrator",
        default="",
        required=True,
        help="MariaDB: an account that may create users, read mysql.user, mysql.db and mysql.global_priv, end sessions, and hand on "
        "every privilege on databases that begin with ws_. PostgreSQL: a role with CREATEROLE and CREATEDB, member of pg_signal_backend. "
        "The check says what is missing and how to give it.",
    )
    admin_password: Secret | None = setting(  # noqa: RUF009
        "Administrator's password", kind="secret", default=None, required=True
    )
    password_attribute: str = setting(
        "Attribute for the SQL password",
        default="sql_password",
        named=True,
        help="Name of the identity provider's user attribute from which the SQL web tool takes a person's password.",
    )
    admin_tool_url: str = setting(
        "SQL web tool",
        kind="url",
        default="",
        help="Address of phpMyAdmin or Adminer, shown to people who own a database. Empty: there is none.",
    )
