"""Lists of all accounts and of our databases, in parts, in byte order.

A part is read by three statements. `BINARY` everywhere: otherwise trailing blanks would make two
names one (docs/systems/sql-server.md#mariadb-names).
"""

from collections import defaultdict
from typing import Any, Final

from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.dialect import SERVER_WIDE
from workspace_manager.systems.sql_server.client.mariadb.privileges import (
    DatabasePrivileges,
    level_of,
    read_privileges,
)
from workspace_manager.systems.sql_server.client.session import KnownAccount, KnownDatabase

NAMES: Final = (
    "SELECT DISTINCT BINARY User FROM mysql.user WHERE BINARY User > %s AND is_role = 'N'"
    " ORDER BY BINARY User LIMIT %s"
)
POWERFUL: Final = (
    "SELECT DISTINCT BINARY User FROM mysql.user"  # noqa: S608
    " WHERE BINARY User > %s AND BINARY User <= %s AND is_role = 'N'"
    f" AND 'Y' IN ({SERVER_WIDE})"
)
OPEN: Final = (
    "SELECT DISTINCT BINARY User FROM mysql.global_priv"
    " WHERE BINARY User > %s AND BINARY User <= %s AND JSON_VALUE(Priv, '$.is_role') IS NULL"
    " AND COALESCE(JSON_VALUE(Priv, '$.account_locked'), '0') NOT IN ('1', 'true')"
)
"""Accounts that may sign in from at least one host."""
DATABASES: Final = (
    "SELECT SCHEMA_NAME FROM information_schema.SCHEMATA"
    " WHERE BINARY SCHEMA_NAME > %s AND BINARY SCHEMA_NAME < %s"
    " ORDER BY BINARY SCHEMA_NAME LIMIT %s"
)
GRANTEES: Final = (
    "SELECT * FROM mysql.db"
    " WHERE BINARY REPLACE(Db, %s, '') >= %s AND BINARY REPLACE(Db, %s, '') <= %s AND Host <> ''"
)
"""Grants on single databases in any spelling; a role has no host, and is nobody's account."""


def accounts_after(connection: Connection, after: str, most: int) -> list[KnownAccount]:
    names = [_text(name) for (name,) in connection.rows(NAMES, after, most)]
    if not names:
        return []
    powerful = {_text(name) for (name,) in connection.rows(POWERFUL, after, names[-1])}
    may_enter = {_text(name) for (name,) in connection.rows(OPEN, after, names[-1])}
    return [KnownAccount(name, name in may_enter, name in powerful, False) for name in names]


def databases_after(
    connection: Connection, after: str, before: str, most: int
) -> list[KnownDatabase]:
    names = [_text(name) for (name,) in connection.rows(DATABASES, after, before, most)]
    if not names:
        return []
    held: dict[str, dict[str, list[DatabasePrivileges]]] = {
        name: defaultdict(list) for name in names
    }
    slash = "\\"
    for record in connection.records(GRANTEES, slash, names[0], slash, names[-1]):
        row = {column.lower(): _text(value) for column, value in record.items()}
        database = row["db"].replace(slash, "")
        if database in held:
            held[database][row["user"]].append(read_privileges(row))
    return [
        KnownDatabase(name, {user: level_of(rows) for user, rows in sorted(held[name].items())})
        for name in names
    ]


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
