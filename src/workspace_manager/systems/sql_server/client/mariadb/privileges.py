"""Privileges of our own account, and those it needs.

See docs/systems/sql-server.md#sessions-definers-dropping.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from workspace_manager.contract.inventory import OTHER, OWN
from workspace_manager.systems.sql_server.client.mariadb import dialect
from workspace_manager.systems.sql_server.client.session import MissingRight
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import PREFIX

ALL: Final = "ALL PRIVILEGES"
GRANT_OPTION: Final = "GRANT OPTION"
ON_DATABASES: Final = (
    *("SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "REFERENCES", "INDEX", "ALTER"),
    *("CREATE TEMPORARY TABLES", "LOCK TABLES", "EXECUTE", "CREATE VIEW", "SHOW VIEW"),
    *("CREATE ROUTINE", "ALTER ROUTINE", "EVENT", "TRIGGER"),
)
"""Privileges of people on their databases; we need all of them to grant them."""
TABLES: Final = ("user", "db", "global_priv")
OURS: Final = dialect.as_pattern(PREFIX) + "%"

ALL_COLUMNS: Final = dialect.columns(ON_DATABASES)

_LINE = re.compile(r"GRANT (?P<what>.+?) ON (?P<where>\S+) TO .*", re.DOTALL)
_WHERE = re.compile(r"(\*|`(?:[^`]|``)+`)\.(\*|`(?:[^`]|``)+`)")


@dataclass(frozen=True)
class Privilege:
    """One line of SHOW GRANTS, without the password's hash at the end of the first line."""

    database: str
    """A pattern; `*` is the whole server."""
    table: str
    names: frozenset[str]
    may_grant: bool

    def gives(self, name: str) -> bool:
        return ALL in self.names or name in self.names


@dataclass(frozen=True)
class DatabasePrivileges:
    """A row of mysql.db. `everything`: newer servers have more columns of privileges, and "all"
    includes them.
    """

    names: frozenset[str]
    everything: bool
    may_grant: bool


def read_privileges(row: Mapping[str, Any]) -> DatabasePrivileges:
    """Return the privileges of a row with lower-case column names."""
    option = f"{GRANT_OPTION.partition(' ')[0].lower()}_priv"
    privileges = {name: value for name, value in row.items() if name.endswith("_priv")}
    may_grant = privileges.pop(option, "N") == "Y"
    held = frozenset(
        name.removesuffix("_priv") for name, value in privileges.items() if value == "Y"
    )
    return DatabasePrivileges(held, bool(privileges) and len(held) == len(privileges), may_grant)


def level_of(rows: Sequence[DatabasePrivileges]) -> str:
    """Return the level of several rows together. Privileges that only newer servers know are
    ignored, because earlier grants lack them.
    """
    names = frozenset[str]().union(*(row.names for row in rows))
    if any(row.may_grant for row in rows):
        return OTHER
    return OWN if names >= ALL_COLUMNS else dialect.USING.get(names, OTHER)


def read_grant(line: str) -> Privilege | None:
    """Return the privilege of a line of SHOW GRANTS; None for a line about a role, which gives
    nothing by itself.
    """
    found = _LINE.fullmatch(line)
    where = _WHERE.fullmatch(found["where"]) if found else None
    if not found or not where:
        return None
    names = {name.strip().upper() for name in re.sub(r"\([^)]*\)", "", found["what"]).split(",")}
    may_grant = line.endswith("WITH GRANT OPTION") or GRANT_OPTION in names
    return Privilege(_unquote(where[1]), _unquote(where[2]), frozenset(names), may_grant)


def grant_again(row: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """Return the statement that recreates a row of mysql.db, with its values. A role has no
    host.
    """
    held = read_privileges(row)
    named = {"create_tmp_table": "CREATE TEMPORARY TABLES"}
    said = [named.get(one, one.replace("_", " ").upper()) for one in sorted(held.names)]
    what = ALL if held.everything else ", ".join(said) or "USAGE"
    who = "%s@%s" if row["host"] else "%s"
    option = f" WITH {GRANT_OPTION}" if held.may_grant else ""
    values = (row["user"], row["host"]) if row["host"] else (row["user"],)
    return f"GRANT {what} ON {dialect.quote_name(row['db'])}.* TO {who}{option}", values


def find_missing_rights(held: Sequence[Privilege], account: str) -> Iterator[MissingRight]:
    """Yield rights that are missing for accounts, databases and their proof. `account`: our own,
    like `admin@%`, for the remedies.
    """
    user, _, host = account.rpartition("@")
    to = "TO " + "@".join("'" + part.replace("'", "''") + "'" for part in (user, host))
    for name, why in (
        ("CREATE USER", message("lack_accounts", privilege="CREATE USER")),
        ("PROCESS", message("lack_seeing_sessions", privilege="PROCESS")),
        ("CONNECTION ADMIN", message("lack_ending_sessions", privilege="CONNECTION ADMIN")),
    ):
        if not _server_wide(held, name):
            yield MissingRight(why, f"GRANT {name} ON *.* {to};")
    for table in TABLES:
        if not _may_read(held, table):
            yield MissingRight(
                message("lack_reading", table=table), f"GRANT SELECT ON mysql.{table} {to};"
            )
    if not _sees_databases(held):
        yield MissingRight(message("lack_seeing_databases"), f"GRANT SHOW DATABASES ON *.* {to};")
    if not _hands_on_databases(held):
        yield MissingRight(
            message("lack_databases", prefix=PREFIX),
            f"GRANT ALL PRIVILEGES ON `{OURS}`.* {to} WITH GRANT OPTION;",
        )


def is_given(held: Sequence[Privilege], names: Sequence[str]) -> bool:
    """Return whether one of these is granted on the whole server."""
    return any(_server_wide(held, name) for name in names)


def _server_wide(held: Sequence[Privilege], name: str) -> bool:
    names = {name, "SUPER"} if name == "CONNECTION ADMIN" else {name}
    return any(p.database == "*" and any(p.gives(n) for n in names) for p in held)


def _may_read(held: Sequence[Privilege], table: str) -> bool:
    return any(
        p.gives("SELECT") and p.database in {"*", "mysql"} and p.table in {"*", table} for p in held
    )


def _sees_databases(held: Sequence[Privilege]) -> bool:
    return _server_wide(held, "SHOW DATABASES") or any(p.names for p in _over_ours(held))


def _hands_on_databases(held: Sequence[Privilege]) -> bool:
    return any(p.may_grant and all(p.gives(n) for n in ON_DATABASES) for p in _over_ours(held))


def _over_ours(held: Sequence[Privilege]) -> list[Privilege]:
    """Return privileges on all our databases: server-wide, or on a pattern that includes them."""
    usage = frozenset({"USAGE"})
    return [
        p
        for p in held
        if p.table == "*" and p.names != usage and (p.database == "*" or _takes_in_ours(p.database))
    ]


def _takes_in_ours(pattern: str) -> bool:
    return pattern.endswith("%") and any(
        pattern[:-1] in {PREFIX[:n], dialect.as_pattern(PREFIX[:n])} for n in range(len(PREFIX) + 1)
    )


def _unquote(name: str) -> str:
    return name if name == "*" else name[1:-1].replace("``", "`")
