"""Content of a MariaDB database: its tables, counted so that they can be compared, and the objects
that run with a definer's rights.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.dialect import quote_name

TRANSACTIONAL: Final = frozenset({"InnoDB", "ROCKSDB"})
"""Engines whose tables can all be read as of one moment."""
VERSIONED: Final = "SYSTEM VERSIONED"
SEQUENCE: Final = "SEQUENCE"
VIEW: Final = "VIEW"
ROUTINES: Final = frozenset({"FUNCTION", "PROCEDURE", "PACKAGE", "PACKAGE BODY"})

_TABLES = (
    "SELECT TABLE_NAME, TABLE_TYPE, COALESCE(ENGINE, '') FROM information_schema.TABLES"
    " WHERE BINARY TABLE_SCHEMA = %s ORDER BY BINARY TABLE_NAME"
)
_COLUMNS = (
    "SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, EXTRA FROM information_schema.COLUMNS"
    " WHERE BINARY TABLE_SCHEMA = %s ORDER BY BINARY TABLE_NAME, ORDINAL_POSITION"
)
_DEFAULTS = (
    "SELECT DEFAULT_CHARACTER_SET_NAME, DEFAULT_COLLATION_NAME FROM information_schema.SCHEMATA"
    " WHERE BINARY SCHEMA_NAME = %s"
)
_ROUTINES = (
    "SELECT ROUTINE_TYPE, ROUTINE_NAME FROM information_schema.ROUTINES"
    " WHERE BINARY ROUTINE_SCHEMA = %s ORDER BY ROUTINE_TYPE, BINARY ROUTINE_NAME"
)
_TRIGGERS = (
    "SELECT TRIGGER_NAME, ACTION_TIMING, EVENT_MANIPULATION, EVENT_OBJECT_TABLE, ACTION_STATEMENT,"
    " DEFINER, SQL_MODE, COLLATION_CONNECTION FROM information_schema.TRIGGERS"
    " WHERE BINARY TRIGGER_SCHEMA = %s"
    " ORDER BY BINARY EVENT_OBJECT_TABLE, ACTION_TIMING, EVENT_MANIPULATION, ACTION_ORDER"
)
_EVENTS = (
    "SELECT EVENT_NAME FROM information_schema.EVENTS WHERE BINARY EVENT_SCHEMA = %s"
    " ORDER BY BINARY EVENT_NAME"
)
CONSISTENT: Final = (
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
    "SET SESSION time_zone = '+00:00'",
    "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
)
_DEFINER = r"DEFINER=`((?:[^`]|``)*)`@`((?:[^`]|``)*)`"
_HEAD = re.compile(rf"(CREATE (?:OR REPLACE )?(?:ALGORITHM=\w+ )?){_DEFINER} ")


_NAMES = re.compile(r"'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)+`(?:\.`(?:[^`]|``)+`)*\(?", re.DOTALL)
"""A text, or a name with its qualifiers, as the server writes them in a view."""


@dataclass(frozen=True)
class Table:
    """A table, sequence or view."""

    name: str
    type: str
    engine: str


@dataclass(frozen=True)
class DefinedObject:
    """An object that runs with a definer's rights: a view, routine, trigger or event."""

    kind: str
    """As in statements, like "PACKAGE BODY"."""
    name: str
    definer: str
    """Like `alice@%`; "" without one."""
    head: str
    """The beginning of its CREATE statement, up to the definer."""
    rest: str
    sql_mode: str = ""
    collation: str = ""
    time_zone: str = ""

    @property
    def statement(self) -> str:
        """Return its CREATE statement; whoever runs it becomes the definer."""
        return self.head + self.rest

    def made_by(self, definer: str) -> str:
        """Return the statement with a definer, like `alice@%`."""
        user, _, host = definer.rpartition("@")
        return f"{self.head}DEFINER={quote(user)}@{quote(host)} {self.rest}"

    def settings(self) -> list[str]:
        """Return the statements that restore the session settings of its creation, which the server
        stores with it.
        """
        collation = self.collation if self.collation.startswith("utf8mb4_") else ""
        said = [f"SET NAMES utf8mb4{f' COLLATE {collation}' if collation else ''}"]
        if self.kind != VIEW:
            said.append(f"SET SESSION sql_mode = {_literal(self.sql_mode)}")
        if self.time_zone:
            said.append(f"SET SESSION time_zone = {_literal(self.time_zone)}")
        return said

    def drop(self) -> str:
        """Return the statement that drops it if it exists."""
        return f"DROP {self.kind} IF EXISTS {quote(self.name)}"


def quote(name: str) -> str:
    """Quote a name in a statement that is sent without values."""
    return "`" + name.replace("`", "``") + "`"


def plain(statement: str) -> str:
    """Return a statement without values in the form that a connection takes."""
    return statement.replace("%", "%%")


def read_tables(connection: Connection, database: str) -> list[Table]:
    """Return all tables, sequences and views of a database, ordered by name."""
    return [Table(*map(_text, row)) for row in connection.rows(_TABLES, database)]


