"""A SQL server, stand-in or real, and ways to look at it past the connectors."""

import contextlib
from dataclasses import dataclass, field
from typing import Any

import pymysql
from pymysql.cursors import Cursor

from workspace_manager.contract.connector import CallPolicy, Change, Facts, Result
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.connector import SqlServer, connect
from workspace_manager.systems.sql_server.settings import Settings

CANARY = "canary-1f'7\\d\"%s`x"
OTHER = "another password"
USER = names.USER_KIND
DATABASE = names.DATABASE_KIND
EXISTS: Facts = {"exists": True}


@dataclass
class Place:
    """A SQL server, and ways to look at it past the connectors."""

    settings: Settings
    secrets: dict[str, Secret] = field(default_factory=lambda: {"vault/1": Secret(CANARY)})

    def system(self, *, calls: CallPolicy | None = None, **changes: Any) -> SqlServer:
        settings = Settings(**{**vars(self.settings), **changes})
        return connect(settings, self._secret, **({"calls": calls} if calls else {}))

    def _secret(self, reference: str) -> Secret:
        if reference not in self.secrets:
            raise NotFound("erased", kind="vault", doing="reading a secret")
        return self.secrets[reference]

    def sign_in(
        self, user: str, password: str, database: str | None = None
    ) -> "pymysql.Connection[Cursor]":
        return pymysql.connect(
            host=self.settings.host,
            port=self.settings.port,
            user=user,
            password=password,
            database=database,
            autocommit=True,
            read_timeout=10,
            ssl_disabled=True,
        )

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        """As the administrator; gives the rows of the last one."""
        password = self.settings.admin_password
        assert password
        with contextlib.closing(
            self.sign_in(self.settings.admin_username, password.reveal())
        ) as admin:
            rows: list[tuple[Any, ...]] = []
            for statement in statements:
                rows = ask(admin, statement)
            return rows

    def accounts(self) -> set[str]:
        rows = self.run("SELECT User, Host FROM mysql.user")
        return {f"{user}@{host}" for user, host in rows}

    def grants(self) -> set[tuple[str, str, str]]:
        return {
            (user, host, db) for user, host, db in self.run("SELECT User, Host, Db FROM mysql.db")
        }

    def databases(self) -> set[str]:
        return {name for (name,) in self.run("SHOW DATABASES")}

    def clear(self) -> None:
        """Take away everything but what the server had at first."""
        for user, host in self.run("SELECT User, Host FROM mysql.user"):
            if user not in {"root", "mariadb.sys", self.settings.admin_username}:
                self.run(
                    f"DROP USER {literal(user)}@'{host}'", f"KILL CONNECTION USER {literal(user)}"
                )
        for name in self.databases():
            if name.startswith(("ws_", "wsX", "ws")):
                self.run(f"DROP DATABASE `{name}`")


def literal(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"


def ask(connection: "pymysql.Connection[Cursor]", statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return [tuple(row) for row in cursor.fetchall()]


def code(connection: "pymysql.Connection[Cursor]", statement: str) -> int:
    """The error code a statement is answered with; 0 when it was carried out."""
    try:
        ask(connection, statement)
    except pymysql.MySQLError as refused:
        return int(refused.args[0])
    return 0


def refused(place: Place, user: str, password: str) -> int:
    """The error code of a sign-in; 0 when somebody was let in."""
    try:
        place.sign_in(user, password).close()
    except pymysql.MySQLError as error:
        return int(error.args[0])
    return 0


def user_change(place: Place, user: str, want: Facts | None, *, password: str = "") -> Change:
    change = place.system().connectors[USER].plan(names.user_target(user), want)
    return change.model_copy(update={"secrets": {"password": password} if password else {}})


def make(place: Place, user: str = "alice") -> Change:
    change = user_change(place, user, EXISTS, password="vault/1")
    assert place.system().connectors[USER].apply(change).result is Result.CHANGED
    return change


def database_change(place: Place, name: str, want: Facts | None) -> Change:
    return place.system().connectors[DATABASE].plan(names.database_target(name), want)


def set_up(place: Place, name: str, *users: str) -> Change:
    change = database_change(place, name, {"grantees": [*users]})
    place.system().connectors[DATABASE].apply(change)
    return change
