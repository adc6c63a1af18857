"""Cases of databases and of their use, at any SQL server."""

from collections.abc import Collection
from typing import ClassVar

from tests.conformance.sql_server import OWN, READ, USE, SqlCase
from workspace_manager.contract.connector import Facts, Target
from workspace_manager.systems.sql_server import names
from workspace_sandbox.conformance.case import Selector, Thing


class Database(SqlCase):
    """`sql_server.database`."""

    kind = "sql_server.database"
    listed = True
    wishes = ("set up", "gone")
    taking = ("gone",)
    halves = {
        "set up": (
            "without grants",
            "grants without a database",
            "a grant as a pattern",
            "one privilege",
            "somebody too many",
        ),
        "gone": ("without grants", "grants without a database", "a grant as a pattern"),
    }

    def target(self, it: Thing, wish: str) -> Target:
        return names.database_target(self.database(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        return {"grantees": [*self._people(it)]} if wish == "set up" else None

    def _people(self, it: Thing) -> list[str]:
        return [self.user(it), f"b_{it.token}"]

    def prepare(self, it: Thing, wish: str) -> None:
        for user in self._people(it):
            self.make(user)
        if wish == "gone":
            self.place.run(f"CREATE DATABASE {self.database(it)}")
            for user in self._people(it):
                self.grant(self.escaped(it), user)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "set up")
        first = self.user(it)
        if how != "grants without a database":
            self.place.run(f"CREATE DATABASE {self.database(it)}")
        if how in {"grants without a database", "somebody too many"}:
            self.grant(self.escaped(it), first)
        if how == "a grant as a pattern":
            self.grant(self.database(it), first)
        if how == "one privilege":
            self.grant(self.escaped(it), first, "SELECT")
        if how == "somebody too many":
            self.make(f"c_{it.token}")
            self.grant(self.escaped(it), f"c_{it.token}")

    def done(self, it: Thing, wish: str) -> bool:
        seen = self.seen(it)
        spelled = {self.escaped(it), self.database(it)}
        grants = {
            name: value for name, value in seen.items() if name.partition(" on ")[2] in spelled
        }
        if wish == "gone":
            return self.database(it) not in seen and not grants
        wished = {f"{user} on {self.escaped(it)}": OWN for user in self._people(it)}
        return self.database(it) in seen and grants == wished

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """Databases that the name would mean, too, if it were taken for a pattern, and grants on
        them.
        """
        name, found = self.database(it), []
        self.make(f"d_{it.token}")
        for other in (f"wsXa_{it.token}", f"ws_ab{it.token}", f"{name}2", f"ws_x{it.token}"):
            self.place.run(f"CREATE DATABASE `{other}`")
            escaped = other.replace("_", r"\_")
            self.grant(escaped, f"d_{it.token}")
            found += [other, f"d_{it.token} on {escaped}"]
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        if wish == "set up":
            return [{"statement": "^CREATE DATABASE"}, {"statement": "^GRANT"}]
        return [{"statement": "^REVOKE"}, {"statement": "^DROP DATABASE"}]


class Grant(SqlCase):
    """`sql_server.grant`: somebody else's use of a database. `read`: of who could write."""

    kind = "sql_server.grant"
    wishes = ("given", "read", "gone")
    taking = ("gone",)
    halves = {
        "given": ("a grant as a pattern", "one privilege"),
        "read": ("a grant as a pattern", "one privilege"),
        "gone": ("a grant as a pattern", "one privilege", "no account"),
    }
    USE: ClassVar[str] = (
        "SELECT, INSERT, UPDATE, DELETE, EXECUTE, CREATE TEMPORARY TABLES, LOCK TABLES, SHOW VIEW"
    )

    def target(self, it: Thing, wish: str) -> Target:
        return names.grant_target(self.database(it), self.user(it))

    def want(self, it: Thing, wish: str) -> Facts | None:
        uses: dict[str, Facts] = {"given": {"use": "write"}, "read": {"use": "read"}}
        return uses.get(wish)

    def _owner(self, it: Thing) -> str:
        return f"b_{it.token}"

    def prepare(self, it: Thing, wish: str) -> None:
        self.make(self.user(it))
        self.make(self._owner(it))
        self.place.run(f"CREATE DATABASE {self.database(it)}")
        self.grant(self.escaped(it), self._owner(it))
        if wish != "given":
            self.grant(self.escaped(it), self.user(it), self.USE)

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        self.prepare(it, "given")
        if how == "a grant as a pattern":
            self.grant(self.database(it), self.user(it), self.USE)
        else:
            self.grant(self.escaped(it), self.user(it), "SELECT")
        if how == "no account":
            self.place.run(f"DROP USER {self.user(it)}")

    def done(self, it: Thing, wish: str) -> bool:
        """Also: the owner's rights are untouched."""
        seen, user = self.seen(it), self.user(it)
        if seen.get(f"{self._owner(it)} on {self.escaped(it)}", OWN) != OWN:
            return False
        spelled = {f"{user} on {self.escaped(it)}", f"{user} on {self.database(it)}"}
        mine = {name: value for name, value in seen.items() if name in spelled}
        held = {"given": USE, "read": READ}.get(wish)
        return mine == ({f"{user} on {self.escaped(it)}": held} if held else {})

    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """The same person in databases that the name would mean as a pattern, and namesakes in this
        one.
        """
        found = []
        user = self.user(it)
        self.make(user)
        for other in (f"wsXa_{it.token}", f"ws_ab{it.token}", f"{self.database(it)}2"):
            self.place.run(f"CREATE DATABASE `{other}`")
            escaped = other.replace("_", r"\_")
            self.grant(escaped, user, self.USE)
            found += [f"{user} on {escaped}"]
        for other in (f"ab{it.token}", f"{user}2"):
            self.make(other)
            self.grant(self.escaped(it), other, self.USE)
            found += [f"{other} on {self.escaped(it)}"]
        return found

    def writes(self, it: Thing, wish: str) -> list[Selector]:
        statements = {"given": ["^GRANT"], "read": ["^REVOKE", "^GRANT"], "gone": ["^REVOKE"]}
        return [{"statement": one} for one in statements[wish]]
