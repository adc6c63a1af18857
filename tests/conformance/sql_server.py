"""Places of the SQL server, its stand-in and MariaDB, and the case of accounts."""

import contextlib
from collections.abc import Collection
from dataclasses import replace
from typing import Any, ClassVar

import pymysql

from tests.conformance.doors import SqlDoor
from tests.systems.sql_server import database_server as others
from workspace_manager.contract.connector import CallPolicy, Facts, Target
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import CALLS
from workspace_manager.systems.sql_server.connector import SqlServer, connect
from workspace_manager.systems.sql_server.settings import Settings
from workspace_sandbox.conformance.case import Case, Place, Seen, Selector, Thing
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.sql_server import SqlServerStandIn

PRIVILEGES = [
    f"{name}_priv" for name in ("Select", "Insert", "Update", "Delete", "Execute", "Create", "Drop")
]
OWN, USE, READ = ["%", "YYYYYYY"], ["%", "YYYYYNN"], ["%", "YNNNNNN"]
"""What an owner's grant is as `seen` shows it, and those of somebody who uses the database, and who
only reads it.
"""
AWKWARD = "'7\\d\"%s`x"
"""What a password ends in, so that no quoting is forgotten."""


class SqlServerPlace(Place):
    """A server with an administrator, and accounts that may see less."""

    system = "sql_server"
    reads = r"(CONNECT|SET|SELECT|SHOW) "
    speaks_http = False
    poor: ClassVar[tuple[str, ...]] = ("without rights", "sees accounts alone")

    def __init__(self, settings: Settings, door: StandIn, own: Settings) -> None:
        """`own`: the way past the door."""
        super().__init__()
        self.door = door
        self.settings = settings
        self.hands = others.DatabaseServer(own)
        assert settings.admin_password
        self.vault.standing.append(settings.admin_password.reveal())
        self._admin: pymysql.Connection[Any] | None = None

    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> SqlServer:
        settings = replace(self.settings, **changes)
        return connect(settings, self.vault.resolve, calls=calls or CALLS)

    def moved(self) -> SqlServer:
        return self.connect(port=9)

    def wrong_password(self) -> SqlServer:
        return self.connect(admin_password=Secret(self.vault.canary("wrong")))

    def connect_poor(self, name: str) -> SqlServer:
        user = f"poor_{self.poor.index(name)}"
        password = self.vault.stand(f"canary-of-{user}")
        self.run(f"CREATE USER {user} IDENTIFIED BY '{password}'")
        if name == "sees accounts alone":
            self.run(f"GRANT SELECT ON mysql.* TO {user}")
        return self.connect(admin_username=user, admin_password=Secret(password))

    def came_back(self) -> None:
        self._admin = None

    def run(self, *statements: str) -> list[tuple[Any, ...]]:
        """As the administrator, past the door, over one connection that is kept."""
        own = self.hands.settings
        assert own.admin_password
        if self._admin is None:
            self._admin = self.hands.sign_in(own.admin_username, own.admin_password.reveal())
        rows: list[tuple[Any, ...]] = []
        for statement in statements:
            rows = others.ask(self._admin, statement)
        return rows


class StandInPlace(SqlServerPlace):
    """Its stand-in."""

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "StandInPlace":
        stand_in = SqlServerStandIn(admin_password="canary-of-the-administrator")
        stack.enter_context(running(stand_in))
        settings = Settings(
            host=stand_in.host,
            port=stand_in.sql_port,
            admin_username=stand_in.admin_username,
            admin_password=Secret(stand_in.admin_password),
        )
        return cls(settings, stand_in, settings)


class MariaDBPlace(SqlServerPlace):
    """A real MariaDB behind a door."""

    part = "MariaDB"
    real = "MariaDB"

    @classmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "MariaDBPlace":
        door = SqlDoor(real.address.host, real.address.port)
        stack.enter_context(running(door))
        own = Settings(
            host=real.address.host,
            port=real.address.port,
            admin_username=real.address.admin_username,
            admin_password=real.address.admin_password,
        )
        return cls(replace(own, host=door.host, port=door.sql_port), door, own)


class SqlCase(Case):
    """What accounts and databases share."""

    place: SqlServerPlace

    def user(self, it: Thing) -> str:
        return f"a_{it.token}"

    def make(self, user: str, *, host: str = "%", password: str = "of somebody") -> None:
        self.place.run(
            f"CREATE USER IF NOT EXISTS {others.literal(user)}@'{host}'"
            f" IDENTIFIED BY {others.literal(password)}"
        )

    def database(self, it: Thing) -> str:
        return f"ws_a_{it.token}"

    def escaped(self, it: Thing) -> str:
        """The name as a grant has to spell it."""
        return self.database(it).replace("_", r"\_")

    def grant(self, pattern: str, user: str, rights: str = "ALL PRIVILEGES") -> None:
        self.place.run(f"GRANT {rights} ON `{pattern}`.* TO {others.literal(user)}@'%'")

    def seen(self, it: Thing) -> Seen:
        like = f"'%{it.token}%'"
        accounts = self.place.run(
            "SELECT User, Host, JSON_VALUE(Priv, '$.account_locked'),"
            " JSON_VALUE(Priv, '$.authentication_string')"
            f" FROM mysql.global_priv WHERE User LIKE {like}"
        )
        grants = self.place.run(
            f"SELECT User, Host, Db, {', '.join(PRIVILEGES)} FROM mysql.db WHERE Db LIKE {like}"
        )
        bases = self.place.run(
            f"SELECT SCHEMA_NAME FROM information_schema.SCHEMATA WHERE SCHEMA_NAME LIKE {like}"
        )
        found: Seen = {f"{user}@{host}": [*rest] for user, host, *rest in accounts}
        found |= {f"{user} on {db}": [host, "".join(have)] for user, host, db, *have in grants}
        return {**found, **{str(name): "a database" for (name,) in bases}}


