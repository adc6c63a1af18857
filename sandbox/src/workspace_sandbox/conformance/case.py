"""A connector's case for the checks: how its things are named, wished for, made by other
hands, seen, confused and half made.

A `Place` is one system that runs somewhere, a `Case` one of its connectors there. What the checks
believe is what `seen` and `done` read through the system's own interface, never what the connector
says.
"""

import abc
import contextlib
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias, TypeVar

from workspace_manager.contract.connector import CallPolicy, Facts, System, Target
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret, SecretRef
from workspace_manager.contract.system import SystemSpec
from workspace_manager.systems import registry
from workspace_sandbox.fault_injection import Fault
from workspace_sandbox.server import StandIn

Selector: TypeAlias = dict[str, Any]
"""Which calls a fault hits: members of `fault_injection.Fault`. `door`: another stand-in of the
place that it is put into.
"""

Seen: TypeAlias = dict[str, Any]
"""The state found, by name, in any comparable form."""

F = TypeVar("F", bound=Callable[..., object])

CANARY = "canary"
HASTY = CallPolicy(connect_s=0.1, answer_s=0.1)
"""Time limits of a client that gives up at once; for it, a fault that delays for longer is a
timeout.
"""
DELAY_S = 5.0
"""On no machine does an answer arrive while that client still waits."""


@dataclass
class Thing:
    """Something a check makes up. `token` is in each of its names, and in the names of what looks
    like it; `ids` is the case's.
    """

    token: str = field(default_factory=lambda: f"t{secrets.token_hex(4)}")
    ids: dict[str, str] = field(default_factory=dict)


class Vault:
    """References of secrets and their texts. Each text is a canary that must appear nowhere."""

    def __init__(self) -> None:
        self._kept: dict[SecretRef, str] = {}
        self.canaries: list[str] = []
        self.standing: list[str] = []
        """Secrets of the place itself, which must appear in no check."""

    def canary(self, name: str = "") -> str:
        """Return a new secret text."""
        text = (
            f"{CANARY}-{name}-{secrets.token_hex(6)}"
            if name
            else f"{CANARY}-{secrets.token_hex(8)}"
        )
        self.canaries.append(text)
        return text

    def stand(self, text: str) -> str:
        """Declare a text a secret of the place itself, for every check."""
        self.standing.append(text)
        return text

    def keep(self, ref: SecretRef, text: str) -> SecretRef:
        """Let a reference stand for a text."""
        self._kept[ref] = text
        if not any(known in text for known in self.every()):
            self.canaries.append(text)
        return ref

    def every(self) -> list[str]:
        return [*self.standing, *self.canaries]

    def forget(self) -> None:
        """Forget the secrets of a check after it."""
        self.canaries.clear()
        self._kept.clear()

    def text(self, ref: SecretRef) -> str:
        return self._kept[ref]

    def resolve(self, ref: SecretRef) -> Secret:
        """Return the secret of a reference, like the resolver that the wiring lends to a system."""
        if ref not in self._kept:
            raise NotFound(
                quote_words("it is not kept any more"),
                kind="vault",
                doing=quote_words("reading a secret"),
                advice=quote_words("Nothing: it was erased."),
            )
        return Secret(self._kept[ref], name=ref)


class Place(abc.ABC):
    """One running system. `part`: its name in the counts at the end."""

    system: ClassVar[str]
    part: ClassVar[str] = "stand-in"
    real: ClassVar[str] = ""
    """The name of the required real part, as in `tests/real_parts.py`."""
    besides: ClassVar[tuple[str, ...]] = ()
    """Further real parts behind that one; its checks count for them, too."""
    every_call: ClassVar[Selector] = {"path": ""}
    reads: ClassVar[str] = r"(GET|HEAD) "
    """The pattern ("METHOD path") of calls that only read."""
    breakable: ClassVar[bool] = True
    """Calls go over a wire."""
    speaks_http: ClassVar[bool] = True
    redirect_is_denied: ClassVar[bool] = False
    """The system itself redirects callers without rights to a login page."""
    needs_database: ClassVar[bool] = False
    has_password: ClassVar[bool] = True
    poor: ClassVar[tuple[str, ...]] = ()
    """Names of accounts that see less than everything; `connect_poor` connects with one."""

    def __init__(self) -> None:
        self.vault = Vault()
        self.door: StandIn | None = None
        self._kept: dict[object, System] = {}

    @classmethod
    @abc.abstractmethod
    def open(cls, stack: contextlib.ExitStack, real: Any) -> "Place":
        """Start the system. `real`: the running real part, if it needs one."""

    @abc.abstractmethod
    def connect(self, *, calls: CallPolicy | None = None, **changes: Any) -> System:
        """Return the connected system; settings by keyword."""

    @abc.abstractmethod
    def moved(self) -> System:
        """Return the system connected to an address where nothing answers."""

    def wrong_password(self) -> System:
        """Return the system connected with a wrong credential."""
        raise NotImplementedError

    def connect_poor(self, name: str) -> System:
        """Return the system connected as one of `poor`."""
        raise NotImplementedError

    def spec(self) -> SystemSpec[Any]:
        """Return the system's declaration, or its `SYSTEM` if it is not installed."""
        return registry().specs[self.system]

    def settle(self) -> None:  # noqa: B027
        """After each check: forget what would make the next one fail, like counters of failed
        sign-ins.
        """

    def came_back(self) -> None:  # noqa: B027
        """Its real part was started again where it was: forget connections that were kept open."""

    def connected(self, calls: CallPolicy | None = None) -> System:
        """Return a connected system, which is reused."""
        return self._keep(calls, lambda: self.connect(calls=calls))

    def _keep(self, name: object, connect: Callable[[], System]) -> System:
        if name not in self._kept:
            self._kept[name] = connect()
        return self._kept[name]

    def moved_away(self) -> System:
        """Return the result of `moved`, which is reused."""
        return self._keep("moved", self.moved)

    def connected_poor(self, name: str) -> System:
        """Return the result of `connect_poor`, which is reused."""
        return self._keep(name, lambda: self.connect_poor(name))

    @contextlib.contextmanager
    def fault(self, fault: str, where: Selector, **more: Any) -> Iterator[Callable[[], int]]:
        """Break calls until the end of the block; yield a function that returns how many were
        hit.
        """
        where = dict(where)
        door = where.pop("door", None) or self.door
        assert isinstance(door, StandIn)
        door.faults.add({"fault": fault, "times": 50, **where, **more})
        added: Fault = door.faults.waiting[-1]
        times = added.times
        try:
            yield lambda: times - added.times
        finally:
            door.faults.waiting.clear()

    def calls(self, start: int = 0) -> list[dict[str, Any]]:
        """Return the calls since `start`."""
        return self.door.ledger.items[start:] if self.door else []

    def only_looked(self, start: int) -> bool:
        """Return whether no call since `start` could change anything."""
        reads = re.compile(self.reads)
        found = [(f"{one['method']} {one['path']}", one["effect"]) for one in self.calls(start)]
        return all(reads.match(call) and not effect for call, effect in found)


