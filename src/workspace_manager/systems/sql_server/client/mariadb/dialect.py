"""The statements, each in one place.

Values are bound (`%s`; PyMySQL inserts them with the escaping of the session's fixed `sql_mode`),
even in an account's name. Names of databases, which cannot be bound, are quoted only by
`quote_name`. A per cent sign in a statement is doubled.
"""

from collections.abc import Iterable, Mapping
from typing import Final

SQL_MODE: Final = (
    "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_AUTO_CREATE_USER,NO_ENGINE_SUBSTITUTION"
)
"""Fixed, so that quoting always means the same and no grant creates an account.

See docs/systems/sql-server.md#mariadb-what-statements-answer and
docs/systems/sql-server.md#mariadb-names.
"""

LIMIT_WAITS: Final = "SET SESSION lock_wait_timeout = {seconds}"
"""Otherwise a DROP DATABASE that waits for a transaction would continue long after we gave up on
its answer.
"""

WHO = "SELECT CURRENT_USER(), VERSION()"
OWN_GRANTS = "SHOW GRANTS FOR CURRENT_USER()"
VARIABLES = "SHOW GLOBAL VARIABLES"
CIPHER = "SHOW SESSION STATUS LIKE 'Ssl_cipher'"

SERVER_WIDE = ", ".join(
    f"{name}_priv"
    for name in (
        *("Select", "Insert", "Update", "Delete", "Create", "Drop", "Reload", "Shutdown"),
        *("Process", "File", "Grant", "Alter", "Super", "Repl_slave", "Create_user"),
    )
)
ACCOUNTS = (
    f"SELECT Host, 'Y' IN ({SERVER_WIDE}) FROM mysql.user"  # noqa: S608
    " WHERE BINARY User = %s AND is_role = 'N'"
)
"""BINARY: otherwise trailing blanks would be ignored, and `eve ` would find eve. Never LIKE.

See docs/systems/sql-server.md#mariadb-names.
"""
COUNT_ACCOUNTS = "SELECT COUNT(*) FROM mysql.user WHERE is_role = 'N'"
ANONYMOUS = "SELECT Host FROM mysql.user WHERE User = '' AND is_role = 'N'"
LOCKS = (
    "SELECT JSON_VALUE(Priv, '$.account_locked') FROM mysql.global_priv"
    " WHERE BINARY User = %s AND JSON_VALUE(Priv, '$.is_role') IS NULL"
)
CREATE_ACCOUNT = "CREATE USER IF NOT EXISTS %s@%s IDENTIFIED BY %s"
SET_PASSWORD = "ALTER USER %s@%s IDENTIFIED BY %s"  # noqa: S105
LOCK = "ALTER USER %s@%s ACCOUNT LOCK"
UNLOCK = "ALTER USER %s@%s ACCOUNT UNLOCK"
DROP_ACCOUNT = "DROP USER %s@%s"

KILL_USER = "KILL CONNECTION USER %s"
KILL = "KILL CONNECTION %s"
SESSIONS = (
    "SELECT ID, COMMAND FROM information_schema.PROCESSLIST"
    " WHERE BINARY USER = %s AND COMMAND <> 'Killed'"
)
KNOCKING: Final = "Connect"
"""The command of a client that has sent a name and is neither accepted nor refused yet."""
SESSIONS_IN = (
    "SELECT ID, USER FROM information_schema.PROCESSLIST"
    " WHERE BINARY DB = %s AND ID <> CONNECTION_ID()"
)

_WRITE: Final = (
    *("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE TEMPORARY TABLES", "LOCK TABLES"),
    *("EXECUTE", "SHOW VIEW"),
)
TO_USE: Final[Mapping[str, tuple[str, ...]]] = {
    "read": ("SELECT", "SHOW VIEW"),
    "write": _WRITE,
    "define": (*_WRITE, "CREATE", "ALTER", "DROP", "INDEX", "REFERENCES", "CREATE VIEW"),
}
"""Privileges on a shared database: on its data, not on its structure. A reader runs no routines,
which may write with their maker's rights, and cannot lock others out. A program may also create
tables in its one database, and views, but no other object that acts with others' rights.

See docs/explanation/permissions.md#project-roles.
"""
_COLUMNS: Final = {"CREATE TEMPORARY TABLES": "create_tmp_table"}


