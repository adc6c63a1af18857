"""A database of the manager, as whoever has its password or its file reads and writes it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import psycopg

from workspace_sandbox.patience import PATIENCE_S

SQLITE = "sqlite:///"


@dataclass
class Database:
    """What somebody does with the password of one, SQLite's or PostgreSQL's."""

    url: str

    @property
    def is_sqlite(self) -> bool:
        return self.url.startswith(SQLITE)

    def execute(self, statement: str, *values: Any) -> list[Any]:
        if self.is_sqlite:
            file = self.url.removeprefix(SQLITE)
            with closing(sqlite3.connect(file, timeout=PATIENCE_S)) as opened, opened:
                return opened.execute(statement, values).fetchall()
        with psycopg.connect(self.url) as connection:
            answer = connection.execute(statement.replace("?", "%s").encode(), values)
            return answer.fetchall() if answer.description else []

    def tables(self) -> list[str]:
        where = "pg_tables WHERE schemaname = 'public'"
        if self.is_sqlite:
            where = "sqlite_master WHERE type = 'table'"
        name = "name" if self.is_sqlite else "tablename"
        return [str(table) for (table,) in self.execute(f"SELECT {name} FROM {where}")]

    def values(self) -> Iterator[tuple[str, Any]]:
        """Everything that is kept, with its table."""
        for table in self.tables():
            for row in self.execute(f'SELECT * FROM "{table}"'):
                yield from ((table, value) for value in row)

    def rows(self, table: str, column: str) -> list[Any]:
        return [value for (value,) in self.execute(f'SELECT "{column}" FROM "{table}"')]

    def of_queue(self, table: str) -> str:
        return table if self.is_sqlite else f"huey_{table}"