def read_defaults(connection: Connection, database: str) -> str:
    """Return the statement that gives a database the defaults of this one."""
    [(charset, collation)] = connection.rows(_DEFAULTS, database)
    return f"ALTER DATABASE CHARACTER SET = {_text(charset)} COLLATE = {_text(collation)}"


def read_columns(connection: Connection, database: str) -> dict[str, list[tuple[str, str]]]:
    """Return the columns of each table with their types, without generated ones."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in connection.rows(_COLUMNS, database):
        table, column, kind, extra = map(_text, row)
        columns = found.setdefault(table, [])
        if "GENERATED" not in extra:
            columns.append((column, kind))
    return found


def count_rows(
    connection: Connection, database: str, table: str, columns: Sequence[str]
) -> tuple[int, str]:
    """Return the number of rows, and a number that is the same for the same rows in any order.

    It is computed from the values as text. CHECKSUM TABLE uses their stored form, which differs in
    a newer server, or in a table that was altered in place.
    """
    hashes = ", ".join(f"IFNULL(CRC32({quote_name(name)}), '-')" for name in columns)
    each = f"CRC32(CONCAT_WS(',', {hashes}))" if columns else "0"
    where = f"{quote_name(database)}.{quote_name(table)}"
    asked = f"SELECT COUNT(*), COALESCE(SUM({each}), 0) FROM {where}"  # noqa: S608
    # Otherwise ALTER TABLE would wait until everything is counted, and others for it.
    connection.do("SAVEPOINT one_table")
    [(rows, total)] = connection.rows(asked)
    connection.do("ROLLBACK TO SAVEPOINT one_table")
    return int(rows), f"{int(total):x}"


def read_objects(connection: Connection, database: str) -> list[DefinedObject]:
    """Return routines, views, triggers and events in the order in which they can be created. The
    connection uses that database from then on.
    """
    connection.do(f"USE {quote_name(database)}")
    return [
        *_routines(connection, database),
        *_views(connection, database),
        *_triggers(connection, database),
        *_events(connection, database),
    ]


def _routines(connection: Connection, database: str) -> Iterator[DefinedObject]:
    for row in connection.rows(_ROUTINES, database):
        kind, name = map(_text, row)
        [record] = connection.records(f"SHOW CREATE {kind} {quote_name(name)}")
        yield _shown(kind, name, record)


def _views(connection: Connection, database: str) -> Iterator[DefinedObject]:
    for table in read_tables(connection, database):
        if table.type == VIEW:
            [record] = connection.records(f"SHOW CREATE VIEW {quote_name(table.name)}")
            one = _shown(VIEW, table.name, record)
            yield replace(one, rest=leave_out_database(one.rest, database))


def _triggers(connection: Connection, database: str) -> Iterator[DefinedObject]:
    for row in connection.rows(_TRIGGERS, database):
        name, timing, event, table, statement, definer, mode, collation = map(_text, row)
        # SHOW CREATE would contain the name of the database if its author wrote it.
        rest = (
            f"TRIGGER {quote(name)} {timing} {event.replace(',', ' OR ')} ON {quote(table)}"
            f" FOR EACH ROW {statement}"
        )
        yield DefinedObject("TRIGGER", name, definer, "CREATE ", rest, mode, collation)


def _events(connection: Connection, database: str) -> Iterator[DefinedObject]:
    for (name,) in connection.rows(_EVENTS, database):
        [record] = connection.records(f"SHOW CREATE EVENT {quote_name(_text(name))}")
        yield _shown("EVENT", _text(name), record)


def _shown(kind: str, name: str, record: Mapping[str, Any]) -> DefinedObject:
    """Return the object of an answer to SHOW CREATE."""
    columns = {column.lower(): _text(value) for column, value in record.items()}
    head, rest, definer = split_definer(columns[f"create {kind.lower()}"])
    return DefinedObject(
        kind,
        name,
        definer,
        head,
        rest,
        columns.get("sql_mode", ""),
        columns.get("collation_connection", ""),
        columns.get("time_zone", ""),
    )


def split_definer(statement: str) -> tuple[str, str, str]:
    """Remove the definer from the head of a statement that the server itself made, and look for it
    nowhere else. Return what comes before, what comes after, and the definer.
    """
    found = _HEAD.match(statement)
    if not found:
        head, _, rest = statement.partition(" ")
        return f"{head} ", rest, ""
    user, host = (part.replace("``", "`") for part in found.groups()[1:])
    return found[1], statement[found.end() :], f"{user}@{host}"


def leave_out_database(query: str, database: str) -> str:
    """Return the view's query without the name of its own database, which the server keeps if its
    author wrote it: the view has to work in any database it is loaded into. Two names alone are a
    table and its column.
    """
    first = f"{quote(database)}."

    def shortened(found: re.Match[str]) -> str:
        name = found[0]
        parts = 0 if name.startswith("'") else name.count("`.`") + 1
        own = name.startswith(first) and (parts == 3 or (parts == 2 and name.endswith("(")))
        return name.removeprefix(first) if own else name

    return _NAMES.sub(shortened, query)


def _literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
