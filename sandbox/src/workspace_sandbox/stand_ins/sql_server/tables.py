"""People's tables, and every SELECT: sqlite does the work, behind MariaDB's rights and error codes.

Statements are translated by sqlglot. What it cannot read is a syntax error; what the stand-in
cannot do is refused by name (1235).
"""

import contextlib
import json
import sqlite3
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import ErrorLevel, SqlglotError

from workspace_sandbox.stand_ins.sql_server import refusals, system_tables
from workspace_sandbox.stand_ins.sql_server.accounts import CLIENT_HOST, Accounts
from workspace_sandbox.stand_ins.sql_server.visitor import Answer, Visitor

VERSION: Final = "10.11.19-MariaDB-stand-in"
VARIABLES: Final = {
    "version": VERSION,
    "version_comment": "stand-in of the workspace manager's sandbox",
    "sql_mode": "STRICT_TRANS_TABLES",
    "autocommit": 1,
    "lower_case_table_names": 0,
    "max_allowed_packet": 16777216,
    "character_set_server": "utf8mb4",
    "ssl_cipher": "",
}

_RIGHT_FOR: Final[dict[type[exp.Expression], str]] = {
    exp.Select: "SELECT",
    exp.SetOperation: "SELECT",
    exp.Insert: "INSERT",
    exp.Update: "UPDATE",
    exp.Delete: "DELETE",
    exp.Create: "CREATE",
    exp.Drop: "DROP",
    exp.TruncateTable: "DROP",
    exp.Alter: "ALTER",
}
_SQLITE_SAYS: Final = (
    ("no such column", 1054, "42S22", "Unknown column in 'field list'"),
    ("already exists", 1050, "42S01", "Table already exists"),
    ("UNIQUE constraint", 1062, "23000", "Duplicate entry"),
    ("NOT NULL constraint", 1048, "23000", "Column cannot be null"),
    ("columns but", 1136, "21S01", "Column count doesn't match value count at row 1"),
    ("has no column", 1054, "42S22", "Unknown column in 'field list'"),
    ("no such function", 1305, "42000", "FUNCTION does not exist"),
)


class Tables:
    """One sqlite database for each database; in a folder where the stand-in's state is kept, else
    in memory.
    """

    def __init__(self, accounts: Accounts, databases: dict[str, str], home: Path | None) -> None:
        self._accounts = accounts
        self.databases = databases
        """Name to a random id: a dropped database and the next one of its name are not the same."""
        self._home = home
        self._open: dict[str, sqlite3.Connection] = {}

    # --- databases --------------------------------------------------------------------------------

    def exists(self, database: str) -> bool:
        return database in self.databases or database in system_tables.SYSTEM_DATABASES

    def create(self, database: str) -> None:
        self.databases[database] = uuid.uuid4().hex

    def drop(self, database: str) -> int:
        """Gives how many tables went with it."""
        count = len(self.names(database))
        key = self.databases.pop(database)
        with contextlib.suppress(KeyError):
            self._open.pop(key).close()
        if self._home:
            (self._home / f"{key}.sqlite").unlink(missing_ok=True)
        return count

    def names(self, database: str) -> list[str]:
        """The tables of one database."""
        if database not in self.databases:
            return []
        found = self._in(database).execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        return sorted(str(name) for (name,) in found)

    def close(self) -> None:
        for connection in self._open.values():
            connection.close()
        self._open.clear()

    def _in(self, database: str) -> sqlite3.Connection:
        key = self.databases[database]
        if key not in self._open:
            if self._home:
                self._home.mkdir(parents=True, exist_ok=True)
            where = str(self._home / f"{key}.sqlite") if self._home else ":memory:"
            connection = sqlite3.connect(where, isolation_level=None, check_same_thread=False)
            self._open[key] = connection
        return self._open[key]

    # --- statements -------------------------------------------------------------------------------

    def run(self, visitor: Visitor, visitors: Sequence[Visitor], statement: str) -> Answer:
        """Carry out one statement about tables, or a SELECT about none. Raises SqlError."""
        tree = _parse(statement)
        right = next((r for kind, r in _RIGHT_FOR.items() if isinstance(tree, kind)), None)
        if right is None or (isinstance(tree, exp.Create | exp.Drop) and tree.kind != "TABLE"):
            raise refusals.unsupported(tree.key.upper())
        columns = _columns(tree)
        places = [self._place(table, visitor) for table in tree.find_all(exp.Table)]
        for place, table in zip(places, list(tree.find_all(exp.Table)), strict=True):
            self._require(visitor, right if _aimed_at(tree, table) else "SELECT", *place)
        tree = tree.transform(lambda node: _known_values(node, visitor))
        databases = {database for database, _table in places}
        if databases & set(system_tables.SYSTEM_DATABASES) or not databases:
            return self._ask_server(tree, places, columns, visitor, visitors)
        if len(databases) > 1:
            raise refusals.unsupported("tables of several databases in one statement")
        [database] = databases
        for table in tree.find_all(exp.Table):
            table.set("db", None)
        return _carry_out(self._in(database), tree, columns, database)

    def _place(self, table: exp.Table, visitor: Visitor) -> tuple[str, str]:
        database = table.db or visitor.database
        if not database:
            raise refusals.SqlError(1046, "No database selected", state="3D000")
        return database, table.name

    def _require(self, visitor: Visitor, right: str, database: str, table: str) -> None:
        if database.lower() == "information_schema":
            if right != "SELECT":
                raise refusals.on_database(visitor.user, visitor.host, database)
            return
        visitor.require_on(self._accounts, right, database, table)
        if database in system_tables.SYSTEM_DATABASES and right != "SELECT":
            raise refusals.unsupported(f"{right} on {database}.{table}")
        if not self.exists(database):
            raise refusals.no_such_table(database, table)

    def _ask_server(
        self,
        tree: exp.Expression,
        places: list[tuple[str, str]],
        columns: list[str],
        visitor: Visitor,
        visitors: Sequence[Visitor],
    ) -> Answer:
        wanted = set()
        for table, place in zip(tree.find_all(exp.Table), places, strict=True):
            key = system_tables.find_table(*place)
            if key is None:
                raise refusals.no_such_table(*place)
            wanted.add(key)
            table.set("db", None)
            table.set("this", exp.to_identifier(".".join(key), quoted=True))
            if not table.alias:
                table.set("alias", exp.TableAlias(this=exp.to_identifier(place[1])))
        with contextlib.closing(sqlite3.connect(":memory:")) as passing:
            passing.create_function("JSON_VALUE", 2, _json_value)
            passing.create_function("SUBSTRING_INDEX", 3, _substring_index)
            system_tables.load(
                passing,
                wanted,
                accounts=self._accounts,
                visitor=visitor,
                visitors=visitors,
                tables={name: self.names(name) for name in self.databases},
            )
            return _carry_out(passing, tree, columns, "information_schema")


