"""Every system in memory, as a kill sees them: each call is a point, and each write is several
calls with a half-made thing between.

The engine cannot tell it from real systems. What is there, and every write that had an effect,
outlives a kill.
"""

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tests.fake_world.world import KINDS
from workspace_manager.contract import deadline
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Finding,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.snapshots.store_system import SnapshotsSystem
from workspace_manager.systems import gives, registry
from workspace_manager.wiring import resolve
from workspace_manager.work.local_records import RecordsSystem

Point = Callable[[str], None]
Thing = dict[str, Any]
REALM = "identity_provider.realm"
BY_NAME = {
    "container_manager.stack",
    "container_manager.stack_volumes",
    "identity_provider.client",
    "identity_provider.group",
}
"""They bear the mark of their component beside a name of their own: several may bear the same."""
HIDDEN = {"mark", "username", "project_id", "secrets", "half"}
"""What is kept of a thing and not shown as a fact: a look cannot compare it."""


class FakeSystems:
    """All systems. `point` is called before and after each call and each effect; `things` and
    `writes` are what a kill leaves.
    """

    def __init__(self, point: Point) -> None:
        self.point = point
        self.things: dict[str, Thing] = {}
        self.writes: list[str] = []
        """Every write that had an effect, in order."""
        self.given = 0
        """How many ids were given out."""
        self.kept: dict[str, bytes] = {}
        """Objects in the store of snapshots, by name."""
        self.databases: dict[str, dict[str, list[str]]] = {}
        """What is in databases, by address."""

    def keep(self) -> Any:
        state = (self.things, self.writes, self.given, self.kept, self.databases)
        return copy.deepcopy(state)

    def put_back(self, kept: Any) -> None:
        self.things, self.writes, self.given, objects, databases = copy.deepcopy(kept)
        for mine, was in ((self.kept, objects), (self.databases, databases)):
            mine.clear()
            mine.update(was)

    def essence(self) -> list[str]:
        """What is there and what was written, in words and without order."""
        held = [f"{key}: {thing}" for key, thing in self.things.items()]
        held += [f"database with {tables}" for tables in self.databases.values()]
        held += [f"object {name.count('/')} of {len(self.kept[name])}" for name in self.kept]
        return sorted([*held, *self.writes])

    def systems(self) -> ConnectedSystems:
        names = dict.fromkeys(kind.partition(".")[0] for kind in KINDS)
        ready: dict[str, Any] = {
            name: _Pointed(FakeSystem(self, name), self.point) for name in names
        }
        settings = {name: spec.settings() for name, spec in registry().specs.items()}
        systems = ConnectedSystems(by_name=ready, settings=settings)
        ready["records"] = RecordsSystem(systems)
        ready["snapshots"] = _Pointed(PointedSnapshots(systems, self.point), self.point)
        return systems

    def effect(self, text: str, act: Callable[[], object]) -> None:
        """One call that changes something: it has reached the system or it has not. Asks before
        whether it may, as every client does.
        """
        self.point("effect")
        deadline.seconds_left(1, kind=text, doing=quote_words("acting"))
        act()
        self.writes.append(text)
        self.point("effect")


class _Pointed:
    """Whatever is asked of this is a point, whether the engine asks it today or a new step asks it
    tomorrow.
    """

    def __init__(self, inner: Any, point: Point) -> None:
        self._inner, self._point = inner, point

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if not callable(value) or name == "try_again":
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            self._point("call")
            answer = value(*args, **kwargs)
            self._point("call")
            return answer

        return call


class PointedSnapshots(SnapshotsSystem):
    """The store as it is: each of its verbs is a point."""

    def __init__(self, systems: ConnectedSystems, point: Point) -> None:
        super().__init__(systems)
        self.connectors = {kind: _Pointed(one, point) for kind, one in self.connectors.items()}


class FakeSystem:
    """One system; its rights can always be proven."""

    def __init__(self, fakes: FakeSystems, name: str) -> None:
        self.name = name
        self._fakes = fakes
        self.connectors: Mapping[str, Any] = {
            kind: _Pointed(FakeConnector(fakes, kind), fakes.point)
            for kind in (*KINDS, REALM)
            if kind.partition(".")[0] == name
        }

    def try_again(self) -> None:
        return None

    def check(self) -> Sequence[Finding]:
        return []

    def prove_credential(self) -> None:
        return None

    def prove_rights(self) -> Evidence:
        return _evidence(self.name, f"{self.name}: our rights were shown")

    def left_of(self, username: str) -> tuple[str, ...]:
        return ()

    def token_lifespan(self) -> int:
        return 60

    def enabled(self, sub: str) -> bool:
        things = self._fakes.things.items()
        return all(
            thing.get("enabled", True)
            for key, thing in things
            if key.startswith("identity_provider.user") and thing.get("sub") == sub
        )

    def read_attribute(self, sub: str, name: str) -> Secret:
        return Secret(f"{sub}/{name}")