class Case(abc.ABC):
    """One connector at one place."""

    kind: ClassVar[str]
    wishes: ClassVar[tuple[str, ...]]
    taking: ClassVar[tuple[str, ...]]
    """Those of the wishes that give nothing: what never was is as wished then."""
    halves: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By wish: names of half-made states that `leave_half_made` makes."""
    foreign: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By wish: names of states in which exactly this thing is there and is not ours;
    `leave_foreign` makes them.
    """
    blind: ClassVar[bool] = False
    """The system does not show the state of things: `before` is unknown, and a repetition is sent
    again.
    """
    speaks_for_itself: ClassVar[bool] = False
    """The thing is the credential of the call, so the rights of our own account do not matter."""
    listed: ClassVar[bool] = False
    """The system's inventory lists things of this kind while they are there."""
    never_satisfied: ClassVar[tuple[str, ...]] = ()
    """Wishes for what stays there, emptied: a look never shows it absent, so it is acted
    on again.
    """

    def __init__(self, place: Any) -> None:
        self.place = place

    # --- what is asked of the connector -----------------------------------------------------------

    @abc.abstractmethod
    def target(self, it: Thing, wish: str) -> Target: ...

    @abc.abstractmethod
    def want(self, it: Thing, wish: str) -> Facts | None: ...

    def secrets(self, it: Thing, wish: str) -> dict[str, SecretRef]:
        return {}

    # --- by other hands, through the system's own interface ---------------------------------------

    @abc.abstractmethod
    def prepare(self, it: Thing, wish: str) -> None:
        """Bring about a state in which the wish is still open."""

    @abc.abstractmethod
    def seen(self, it: Thing) -> Seen:
        """Return everything with this thing's token in its name."""

    @abc.abstractmethod
    def done(self, it: Thing, wish: str) -> bool:
        """Return whether the wanted state is reached exactly once and nothing else was damaged."""

    @abc.abstractmethod
    def look_alikes(self, it: Thing, wish: str) -> Collection[str]:
        """Make other people's things with names like this one's, before it is made itself; gives
        their names in `seen`.
        """

    def leave_half_made(self, it: Thing, wish: str, how: str) -> None:
        """Make one of `halves`: what a try that was cut off, or somebody's hand, leaves behind."""
        raise NotImplementedError

    def leave_foreign(self, it: Thing, wish: str, how: str) -> None:
        """Make one of `foreign`."""
        raise NotImplementedError

    # --- what can break ---------------------------------------------------------------------------

    @abc.abstractmethod
    def writes(self, it: Thing, wish: str) -> list[Selector]:
        """The calls that change something when the wish is fulfilled from the prepared state, each
        by itself.
        """


def needs(*names: str) -> Callable[[F], F]:
    """Declare which trials a check is for (`conftest.NEEDS`)."""

    def mark(check: F) -> F:
        check.__dict__["needs"] = names
        return check

    return mark


def meets(*faults: tuple[str, int]) -> Callable[[F], F]:
    """Declare the faults and statuses that a check is tried with in every trial."""

    def mark(check: F) -> F:
        check.__dict__["faults"] = faults
        return check

    return mark


def once_on_a_real_part(check: F) -> F:
    """Declare that a real part answers every wish of a kind alike, so that it meets only the
    first.
    """
    check.__dict__["once"] = True
    return check
