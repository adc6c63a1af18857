"""Rows of a table in the database, MariaDB's or PostgreSQL's: what the manager's SQL server is."""

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import pymysql

try:
    import psycopg
except ImportError:  # an image that was made where there is no such driver
    psycopg = None  # type: ignore[assignment]

from workspace_sandbox.sample_stack.inside.calls import TIMEOUT_S, Failed
from workspace_sandbox.sample_stack.inside.values import Sql

TABLE: Final = "workspace_notes"
MARIADB: Final = "mariadb"
POSTGRESQL: Final = "postgresql"
NUMBER: Final = {
    MARIADB: "BIGINT AUTO_INCREMENT PRIMARY KEY",
    POSTGRESQL: "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
}
MAKE_TABLE: Final = (
    f"CREATE TABLE IF NOT EXISTS {TABLE} (id {{number}},"
    " who VARCHAR(255) NOT NULL, said VARCHAR(500) NOT NULL, at VARCHAR(32) NOT NULL)"
)
INSERT: Final = f"INSERT INTO {TABLE} (who, said, at) VALUES (%s, %s, %s)"
LATEST: Final = f"SELECT who, said, at FROM {TABLE} ORDER BY id DESC LIMIT 20"


@dataclass(frozen=True)
class Note:
    who: str
    said: str
    at: str

    @classmethod
    def now(cls, who: str, said: str) -> "Note":
        return cls(who, " ".join(said.split())[:500], datetime.now(UTC).isoformat(" ", "seconds"))

    @property
    def line(self) -> str:
        return f"{self.at}  {self.who}: {self.said}"


class Rows:
    """Notes as rows."""

    name = "database"

    def __init__(self, values: Sql) -> None:
        self._values = values

    def reach(self) -> None:
        with self._cursor() as cursor:
            cursor.execute(f"SELECT 1 FROM {TABLE} LIMIT 1")

    def write(self, note: Note) -> None:
        with self._cursor() as cursor:
            cursor.execute(INSERT, (note.who, note.said, note.at))

    def read(self) -> list[str]:
        with self._cursor() as cursor:
            cursor.execute(LATEST)
            return [Note(*row).line for row in cursor.fetchall()]

    def _cursor(self) -> contextlib.AbstractContextManager[Any]:
        """Return a context manager of a new connection: a kept one would go on with a
        locked account.
        """
        flavour = self._values.flavour
        if flavour not in _OPENED:
            raise Failed(f"{flavour} is no SQL server that this image has a driver for")
        return _OPENED[flavour](self._values, MAKE_TABLE.format(number=NUMBER[flavour]))


@contextlib.contextmanager
def _mariadb(values: Sql, make: str) -> Iterator[Any]:
    try:
        with (
            contextlib.closing(
                pymysql.connect(
                    host=values.host,
                    port=values.port,
                    user=values.user,
                    password=values.password,
                    database=values.database,
                    charset="utf8mb4",
                    autocommit=True,
                    connect_timeout=int(TIMEOUT_S),
                    read_timeout=int(TIMEOUT_S),
                )
            ) as connection,
            connection.cursor() as cursor,
        ):
            with contextlib.suppress(pymysql.err.OperationalError):
                # Whoever may only read and write finds the table that somebody made.
                cursor.execute(make)
            yield cursor
    except pymysql.MySQLError as wrong:
        # Its number; the text may hold the name of an account.
        code = wrong.args[0] if wrong.args and isinstance(wrong.args[0], int) else 0
        raise Failed(f"the SQL server refused ({type(wrong).__name__} {code})") from wrong


@contextlib.contextmanager
def _postgresql(values: Sql, make: str) -> Iterator[Any]:
    if psycopg is None:
        raise Failed("the SQL server is PostgreSQL, and this image was made without its driver")
    try:
        with (
            psycopg.connect(
                host=values.host,
                port=values.port,
                user=values.user,
                password=values.password,
                dbname=values.database,
                autocommit=True,
                connect_timeout=int(TIMEOUT_S),
                options=f"-c statement_timeout={int(TIMEOUT_S * 1000)}",
            ) as connection,
            connection.cursor() as cursor,
        ):
            with contextlib.suppress(
                psycopg.errors.InsufficientPrivilege, psycopg.errors.UniqueViolation
            ):
                # As above; and of two who make it at once, one is told that it is there.
                cursor.execute(make)
            yield cursor
    except psycopg.Error as wrong:
        code = wrong.sqlstate or 0
        raise Failed(f"the SQL server refused ({type(wrong).__name__} {code})") from wrong


_OPENED: Final[Mapping[str, Callable[[Sql, str], contextlib.AbstractContextManager[Any]]]] = {
    MARIADB: _mariadb,
    POSTGRESQL: _postgresql,
}
