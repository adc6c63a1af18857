"""A world in memory for the engine's tests: every kind of thing, one counter of writes, faults and
kills on demand.

The engine cannot tell it from the real systems: it speaks the contract. What the systems themselves
do is tested with their stand-ins.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Finding,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import ConnectorError, NotFound
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.account_link import account_name
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.snapshots.store_system import SnapshotsSystem
from workspace_manager.systems import registry
from workspace_manager.work.local_records import RecordsSystem

KINDS = (
    "identity_provider.user",
    "identity_provider.attributes",
    "identity_provider.credentials",
    "drive.account",
    "drive.app_password",
    "sql_server.user",
    "sql_server.database",
    "triplestore.user",
    "triplestore.repository",
    "triplestore.public",
    "ontology_editor.project",
    "ontology_editor.membership",
    "sql_server.grant",
    "notebook_hub.container",
    "container_manager.stack",
    "container_manager.stack_volumes",
    "identity_provider.group",
    "identity_provider.client",
)


SNAPSHOT_KINDS = ("snapshots.content", "snapshots.restored", "snapshots.in_place")
"""The store is the real one, in a folder, unless it is broken."""
LOCKED = {"locked": True}
SHUT = (
    {"running": False},
    {"enabled": False},
    {"sessions": 0},
    {"enabled": False, "sessions": 0},
    LOCKED,
)
"""Wishes that what is not there fulfils."""
NO_RIGHT = {"shut": True}
PLAIN = "ROLE_USER"


class Killed(BaseException):
    """Not an Exception: nothing may catch it on the way."""


PARTS = {
    "ontology_editor.membership": ("project_id", "user"),
    "ontology_editor.project": ("mark",),
    "sql_server.grant": ("database", "user"),
}
"""What names a thing here, where that is more or something else than what records know it by."""


def _key(kind: str, target: Target) -> str:
    if kind in PARTS:
        return f"{kind}:{' '.join(target[part] for part in PARTS[kind])}"
    return f"{kind}:{account_name(kind, target)}"


@dataclass
class World:
    """All systems: `things` by kind and name, `writes` in order, `broken` errors by system,
    `kill_at` the n-th tick.
    """

    things: dict[str, dict[str, Any]] = field(default_factory=dict)
    writes: list[str] = field(default_factory=list)
    broken: dict[str, Callable[[str], ConnectorError]] = field(default_factory=dict)
    unproven: set[str] = field(default_factory=set)
    knows_us: set[str] = field(default_factory=set)
    """Systems that are broken and do not refuse our credential itself."""
    kill_at: int = -1
    ticks: int = 0

    def tick(self) -> None:
        self.ticks += 1
        if self.ticks == self.kill_at:
            raise Killed

    def call(self, system: str, verb: str) -> None:
        """Every call to a system passes here: a place to interleave, delay or count."""

    def connector(self, kind: str) -> "FakeConnector":
        return FakeConnector(self, kind)

    def systems(self) -> ConnectedSystems:
        ready: dict[str, Any] = {}
        systems = ConnectedSystems(
            by_name=ready,
            settings={name: spec.settings() for name, spec in registry().specs.items()},
        )
        ready["records"] = RecordsSystem(systems)
        fails = "snapshots" in self.broken
        ready["snapshots"] = FakeSystem(self, "snapshots") if fails else SnapshotsSystem(systems)
        for kind in KINDS:
            name = kind.partition(".")[0]
            ready.setdefault(name, FakeSystem(self, name))
        return systems


class FakeSystem:
    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.connectors: Mapping[str, Any] = {
            kind: world.connector(kind)
            for kind in (*KINDS, *SNAPSHOT_KINDS)
            if kind.partition(".")[0] == name
        }

    def left_of(self, username: str) -> tuple[str, ...]:
        """What bears a name: containers, as the notebook hub says."""
        self.world.call(self.name, "left_of")
        if self.name in self.world.broken and self.name not in self.world.unproven:
            raise self.world.broken[self.name]("left_of")
        names = {f"notebook_hub.container:jupyter-{username}", f"volume:{username}"}
        return tuple(sorted(names & set(self.world.things))) if self.name == "notebook_hub" else ()

    def try_again(self) -> None:
        return None

    def check(self) -> Sequence[Finding]:
        return []

    def prove_credential(self) -> None:
        self.world.call(self.name, "prove_credential")
        if self.name in self.world.broken and self.name not in self.world.knows_us:
            raise self.world.broken[self.name]("prove_credential")

    def enabled(self, sub: str) -> bool:
        """Whoever the world does not know as a user may sign in: most tests are about other
        systems.
        """
        self.world.call(self.name, "enabled")
        if self.name in self.world.broken:
            raise self.world.broken[self.name]("identity_provider.user")
        user = self.world.things.get(f"identity_provider.user:{sub}", {})
        if user.get("gone"):
            raise NotFound(quote_words("no such user"), kind=self.name, doing=quote_words("asking"))
        return bool(user.get("enabled", True))

    def prove_rights(self) -> Evidence:
        self.world.call(self.name, "prove_rights")
        if self.name in self.world.unproven:
            raise self.world.broken[self.name]("prove_rights")
        return _evidence(self.name, f"{self.name}: our rights were shown")

    def token_lifespan(self) -> int:
        return 60

    def read_attribute(self, sub: str, name: str) -> Secret:
        return Secret(f"{sub}/{name}")


class FakeConnector:
    calls = CallPolicy(answer_s=5)

    def __init__(self, world: World, kind: str) -> None:
        self.world = world
        self.kind = kind
        self.system = kind.partition(".")[0]

    def _fail_if_told_to(self, verb: str) -> None:
        self.world.call(self.system, verb)
        if self.system in self.world.broken and self.system not in self.world.unproven:
            raise self.world.broken[self.system](verb)

    def plan(self, target: Target, want: Facts | None) -> Change:
        self._fail_if_told_to("plan")
        before = self.world.things.get(_key(self.kind, target))
        if before is not None and want and "shut" in want:
            before = _rights(before, want)
        if self.kind == "identity_provider.attributes" and before is None and want:
            before = dict.fromkeys(want)
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        self._fail_if_told_to("apply")
        key = _key(change.kind, change.target)
        have = self.world.things.get(key)
        wanted = dict(change.after or {})
        if have is None and _shuts(wanted):
            return ALREADY
        if have is not None and "shut" in wanted:
            have = {**have, **{k: v for k, v in _rights(have, wanted).items() if k in wanted}}
        if have is not None and all(have.get(k) == v for k, v in wanted.items()):
            return ALREADY
        self.world.tick()
        if "shut" in wanted:
            back: Any = wanted.get("given_back") or []
            held = [PLAIN] if wanted["shut"] else [*(have or {}).get("authorities", []), *back]
            self.world.things[key] = {**(have or {}), "authorities": list(dict.fromkeys(held))}
        else:
            self.world.things[key] = {**(have or {}), **wanted}
        self.world.writes.append(f"apply {key} {sorted(wanted.items())}")
        self.world.tick()
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        self._fail_if_told_to("remove")
        key = _key(change.kind, change.target)
        if key not in self.world.things:
            return ALREADY
        self.world.tick()
        del self.world.things[key]
        if self.kind == "identity_provider.user":  # all attributes go with the user
            self.world.things.pop(f"identity_provider.attributes:{change.target['sub']}", None)
        self.world.writes.append(f"remove {key}")
        self.world.tick()
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        self._fail_if_told_to("verify")
        have = self.plan(change.target, change.after).before
        if change.after is None:
            there = have is not None
        elif have is None and _shuts(change.after):
            there = False
        else:
            there = not (
                isinstance(have, dict) and all(have.get(k) == v for k, v in change.after.items())
            )
        return None if there else _evidence(self.system, f"{change.kind} is as it shall be")


def _shuts(want: Facts) -> bool:
    """A wish that is fulfilled where there is nothing to stop or to fence."""
    return want in SHUT or want == NO_RIGHT


def _rights(have: dict[str, Any], want: Facts) -> dict[str, Any]:
    """A triplestore user as a look for its shutting shows it."""
    held = [right for right in have.get("authorities", []) if right != PLAIN]
    back = want.get("given_back")
    listed = [right for right in (back if isinstance(back, list) else []) if right in held]
    shut = not held if want["shut"] else listed != back
    return {**have, "shut": shut, "given_back": listed}


def _evidence(system: str, text: str) -> Evidence:
    return Evidence(system=system, method="look", at="2026-01-01T00:00:00Z", text=text)
