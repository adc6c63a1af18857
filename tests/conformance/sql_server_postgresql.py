"""The place and the cases of the SQL server on PostgreSQL: the same wishes, by other words and with
other half-made things.
"""

import contextlib
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import psycopg

from tests.conformance import sql_server, sql_server_databases
from tests.conformance.door_postgresql import PostgreSQLDoor
from tests.conformance.sql_server import SqlCase, SqlServerPlace
from tests.systems.sql_server.database_server import Answer
from tests.systems.sql_server.database_server_postgresql import PostgreSQLServer as Hands
from tests.systems.sql_server.database_server_postgresql import quote_name
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.connector import SqlServer
from workspace_manager.systems.sql_server.settings import POSTGRESQL, Settings
from workspace_sandbox.conformance.case import Seen, Selector, Thing
from workspace_sandbox.server import running

PASSWORD = "of somebody"
ENDS: Selector = {"statement": "pg_terminate_backend"}


class PostgreSQLPlace(SqlServerPlace):
    """A real PostgreSQL behind a door; it has no stand-in."""

    part = "PostgreSQL"
    real = "PostgreSQL"
    reads = r"(CONNECT|SET|SELECT|SHOW) (?!pg_terminate)"
    poor = ("without rights",)
    hands: Hands

    def __init__(self, settings: Settings, door: PostgreSQLDoor, own: Settings) -> None:
        super().__init__(settings, door, own)
        self.hands = Hands(own)
        self._session: psycopg.Connection[Any] | None = None

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "PostgreSQLPlace":
        door = PostgreSQLDoor(real.address.host, real.address.port)
        stack.enter_context(running(door))
        own = Settings(
            flavour=POSTGRESQL,
            host=real.address.host,
            port=real.address.port,
            admin_username=real.address.admin_username,
            admin_password=real.address.admin_password,
        )
        return cls(replace(own, host=door.host, port=door.sql_port), door, own)

    def connect_poor(self, name: str) -> SqlServer:
        password = self.vault.stand("canary-of-poor")
        self.hands.make_account("poor", password)
        return self.connect(admin_username="poor", admin_password=Secret(password))

    def came_back(self) -> None:
        self._session = None

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        own = self.hands.settings
        assert own.admin_password
        if self._session is None:
            self._session = self.hands.sign_in(own.admin_username, own.admin_password.reveal())
        rows: list[tuple[Any, ...]] = []
        for statement in statements:
            rows = self.hands.ask(self._session, statement)
        return rows

    def set_up(self, kind: str, target: dict[str, str], want: dict[str, Any]) -> None:
        """By our own connector, as an earlier plan did it: a database of ours is more than one
        statement.
        """
        connector = self.connected().connectors[kind]
        connector.apply(connector.plan(target, want))


class PgCase(SqlCase):
    """What the cases say differently here; mixed in before those of MariaDB."""

    place: PostgreSQLPlace

    def make(self, user: str, *, host: str = "", password: str = PASSWORD) -> None:
        if user not in self.place.hands.names():
            self.place.hands.make_account(user, password)

    def seen(self, it: Thing) -> Seen:
        like = f"LIKE '%{it.token}%'"
        accounts = self.place.run(
            "SELECT rolname::text, rolcanlogin, rolpassword FROM pg_authid"
            f" WHERE rolname {like} AND rolname !~ '^ws_'"
        )
        grants = self.place.run(
            "SELECT m.rolname::text, g.rolname::text, a.admin_option FROM pg_auth_members a"
            " JOIN pg_roles m ON m.oid = member JOIN pg_roles g ON g.oid = roleid"
            f" WHERE g.rolname {like} AND m.rolname <> current_user"
        )
        bases = self.place.run(
            "SELECT datname::text, datallowconn, coalesce(datacl::text, '') FROM pg_database"
            f" WHERE datname {like}"
        )
        roles = self.place.run(f"SELECT rolname::text FROM pg_roles WHERE rolname {like}")
        found: Seen = {name: [*rest] for name, *rest in accounts}
        found |= {f"{member} in {role}": option for member, role, option in grants}
        found |= {f"role {name}": True for (name,) in roles if name.startswith("ws_")}
        return {**found, **{f"database {name}": [*rest] for name, *rest in bases}}


