"""The server's own tables as SELECT sees them: accounts, grants, sessions, databases."""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from workspace_sandbox.stand_ins.sql_server.accounts import ON_DATABASES, SERVER_WIDE, Accounts, Row
from workspace_sandbox.stand_ins.sql_server.visitor import Visitor

SYSTEM_DATABASES: Final = ("information_schema", "mysql", "performance_schema", "sys")

_USER_PRIVILEGES = {column: name for name, column in SERVER_WIDE.items() if column}
_USER_PRIVILEGES["Grant_priv"] = "GRANT OPTION"
_DB_PRIVILEGES = {column: name for name, column in ON_DATABASES.items()}
_DB_PRIVILEGES["Grant_priv"] = "GRANT OPTION"

COLUMNS: Final[Mapping[tuple[str, str], Sequence[str]]] = {
    ("mysql", "user"): (
        *("Host", "User", "Password", *_USER_PRIVILEGES),
        *("plugin", "authentication_string", "is_role", "default_role"),
    ),
    ("mysql", "db"): ("Host", "Db", "User", *_DB_PRIVILEGES),
    ("mysql", "global_priv"): ("Host", "User", "Priv"),
    ("information_schema", "SCHEMATA"): (
        *("CATALOG_NAME", "SCHEMA_NAME", "DEFAULT_CHARACTER_SET_NAME"),
        "DEFAULT_COLLATION_NAME",
    ),
    ("information_schema", "PROCESSLIST"): (
        *("ID", "USER", "HOST", "DB", "COMMAND", "TIME", "STATE", "INFO"),
    ),
    ("information_schema", "TABLES"): ("TABLE_SCHEMA", "TABLE_NAME", "TABLE_TYPE"),
    ("information_schema", "VIEWS"): ("TABLE_SCHEMA", "TABLE_NAME", "DEFINER"),
    ("information_schema", "ROUTINES"): ("ROUTINE_SCHEMA", "ROUTINE_NAME", "DEFINER"),
    ("information_schema", "TRIGGERS"): ("TRIGGER_SCHEMA", "TRIGGER_NAME", "DEFINER"),
    ("information_schema", "EVENTS"): ("EVENT_SCHEMA", "EVENT_NAME", "DEFINER"),
}
"""By database and table. Views, routines, triggers and events cannot be made here, so that their
tables are empty.
"""


def find_table(database: str, table: str) -> tuple[str, str] | None:
    """The table's own spelling: names in information_schema are the same in any case."""
    if database.lower() == "information_schema":
        key = ("information_schema", table.upper())
    else:
        key = (database.lower(), table)
    return key if key in COLUMNS else None


def load(
    into: sqlite3.Connection,
    wanted: Iterable[tuple[str, str]],
    *,
    accounts: Accounts,
    visitor: Visitor,
    visitors: Sequence[Visitor],
    tables: Mapping[str, Sequence[str]],
) -> None:
    """Fill a passing database with what these tables hold for this visitor; `tables`: people's
    tables by database.
    """
    for key in wanted:
        columns = ", ".join(f'"{name}" COLLATE RTRIM' for name in COLUMNS[key])
        into.execute(f'CREATE TABLE "{key[0]}.{key[1]}" ({columns})')
        marks = ", ".join("?" * len(COLUMNS[key]))
        rows = list(_rows(key, accounts, visitor, visitors, tables))
        into.executemany(f'INSERT INTO "{key[0]}.{key[1]}" VALUES ({marks})', rows)


def _rows(
    key: tuple[str, str],
    accounts: Accounts,
    visitor: Visitor,
    visitors: Sequence[Visitor],
    tables: Mapping[str, Sequence[str]],
) -> Iterable[Sequence[Any]]:
    match key:
        case ("mysql", "user"):
            on_server = [g for g in accounts.grants if (g["db"], g["table"]) == ("*", "*")]
            rights = {(g["user"], g["host"]): g["names"] for g in on_server}
            return [
                _user(row, rights.get((row["user"], row["host"]), ())) for row in accounts.users
            ]
        case ("mysql", "db"):
            on_databases = [g for g in accounts.grants if g["db"] != "*" and g["table"] == "*"]
            return [
                (g["host"], g["db"], g["user"], *_flags(_DB_PRIVILEGES, g["names"]))
                for g in on_databases
            ]
        case ("mysql", "global_priv"):
            return [(row["host"], row["user"], _as_json(row)) for row in accounts.users]
        case ("information_schema", "SCHEMATA"):
            names = sorted({*tables, *SYSTEM_DATABASES})
            return [
                ("def", name, "utf8mb4", "utf8mb4_general_ci")
                for name in names
                if name == "information_schema" or visitor.sees(accounts, name)
            ]
        case ("information_schema", "PROCESSLIST"):
            everybody = "PROCESS" in visitor.server_wide
            return [_session(v) for v in visitors if everybody or v.user == visitor.user]
        case ("information_schema", "TABLES"):
            return [
                (database, name, "BASE TABLE")
                for database, names in tables.items()
                if visitor.may(accounts, "SELECT", database)
                for name in names
            ]
        case _:
            return []


def _user(row: Row, names: Iterable[str]) -> Sequence[Any]:
    flags = _flags(_USER_PRIVILEGES, names)
    secret = row["hash"]
    return (row["host"], row["user"], secret, *flags, "mysql_native_password", secret, "N", "")


def _flags(columns: Mapping[str, str], names: Iterable[str]) -> list[str]:
    return ["Y" if name in names else "N" for name in columns.values()]


def _as_json(row: Row) -> str:
    """MariaDB keeps accounts like this; an account that is not locked has no such member."""
    priv = {"plugin": "mysql_native_password", "authentication_string": row["hash"]}
    if row["locked"]:
        return json.dumps({**priv, "account_locked": True})
    return json.dumps(priv)


def _session(visitor: Visitor) -> Sequence[Any]:
    command = "Query" if visitor.running else "Sleep"
    database = visitor.database or None
    return (visitor.number, visitor.user, "127.0.0.1", database, command, 0, "", visitor.running)


SERVER_VARIABLES: Final = {
    "default_password_lifetime": "0",
    "general_log": "OFF",
    "encrypt_binlog": "OFF",
    "have_ssl": "DISABLED",
    "innodb_force_recovery": "0",
    "innodb_read_only": "OFF",
    "log_bin": "OFF",
    "log_output": "FILE",
    "long_query_time": "10.000000",
    "lower_case_table_names": "0",
    "max_user_connections": "0",
    "old_passwords": "OFF",
    "read_only": "OFF",
    "skip_grant_tables": "OFF",
    "slow_query_log": "OFF",
    "sql_mode": "STRICT_TRANS_TABLES",
}
"""Those of the server that somebody judges, as a real one has them from the start."""
