"""A real PostgreSQL, and ways to look at it past the connectors."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import psycopg
from psycopg import sql

from tests.systems.sql_server.database_server import Answer, DatabaseServer
from workspace_sandbox.patience import PATIENCE_S

ANSWERS = {
    "": Answer.DONE,
    "42501": Answer.FORBIDDEN,
    "57P01": Answer.ENDED,
    "closed": Answer.ENDED,
}
WORDS = {
    "password authentication failed": Answer.REFUSED,
    "not permitted to log in": Answer.LOCKED,
    "permission denied for database": Answer.FORBIDDEN,
}


def quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass
class PostgreSQLServer(DatabaseServer):
    """Says of PostgreSQL what `DatabaseServer` says of MariaDB."""

    rights: ClassVar[tuple[str, ...]] = (
        "ALTER ROLE warden CREATEROLE",
        "ALTER ROLE warden CREATEDB",
        "GRANT pg_signal_backend TO warden",
    )
    cannot_end_sessions = "pg_signal_backend"
    wrong_password = "28P01"
    never_shown = ("SCRAM", "PASSWORD")

    def sign_in(self, user: str, password: str, database: str | None = None) -> Any:
        return psycopg.connect(
            host=self.settings.host,
            port=self.settings.port,
            user=user,
            password=password,
            dbname=database or "postgres",
            autocommit=True,
            connect_timeout=int(PATIENCE_S),
        )

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        return self.run_in("postgres", *statements)

    def run_in(self, database: str, *statements: str) -> list[tuple[Any, ...]]:
        """As the administrator, in a database; gives the rows of the last one."""
        assert self.settings.admin_password
        password = self.settings.admin_password.reveal()
        rows: list[tuple[Any, ...]] = []
        with contextlib.closing(
            self.sign_in(self.settings.admin_username, password, database)
        ) as admin:
            for statement in statements:
                rows = self.ask(admin, statement)
        return rows

    def ask(self, session: Any, statement: str) -> list[tuple[Any, ...]]:
        cursor = session.execute(statement)
        return list(cursor.fetchall()) if cursor.description else []

    def tell(self, session: Any, statement: str) -> Any:
        code = "closed"
        try:
            self.ask(session, statement)
        except psycopg.Error as refused:
            code = refused.sqlstate or "closed"
        else:
            code = ""
        return ANSWERS.get(code, code)

    def let_in(self, user: str, password: str, database: str | None = None) -> Any:
        try:
            self.sign_in(user, password, database).close()
        except psycopg.OperationalError as error:
            return next(answer for words, answer in WORDS.items() if words in str(error))
        return Answer.DONE

    def accounts(self) -> set[str]:
        return self.names()

    def names(self) -> set[str]:
        return {name for (name,) in self.run("SELECT rolname FROM pg_roles")}

    def grants(self) -> set[tuple[str, str, str]]:
        return {
            (str(member), "", str(role))
            for member, role in self.run(
                "SELECT m.rolname, g.rolname FROM pg_auth_members JOIN pg_roles m ON m.oid = member"
                " JOIN pg_roles g ON g.oid = roleid WHERE g.rolname LIKE 'ws%' AND "
                "m.rolname <> 'warden'"
            )
        }

    def users_of(self, database: str) -> set[str]:
        return {member for member, _, role in self.grants() if role == database}

    def databases(self) -> set[str]:
        return {name for (name,) in self.run("SELECT datname FROM pg_database")}

    def make_account(self, user: str, password: str) -> None:
        assert self.settings.admin_password
        with contextlib.closing(
            self.sign_in(self.settings.admin_username, self.settings.admin_password.reveal())
        ) as admin:
            admin.execute(
                sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                    sql.Identifier(user), sql.Literal(password)
                )
            )

    def lock_account(self, user: str) -> None:
        self.run(f"ALTER ROLE {quote_name(user)} NOLOGIN")

    def drop_account(self, user: str) -> None:
        self.run(f"DROP ROLE {quote_name(user)}")

    def make_powerful(self, user: str) -> None:
        self.run(f"GRANT pg_read_all_data TO {quote_name(user)}")

    def make_database(self, name: str) -> None:
        self.run(
            f"CREATE DATABASE {quote_name(name)}",
            f"REVOKE ALL ON DATABASE {quote_name(name)} FROM PUBLIC",
        )

    def drop_database(self, name: str) -> None:
        self.run(f"DROP DATABASE {quote_name(name)} WITH (FORCE)")

    def drop_database_by_hand(self, name: str) -> list[str]:
        self.drop_database(name)
        return ["the roles of its members"]

    def grant_by_hand(self, database: str, user: str) -> None:
        if database not in self.names():
            self.run(f"CREATE ROLE {quote_name(database)} NOLOGIN")
        self.run(f"GRANT {quote_name(database)} TO {quote_name(user)}")

    def grant_oddly(self, database: str, odd: str, handing_on: str) -> None:
        self.run(
            f"GRANT CONNECT ON DATABASE {quote_name(database)} TO {quote_name(odd)}",
            f"GRANT {quote_name(database)} TO {quote_name(handing_on)} WITH ADMIN OPTION",
        )

    def hand_on(self, database: str, user: str) -> str:
        return f"GRANT {quote_name(database)} TO {quote_name(user)}"

    def spoil(self, database: str) -> tuple[list[str], list[str]]:
        self.run(
            f"CREATE DATABASE {database}",
            f"CREATE ROLE {database} NOLOGIN",
            f"GRANT CONNECT ON DATABASE {database} TO {database}",
            f"GRANT {database} TO alice",
            f"GRANT {database} TO eve WITH ADMIN OPTION",
            f"GRANT CONNECT ON DATABASE {database} TO bob",
        )
        shown = [
            "alice (not everything)",
            "bob (without being a member)",
            "eve (not everything, may hand it on)",
            "everybody",
        ]
        return ["alice", "eve"], shown

    def make_warden(self, *, without: int | None = None) -> str:
        rights = list(self.rights)
        lacking = "" if without is None else rights.pop(without)
        self.run("CREATE ROLE warden LOGIN PASSWORD 'w'", *rights)
        return lacking

    def make_feeble_wardens(self) -> Iterator[str]:
        self.make_warden(without=2)
        yield "warden"
        self.run("DROP ROLE warden")

    def clear(self) -> None:
        for name in self.databases():
            if name.startswith("ws") or name == "wiki":
                self.drop_database(name)
        kept = {self.settings.admin_username}
        gone = [n for n in self.names() if not n.startswith("pg_") and n not in kept]
        heir = quote_name(self.settings.admin_username)
        for name in gone:
            self.run(
                f"REASSIGN OWNED BY {quote_name(name)} TO {heir}",
                f"DROP OWNED BY {quote_name(name)}",
            )
        for name in gone:
            self.run(f"DROP ROLE {quote_name(name)}")
        self.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> "
            "pg_backend_pid() AND usesysid IS NOT NULL"
        )
