"""A SQL server, stand-in or real, and ways to look at it past the connectors.

`DatabaseServer` is MariaDB's; `database_server_postgresql` says the same of PostgreSQL, so that the
cases of both are one.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

import pymysql
from pymysql.cursors import Cursor

from workspace_manager.contract.connector import CallPolicy, Change, Facts, Result
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import CALLS
from workspace_manager.systems.sql_server.connector import SqlServer, connect
from workspace_manager.systems.sql_server.settings import Settings
from workspace_sandbox.patience import PATIENCE_S

CANARY = "canary-1f'7\\d\"%s`x"
OTHER = "another password"
USER = names.USER_KIND
DATABASE = names.DATABASE_KIND
EXISTS: Facts = {"exists": True}


class Answer(StrEnum):
    """How a statement or a sign-in was answered, whatever the product says for it."""

    DONE = "done"
    FORBIDDEN = "forbidden"
    ENDED = "ended"
    """The session is no more."""
    REFUSED = "refused"
    LOCKED = "locked"


ANSWERS = {
    **dict.fromkeys((1044, 1142), Answer.FORBIDDEN),
    **dict.fromkeys((2006, 2013, 1927), Answer.ENDED),
    0: Answer.DONE,
    1045: Answer.REFUSED,
    4151: Answer.LOCKED,
}

RIGHTS = r"""
GRANT CREATE USER, PROCESS, CONNECTION ADMIN, SHOW DATABASES ON *.* TO 'warden'@'%'
GRANT SELECT ON mysql.user TO 'warden'@'%'
GRANT SELECT ON mysql.db TO 'warden'@'%'
GRANT SELECT ON mysql.global_priv TO 'warden'@'%'
GRANT ALL PRIVILEGES ON `ws\_%`.* TO 'warden'@'%' WITH GRANT OPTION
"""
"""The least an administrator of ours needs, one statement each line."""


@dataclass
class DatabaseServer:
    """A SQL server, and ways to look at it past the connectors."""

    rights: ClassVar[tuple[str, ...]] = tuple(RIGHTS.strip().splitlines())
    cannot_end_sessions = "CONNECTION ADMIN"
    wrong_password = "1045"
    never_shown: ClassVar[tuple[str, ...]] = ("IDENTIFIED",)

    settings: Settings
    secrets: dict[str, Secret] = field(default_factory=lambda: {"vault/1": Secret(CANARY)})

    def system(self, *, calls: CallPolicy | None = None, **changes: Any) -> SqlServer:
        settings = Settings(**{**vars(self.settings), **changes})
        return connect(settings, self._secret, calls=calls or CALLS)

    def _secret(self, reference: str) -> Secret:
        if reference not in self.secrets:
            raise NotFound(
                quote_words("erased"), kind="vault", doing=quote_words("reading a secret")
            )
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
            read_timeout=PATIENCE_S,
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

    def run_in(self, database: str, *statements: str) -> list[tuple[Any, ...]]:
        """The same in a database."""
        return self.run(f"USE `{database}`", *statements)

    def accounts(self) -> set[str]:
        rows = self.run("SELECT User, Host FROM mysql.user")
        return {f"{user}@{host}" for user, host in rows}

    def grants(self) -> set[tuple[str, str, str]]:
        return {
            (user, host, db) for user, host, db in self.run("SELECT User, Host, Db FROM mysql.db")
        }

    def databases(self) -> set[str]:
        return {name for (name,) in self.run("SHOW DATABASES")}

    def ask(self, session: Any, statement: str) -> list[tuple[Any, ...]]:
        return ask(session, statement)

    # --- in words that every SQL server has -------------------------------------------------------

    def tell(self, session: Any, statement: str) -> Answer | int:
        """How a statement was answered; the bare code of an answer that has no name here."""
        answer = code(session, statement)
        return ANSWERS.get(answer, answer)

    def let_in(self, user: str, password: str, database: str | None = None) -> Answer | int:
        """How a sign-in is answered, straight into a database or into none."""
        try:
            self.sign_in(user, password, database).close()
        except pymysql.MySQLError as error:
            return ANSWERS.get(int(error.args[0]), int(error.args[0]))
        return Answer.DONE

    def names(self) -> set[str]:
        """The accounts that we would make, by their names."""
        return {name.removesuffix("@%") for name in self.accounts()}

    def users_of(self, database: str) -> set[str]:
        """Who has been granted something on exactly this database."""
        return {user for user, _, pattern in self.grants() if pattern.replace("\\", "") == database}

    def make_account(self, user: str, password: str) -> None:
        self.run(f"CREATE USER {literal(user)}@'%' IDENTIFIED BY {literal(password)}")

    def lock_account(self, user: str) -> None:
        self.run(f"ALTER USER {literal(user)}@'%' ACCOUNT LOCK")

    def drop_account(self, user: str) -> None:
        self.run(f"DROP USER {literal(user)}@'%'")

    def make_powerful(self, user: str) -> None:
        self.run(f"GRANT SELECT ON *.* TO {literal(user)}@'%'")

    def make_database(self, name: str) -> None:
        self.run(f"CREATE DATABASE `{name}`")

    def drop_database(self, name: str) -> None:
        self.run(f"DROP DATABASE `{name}`")

    def drop_database_by_hand(self, name: str) -> list[str]:
        """As somebody would who knows nothing of us; gives what a look shows of a grant that is
        left, beside the grantees.
        """
        self.drop_database(name)
        return []

    def grant_by_hand(self, database: str, user: str) -> None:
        """Everything on exactly this database."""
        pattern = database.replace("_", r"\_")
        self.run(f"GRANT ALL PRIVILEGES ON `{pattern}`.* TO {literal(user)}@'%'")

    def grant_oddly(self, database: str, odd: str, handing_on: str) -> None:
        """To one what the manager gives to nobody; to the other everything, to be handed on."""
        pattern = database.replace("_", r"\_")
        self.run(
            f"GRANT INSERT ON `{pattern}`.* TO {literal(odd)}@'%'",
            f"GRANT ALL PRIVILEGES ON `{pattern}`.* TO {literal(handing_on)}@'%' WITH GRANT OPTION",
        )

    def hand_on(self, database: str, user: str) -> str:
        """The statement by which somebody would let another into a database."""
        pattern = database.replace("_", r"\_")
        return f"GRANT SELECT ON `{pattern}`.* TO {literal(user)}@'%'"

    def spoil(self, database: str) -> tuple[list[str], list[str]]:
        """Change by hand what alice, bob and eve may do in a database; who shall have it then, and
        what a look shows before.
        """
        self.run(
            f"CREATE DATABASE {database}",
            "CREATE USER 'bob'@'localhost' IDENTIFIED BY 'x'",
        )
        pattern = database.replace("_", r"\_")
        self.run(
            f"GRANT SELECT ON `{pattern}`.* TO 'alice'@'%'",
            f"GRANT ALL PRIVILEGES ON `{pattern}`.* TO 'bob'@'localhost'",
            f"GRANT ALL PRIVILEGES ON `{pattern}`.* TO 'eve'@'%' WITH GRANT OPTION",
        )
        shown = ["alice (not everything)", "bob@localhost", "eve (may hand it on)"]
        return ["alice", "eve"], shown

    def make_warden(self, *, without: int | None = None) -> str:
        """An administrator `warden` (password w) with the least rights; leaves one of `rights` out,
        and gives it.
        """
        rights = list(self.rights)
        lacking = "" if without is None else rights.pop(without)
        self.run("CREATE USER 'warden'@'%' IDENTIFIED BY 'w'", *rights)
        return lacking

    def make_feeble_wardens(self) -> Iterator[str]:
        """Administrators (password w) that may not end sessions; one after the other, each also may
        see less.
        """
        for lacking in ("CONNECTION ADMIN, ", "PROCESS, CONNECTION ADMIN, "):
            rights = RIGHTS.replace(lacking, "").strip().splitlines()
            self.run("CREATE USER 'warden'@'%' IDENTIFIED BY 'w'", *rights)
            yield "warden"
            self.run("DROP USER 'warden'@'%'")

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


def try_sign_in(server: DatabaseServer, user: str, password: str) -> int:
    """The error code of a sign-in; 0 when somebody was let in."""
    try:
        server.sign_in(user, password).close()
    except pymysql.MySQLError as error:
        return int(error.args[0])
    return 0


def user_change(
    server: DatabaseServer, user: str, want: Facts | None, *, password: str = ""
) -> Change:
    change = server.system().connectors[USER].plan(names.user_target(user), want)
    return change.model_copy(update={"secrets": {"password": password} if password else {}})


def make(server: DatabaseServer, user: str = "alice") -> Change:
    change = user_change(server, user, EXISTS, password="vault/1")
    assert server.system().connectors[USER].apply(change).result is Result.CHANGED
    return change


def database_change(server: DatabaseServer, name: str, want: Facts | None) -> Change:
    return server.system().connectors[DATABASE].plan(names.database_target(name), want)


def set_up(server: DatabaseServer, name: str, *users: str) -> Change:
    change = database_change(server, name, {"grantees": [*users]})
    server.system().connectors[DATABASE].apply(change)
    return change