def may_do_something(seen: Seen, database: str) -> set[str]:
    """Who is in a database's own list of rights (`who=rights/grantor`); "" is everybody."""
    _open, rights = seen.get(f"database {database}", (False, ""))
    entries = [entry for entry in rights.strip("{}").split(",") if entry]
    return {entry.strip('"\\').partition("=")[0] for entry in entries}


class User(PgCase, sql_server.User):
    """`sql_server.user`."""

    halves = {
        "made": ("without a password", "with another password"),
        "locked": ("with a session", "locked, with a session"),
        "locked out": ("with a session", "locked, with a session"),
        "gone": ("locked", "with a session", "a member", "with things of its own"),
    }
    foreign = {
        "made": ("with power over the server",),
        "locked": ("with power over the server",),
        "gone": ("with power over the server",),
    }

    def prepare(self, it: Thing, wish: str) -> None:
        if wish != "made":
            self.make(self.user(it))
        if wish == "let in":
            self.place.hands.lock_account(self.user(it))

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        user = self.user(it)
        if how == "without a password":
            self.place.run(f"CREATE ROLE {user} LOGIN")
            return
        self.make(user)
        if "with a session" in how:
            self._sessions.append(self.place.hands.sign_in(user, PASSWORD))
        if how.startswith("locked"):
            self.place.hands.lock_account(user)
        if how in {"a member", "with things of its own"}:
            database = self.database(it)
            self.place.set_up(names.DATABASE_KIND, {"database": database}, {"grantees": [user]})
            if how == "with things of its own":
                with self.place.hands.sign_in(user, PASSWORD, database) as session:
                    self.place.hands.ask(session, "CREATE TABLE mine (a INT)")

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self.make(self.user(it))
        self.place.hands.make_powerful(self.user(it))

    def done(self, it: Thing, wish: str) -> bool:
        there = self.user(it) in self.seen(it)
        if wish == "gone" or (wish == "locked out" and not there):
            return not there and not self._open(it)
        if not there or (wish.startswith("locked") and self._open(it)):
            return False
        password = it.ids.get("password", PASSWORD)
        answer = self.place.hands.let_in(self.user(it), password)
        return bool(answer is (Answer.LOCKED if wish.startswith("locked") else Answer.DONE))

    def _open(self, it: Thing) -> int:
        name = self.user(it)
        [(count,)] = self.place.run(
            f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{name}'"
        )
        return int(count)

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name = self.user(it)
        found = [f"ab{it.token}", f"{name}2", f"x{name}", f"A_{it.token}", f"{name}%"]
        for user in found:
            self.make(user)
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        lock: Selector = {"statement": " NOLOGIN"}
        return {
            "made": [{"statement": "^CREATE ROLE"}, {"statement": "^ALTER ROLE"}],
            "locked": [lock, ENDS],
            "locked out": [lock, ENDS],
            "let in": [{"statement": "^ALTER ROLE .* LOGIN"}],
            "gone": [lock, ENDS, {"statement": "^DROP ROLE"}],
        }[wish]