def columns(privileges: Iterable[str]) -> frozenset[str]:
    """Return privileges by their columns in mysql.db."""
    return frozenset(_COLUMNS.get(name, name.lower().replace(" ", "_")) for name in privileges)


USING: Final = {columns(privileges): use for use, privileges in TO_USE.items()}
"""Uses by their columns in mysql.db."""

DATABASE = "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE BINARY SCHEMA_NAME = %s"
GRANTS_ON = "SELECT * FROM mysql.db WHERE BINARY REPLACE(Db, %s, '') = %s"
"""Every spelling of a database's name: escaped (`ws\\_a`), not escaped (`ws_a`), or partly."""
ALL_GRANTS = "SELECT Db FROM mysql.db"
OTHERS_GRANTS = "SELECT DISTINCT Db FROM mysql.db WHERE BINARY User <> %s"

RUNNING_AS = (
    "SELECT TABLE_SCHEMA, TABLE_NAME, 'view' FROM information_schema.VIEWS"
    " WHERE BINARY SUBSTRING_INDEX(DEFINER, '@', 1) = %s UNION ALL"
    " SELECT ROUTINE_SCHEMA, ROUTINE_NAME, 'routine' FROM information_schema.ROUTINES"
    " WHERE BINARY SUBSTRING_INDEX(DEFINER, '@', 1) = %s UNION ALL"
    " SELECT TRIGGER_SCHEMA, TRIGGER_NAME, 'trigger' FROM information_schema.TRIGGERS"
    " WHERE BINARY SUBSTRING_INDEX(DEFINER, '@', 1) = %s UNION ALL"
    " SELECT EVENT_SCHEMA, EVENT_NAME, 'event' FROM information_schema.EVENTS"
    " WHERE BINARY SUBSTRING_INDEX(DEFINER, '@', 1) = %s"
)


def create_database(name: str) -> str:
    """Return the statement. `IF NOT EXISTS`: our own row reserves the name, and an earlier attempt
    may have succeeded.
    """
    return f"CREATE DATABASE IF NOT EXISTS {quote_name(name)} CHARACTER SET utf8mb4"


def drop_database(name: str) -> str:
    return f"DROP DATABASE {quote_name(name)}"


def grant(pattern: str) -> str:
    return f"GRANT ALL PRIVILEGES ON {quote_name(pattern)}.* TO %s@%s"


def grant_use(pattern: str, use: str) -> str:
    return f"GRANT {', '.join(TO_USE[use])} ON {quote_name(pattern)}.* TO %s@%s"


def revoke(pattern: str, *, role: bool) -> str:
    """Return the statement. It needs the exact spelling of the grant: another one is answered 1141.
    A role has no host.

    See docs/systems/sql-server.md#grants-name-a-pattern.
    """
    return f"REVOKE ALL PRIVILEGES ON {quote_name(pattern)}.* FROM {'%s' if role else '%s@%s'}"


def revoke_grant_option(pattern: str, *, role: bool) -> str:
    return f"REVOKE GRANT OPTION ON {quote_name(pattern)}.* FROM {'%s' if role else '%s@%s'}"


def quote_name(name: str) -> str:
    """Quote the name of a database. Only here does text become part of a statement."""
    return "`" + name.replace("`", "``").replace("%", "%%") + "`"


def as_pattern(database: str) -> str:
    """Spell a database's name so that a grant on it means only this one: in a grant, `_` and `%`
    stand for other characters.
    """
    return database.replace("_", r"\_").replace("%", r"\%")