def _parse(statement: str) -> exp.Expression:
    try:
        trees = [tree for tree in sqlglot.parse(statement, dialect="mysql") if tree]
    except SqlglotError as wrong:
        raise refusals.syntax() from wrong
    if len(trees) != 1 or not isinstance(trees[0], exp.Expression):
        raise refusals.syntax()
    return trees[0]


def _columns(tree: exp.Expression) -> list[str]:
    """The names of the answer's columns as MariaDB gives them; none when a star stands for them."""
    select = tree.find(exp.Select) if isinstance(tree, exp.Query) else None
    if select is None or any(e.find(exp.Star) and not e.find(exp.Func) for e in select.selects):
        return []
    return [e.alias_or_name or e.sql("mysql") for e in select.selects]


def _aimed_at(tree: exp.Expression, table: exp.Table) -> bool:
    """Return whether the statement changes this table; DROP and TRUNCATE name several and have
    no `this`.
    """
    if isinstance(tree, exp.Drop | exp.TruncateTable):
        return True
    return tree.this is not None and (table is tree.this or table.parent is tree.this)


def _known_values(node: exp.Expression, visitor: Visitor) -> exp.Expression:
    """Put in what only the session knows, and say "exactly" in sqlite's way."""
    if isinstance(node, exp.Cast) and node.to.this == exp.DataType.Type.BINARY:
        return exp.Collate(this=exp.paren(node.this.copy()), expression=exp.var("BINARY"))
    if isinstance(node, exp.CurrentUser):
        return exp.Literal.string(visitor.account)
    if isinstance(node, exp.CurrentSchema):
        return exp.Literal.string(visitor.database) if visitor.database else exp.Null()
    if isinstance(node, exp.CurrentVersion):
        return exp.Literal.string(VERSION)
    if isinstance(node, exp.SessionParameter):
        name = node.name.lower()
        if name not in VARIABLES:
            raise refusals.SqlError(1193, f"Unknown system variable '{name}'")
        return _literal(VARIABLES[name])
    if isinstance(node, exp.Anonymous):
        match node.name.upper():
            case "USER" | "SESSION_USER" | "SYSTEM_USER":
                return exp.Literal.string(f"{visitor.name}@{CLIENT_HOST}")
            case "CONNECTION_ID":
                return _literal(visitor.number)
    return node


def _literal(value: object) -> exp.Expression:
    if isinstance(value, int):
        return exp.Literal.number(value)
    return exp.Literal.string(str(value))


def _carry_out(
    connection: sqlite3.Connection, tree: exp.Expression, columns: list[str], database: str
) -> Answer:
    try:
        text = tree.sql("sqlite", unsupported_level=ErrorLevel.IGNORE)
        cursor = connection.execute(text)
        rows = cursor.fetchall()
    except sqlite3.Error as wrong:
        refused = _refusal(str(wrong), database)
        if refused.code == 1054 and database == "information_schema":
            # The real one has the column: a snapshot asks for many of them.
            raise refusals.SqlError(1235, "The stand-in has no such view", state="42000") from wrong
        if refused.code == 1146 and isinstance(tree, exp.Drop):
            raise refusals.SqlError(1051, "Unknown table", state="42S02") from wrong
        raise refused from wrong
    if cursor.description is None:
        return Answer(affected=max(0, cursor.rowcount))
    return Answer(rows=rows, columns=columns or [name for name, *_ in cursor.description])


def _refusal(text: str, database: str) -> refusals.SqlError:
    if "no such table" in text:
        name = text.rpartition(":")[2].strip().rpartition(".")[2]
        return refusals.no_such_table(database, name)
    for part, code, state, words in _SQLITE_SAYS:
        if part in text:
            return refusals.SqlError(code, words, state=state)
    return refusals.syntax()


def _json_value(document: str, path: str) -> Any:
    value = json.loads(document).get(path.removeprefix("$."))
    if isinstance(value, bool):
        return "1" if value else "0"
    return value if isinstance(value, str | int | float) else None


def _substring_index(text: str, sign: str, count: int) -> str:
    parts = text.split(sign)
    return sign.join(parts[:count] if count >= 0 else parts[count:])