class FakeConnector:
    """One kind of thing: finds by mark what a killed create left, compares secrets, finishes what
    is half made.
    """

    calls = CallPolicy(answer_s=5)

    def __init__(self, fakes: FakeSystems, kind: str) -> None:
        self.fakes = fakes
        self.kind = kind
        self.system = kind.partition(".")[0]

    def plan(self, target: Target, want: Facts | None) -> Change:
        key = self._find(target)
        thing = self.fakes.things.get(key)
        before: Facts | None = None
        if thing is not None:
            before = {name: value for name, value in thing.items() if name not in HIDDEN}
        elif self.kind == "identity_provider.attributes" and want:
            before = dict.fromkeys(want)
        elif want and not any(want.values()):
            before = dict(want)  # nothing there to stop or fence
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        key = self._find(change.target)
        thing = self.fakes.things.get(key)
        mark = self._mark(change.target)
        if thing is not None and mark and thing.get("mark") != mark:
            raise Conflict(
                quote_words("it is somebody else's"), kind=self.kind, doing=quote_words("making it")
            )
        made = thing is None and (gives(change) or self.kind == "identity_provider.attributes")
        if made:
            key = self._make(change)
        changed = self._alter(key, change)
        facts = {}
        if mark:
            name = "sub" if self.kind == "identity_provider.user" else "project_id"
            facts = {name: str(self.fakes.things[key][name])}
        result = Result.CHANGED if made or changed else Result.ALREADY
        return Outcome(result=result, facts=facts)

    def remove(self, change: Change) -> Outcome:
        key = self._find(change.target)
        things = self.fakes.things
        if key not in things:
            return ALREADY
        if not things[key].get("half"):
            self.fakes.effect(f"lock {key}", lambda: things[key].update(half=True))
        self.fakes.effect(f"remove {key}", lambda: self._drop(key))
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        have = self.plan(change.target, change.after).before
        if change.after is None:
            is_so = have is None
        else:
            is_so = isinstance(have, dict) and all(
                have.get(name) == value for name, value in change.after.items()
            )
        return _evidence(self.system, f"{change.kind} is as it shall be") if is_so else None

    def _mark(self, target: Target) -> str:
        return "" if self.kind in BY_NAME else target.get("mark", "")

    def _find(self, target: Target) -> str:
        """Where the thing is, or would be."""
        if self.kind in BY_NAME:
            return f"{self.kind}:{next(name for part, name in target.items() if part != 'mark')}"
        things = self.fakes.things
        names = {target[name] for name in ("mark", "username", "project_id") if target.get(name)}
        if self.system in {"identity_provider", "ontology_editor"} and "sub" not in target:
            for key, thing in things.items():
                if key.startswith(f"{self.kind}:") and names & {*map(str, thing.values())}:
                    return key
        name = target.get("sub") if self.system == "identity_provider" else None
        name = (
            name or target.get("login_name") or target.get("account_id") or target.get("container")
        )
        return f"{self.kind}:{name or ' '.join(target[part] for part in sorted(target))}"

    def _make(self, change: Change) -> str:
        key = self._find(change.target)
        self.fakes.effect(f"make {key}", lambda: self._add(key, change))
        return self._find(change.target)

    def _add(self, key: str, change: Change) -> None:
        """What carries our mark is given an id of its own."""
        thing: Thing = {}
        if self._mark(change.target):
            self.fakes.given += 1
            given = f"given-{self.fakes.given}"
            name = "sub" if self.kind == "identity_provider.user" else "project_id"
            thing = {"mark": change.target["mark"], name: given}
            thing |= {k: v for k, v in change.target.items() if k == "username"}
            key = f"{self.kind}:{given}"
        self.fakes.things[key] = thing

    def _alter(self, key: str, change: Change) -> bool:
        thing = self.fakes.things.get(key, dict(change.after or {}))
        kept = thing.setdefault("secrets", {})
        wanted = {k: v for k, v in (change.after or {}).items() if thing.get(k) != v}
        # What opened it before is tried, and not set.
        sent = {name: ref for name, ref in change.secrets.items() if name != "old_password"}
        hidden = {name: resolve(ref).reveal() for name, ref in sent.items()}
        hidden = {name: value for name, value in hidden.items() if kept.get(name) != value}
        for name, value in sorted(wanted.items()):
            self.fakes.effect(f"set {name}={value} of {key}", partial(thing.update, {name: value}))
        for name, value in sorted(hidden.items()):
            self.fakes.effect(
                f"set the secret {name} of {key}", partial(kept.update, {name: value})
            )
        return bool(wanted or hidden)

    def _drop(self, key: str) -> None:
        del self.fakes.things[key]
        if self.kind == "identity_provider.user":  # all attributes go with the user
            self.fakes.things.pop(key.replace(".user:", ".attributes:"), None)


def _evidence(system: str, text: str) -> Evidence:
    return Evidence(system=system, method="look", at="2026-01-01T00:00:00Z", text=text)