class Database(PgCase, sql_server_databases.Database):
    """`sql_server.database`."""

    halves = {
        "set up": (
            "without grants",
            "roles without a database",
            "somebody too many",
            "open to everybody",
        ),
        "gone": ("without grants", "roles without a database", "open to everybody"),
    }

    def prepare(self, it: Thing, wish: str) -> None:
        for user in self._people(it):
            self.make(user)
        if wish == "gone":
            self._set_up(it, self._people(it))

    def _set_up(self, it: Thing, users: list[str]) -> None:
        target = {"database": self.database(it)}
        self.place.set_up(names.DATABASE_KIND, target, {"grantees": [*users]})

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "set up")
        name = self.database(it)
        match how:
            case "without grants":
                self.place.hands.make_database(name)
            case "roles without a database":
                self._set_up(it, self._people(it))
                self.place.hands.drop_database(name)
            case "somebody too many":
                self.make(f"c_{it.token}")
                self._set_up(it, [self.user(it), f"c_{it.token}"])
            case "open to everybody":
                self._set_up(it, self._people(it))
                self.place.run(f"GRANT ALL ON DATABASE {quote_name(name)} TO PUBLIC")

    def done(self, it: Thing, wish: str) -> bool:
        name, seen = self.database(it), self.seen(it)
        members = {one.partition(" in ")[0] for one in seen if one.endswith(f" in {name}")}
        if wish == "gone":
            roles = (name, name + names.TO_USE, name + names.TO_READ)
            ours = {f"database {name}", *(f"role {role}" for role in roles)}
            return not members and not ours & seen.keys()
        may_connect, _rights = seen.get(f"database {name}", (False, ""))
        everybody = "" in may_do_something(seen, name)
        return members == {*self._people(it)} and may_connect and not everybody

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name, eve = self.database(it), f"d_{it.token}"
        self.make(eve)
        found = []
        for other in (f"ws_ab{it.token}", f"{name}2", f"ws_x{it.token}"):
            self.place.set_up(names.DATABASE_KIND, {"database": other}, {"grantees": [eve]})
            found += [f"database {other}", f"role {other}", f"{eve} in {other}"]
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        statements = {
            "set up": (
                "^CREATE ROLE",
                "^CREATE DATABASE",
                "ALLOW_CONNECTIONS true",
                "^ALTER DEFAULT PRIVILEGES",
                "^GRANT ALL ON DATABASE",
                '^GRANT "ws_.* TO "a_',
                " SET role",
            ),
            "gone": ('^REVOKE "ws_', "^DROP DATABASE", "^DROP ROLE"),
        }
        return [{"statement": one} for one in statements[wish]]


class Grant(PgCase, sql_server_databases.Grant):
    """`sql_server.grant`."""

    halves = {
        "given": ("without being a member",),
        "read": ("without being a member",),
        "gone": ("without being a member", "no account"),
    }
    foreign = {"given": ("the owner",), "read": ("the owner",)}

    def prepare(self, it: Thing, wish: str) -> None:
        self.make(self.user(it))
        self.make(self._owner(it))
        if self.database(it) not in self.place.hands.databases():
            # Setting it up again would take away what others use it by: it is granted to exactly
            # its owner then.
            target = {"database": self.database(it)}
            self.place.set_up(names.DATABASE_KIND, target, {"grantees": [self._owner(it)]})
        if wish != "given":
            self._use(it, self.user(it))

    def _use(self, it: Thing, user: str) -> None:
        target = names.grant_target(self.database(it), user)
        self.place.set_up(names.GRANT_KIND, dict(target), {"use": "write"})

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "gone" if how == "no account" else "given")
        if how == "no account":
            self.place.hands.drop_account(self.user(it))
        else:
            self.place.run(f"GRANT CONNECT ON DATABASE {self.database(it)} TO {self.user(it)}")

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "given")
        self.place.hands.grant_by_hand(self.database(it), self.user(it))

    def done(self, it: Thing, wish: str) -> bool:
        """Also: the owner's rights are untouched."""
        name, user, seen = self.database(it), self.user(it), self.seen(it)
        if f"database {name}" in seen and f"{self._owner(it)} in {name}" not in seen:
            return False
        if f"{user} in {name}" in seen or user in may_do_something(seen, name):
            return False
        held = {role: f"{user} in {name}{role}" in seen for role in (names.TO_USE, names.TO_READ)}
        return held == {names.TO_USE: wish == "given", names.TO_READ: wish == "read"}

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        name, user = self.database(it), self.user(it)
        self.prepare(it, "given")
        found = []
        for other in (f"ws_ab{it.token}", f"{name}2"):
            self.place.set_up(names.DATABASE_KIND, {"database": other}, {"grantees": [user]})
            found += [f"{user} in {other}"]
        for other in (f"ab{it.token}", f"{user}2"):
            self.make(other)
            self._use(it, other)
            found += [f"{other} in {name}{names.TO_USE}"]
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        statements = {
            "given": [r'^GRANT "ws_.*\+use" TO'],
            "read": ['^REVOKE "ws_', "^GRANT CONNECT ON DATABASE", r'^GRANT "ws_.*\+ro" TO "a_'],
            "gone": ['^REVOKE "ws_'],
        }
        return [{"statement": one} for one in statements[wish]]


CASES = (User, Database, Grant)