class User(SqlCase):
    """`sql_server.user`."""

    kind = "sql_server.user"
    listed = True
    wishes = ("made", "locked", "locked out", "let in", "gone")
    taking = ("locked out", "gone")
    halves = {
        "made": ("without a password", "with another password"),
        "locked": ("with a session", "locked, with a session"),
        "locked out": ("with a session", "locked, with a session"),
        "gone": ("locked", "on two hosts", "with a session", "with a grant"),
    }
    foreign = {
        "made": ("on another host", "with power over the server"),
        "locked": ("with power over the server",),
        "gone": ("with power over the server",),
    }

    def __init__(self, place: SqlServerPlace) -> None:
        super().__init__(place)
        self._sessions: list[pymysql.Connection[Any]] = []

    def target(self, it: Thing, wish: str) -> Target:
        return names.user_target(self.user(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        locked = {"locked": True, "let in": False}
        if wish == "locked out":
            return {"locked": True}
        if wish in locked:
            return {"exists": True, "locked": locked[wish]}
        return {"exists": True} if wish == "made" else None

    def secrets(self, it: Thing, wish: str) -> dict[str, str]:
        if wish != "made":
            return {}
        it.ids.setdefault("password", self.place.vault.canary("sql") + AWKWARD)
        return {"password": self.place.vault.keep(f"vault/{it.token}", it.ids["password"])}

    def prepare(self, it: Thing, wish: str) -> None:
        if wish == "made":
            return
        self.make(self.user(it))
        if wish == "let in":
            self.place.run(f"ALTER USER {self.user(it)} ACCOUNT LOCK")

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        if how == "without a password":
            self.place.run(f"CREATE USER {self.user(it)}")
            return
        self.make(self.user(it))
        if "with a session" in how:
            self._sessions.append(self.place.hands.sign_in(self.user(it), "of somebody"))
        if how.startswith("locked"):
            self.place.run(f"ALTER USER {self.user(it)} ACCOUNT LOCK")
        if how == "on two hosts":
            self.make(self.user(it), host="localhost")
        if how == "with a grant":
            self.place.run(f"CREATE DATABASE {self.database(it)}")
            self.grant(self.database(it), self.user(it))

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        self.make(self.user(it), host="localhost" if how == "on another host" else "%")
        if how == "with power over the server":
            self.place.run(f"GRANT CREATE USER ON *.* TO {self.user(it)}")

    def done(self, it: Thing, wish: str) -> bool:
        mine = [name for name in self.seen(it) if name.startswith(f"{self.user(it)}@")]
        if wish == "gone" or (wish == "locked out" and not mine):
            return not mine and not self._open(it)
        # Asked before the sign-in below, whose own connection may be listed for a moment after its
        # end.
        if mine != [f"{self.user(it)}@%"] or (wish.startswith("locked") and self._open(it)):
            return False
        password = it.ids.get("password", "of somebody")
        code = others.try_sign_in(self.place.hands, self.user(it), password)
        return code == (4151 if wish.startswith("locked") else 0)

    def _open(self, it: Thing) -> int:
        [(count,)] = self.place.run(
            "SELECT COUNT(*) FROM information_schema.PROCESSLIST"
            f" WHERE USER = '{self.user(it)}' AND COMMAND <> 'Killed'"
        )
        return int(count)

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """`_` and `%` stand for other characters where names are patterns."""
        name = self.user(it)
        found = [
            f"ab{it.token}",
            f"{name}2",
            f"x{name}",
            f"A_{it.token}",
            f"{name}%",
            f"%{it.token}",
        ]
        for user in found:
            self.make(user)
        return [f"{user}@%" for user in found]

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        return {
            "made": [{"statement": "^CREATE USER"}, {"statement": "^ALTER USER"}],
            "locked": [{"statement": "ACCOUNT LOCK"}, {"statement": "^KILL CONNECTION USER"}],
            "locked out": [{"statement": "ACCOUNT LOCK"}, {"statement": "^KILL CONNECTION USER"}],
            "let in": [{"statement": "ACCOUNT UNLOCK"}],
            "gone": [
                {"statement": "ACCOUNT LOCK"},
                {"statement": "^KILL CONNECTION USER"},
                {"statement": "^DROP USER"},
            ],
        }[wish]
