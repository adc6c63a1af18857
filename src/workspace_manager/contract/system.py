"""What a connected system says of itself, in one value: `SYSTEM = SystemSpec(…)` in its folder's
`__init__`.

Whatever lists systems asks these values (settings, pages, checks, plans, the command line), so that
a new one is known everywhere once its folder is there or its distribution installed. Making one
imports no client: `connect` is named, and loaded at first use.
"""

import pkgutil
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar

from workspace_manager.contract.connector import Change, Facts, System, Target
from workspace_manager.contract.inventory import Inventory
from workspace_manager.contract.message import Message
from workspace_manager.contract.realm import ClientWants, RealmAttribute
from workspace_manager.contract.settings import SystemSettings

CONTAINERS: Final = "containers"
"""Lent by whoever provides it: a `ContainerEngine`, or None where there is none."""
IDENTITY: Final = "identity"
DRIVE: Final = "drive"
REALM: Final = "realm"
"""Lent by the manager: the `RealmNeeds` of all systems together."""
REFUSALS: Final = "refusals"
"""Lent by the manager: where refused passwords are remembered for all its processes."""

NAME: Final = r"[a-z][a-z0-9_]{1,39}"
TAKEN_NAMES: Final = frozenset(
    {"environment", "manager", "records", "registration", "settings", "vault"}
)
"""The manager uses these for places and rows of its own, where the name of a system would stand."""

S = TypeVar("S", bound=SystemSettings)


@dataclass(frozen=True)
class NoSettings(SystemSettings):
    """Of a system that has none."""


@dataclass(frozen=True)
class Holder:
    """Whose accounts are asked for: every name the person is known by, captured before anything is
    removed.
    """

    username: str
    sub: str = ""
    """The id at the identity provider; "" for somebody who never signed in."""
    former_subs: tuple[str, ...] = ()
    """Ids the person was linked to before: the user there was made again."""
    recorded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Account names that we wrote down, by kind."""
    taken: Mapping[tuple[str, str], Facts] = field(default_factory=dict)
    """What a suspension took from an account (kind, name): the facts its kind calls `restored`."""
    shared: tuple["Wish", ...] = ()
    """What the person uses of things that others own, as it shall be while they may."""

    def known(self, kind: str, *derived: str) -> tuple[str, ...]:
        """The names of one kind, each once: those that follow from the person's own, then the
        recorded ones.
        """
        return tuple(dict.fromkeys([*derived, *self.recorded.get(kind, ())]))


@dataclass(frozen=True)
class Wish:
    """One thing, and how it shall be. `after` None: it shall be gone."""

    kind: str
    target: Target
    after: Facts | None = None


@dataclass(frozen=True)
class Seen:
    """A look without a credential showed that the system that is meant answers. `limits`: why it
    does not do everything now, as in maintenance.
    """

    limits: Message | None = None


@dataclass(frozen=True)
class Credential:
    """Something a person can keep that opens this system; what ends it is the removal of things of
    `kind`.
    """

    name: str
    label: Message
    kind: str


@dataclass(frozen=True)
class OwnNames:
    """Account names that a system uses for itself, so that no person may have them. Compared in
    lower case.
    """

    exact: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        lower = name.lower()
        return lower in {one.lower() for one in self.exact} or lower.startswith(
            tuple(one.lower() for one in self.prefixes if one)
        )


@dataclass(frozen=True)
class KindSpec:
    """One kind of thing in a system."""

    kind: str
    label: Message
    holds_account: bool = False
    """A thing of this kind is a person's account: a removal and a suspension deal with it, or it
    says below why not.
    """
    takes: frozenset[str] = frozenset()
    """Attributes that take something from the person when they are true, like being locked."""
    restored: frozenset[str] = frozenset()
    """Facts of a look that shutting the account takes away, written down to be given back."""
    named_by: tuple[str, ...] = ()
    """The parts of the target that name the thing: the first of them that is there. Needed where a
    target has several parts: a database does not keep their order.
    """
    exclusive: str = ""
    """The lock of who writes, where a write replaces everything: a name with parts of the target in
    braces.
    """
    comes_back_by: Literal["", "sub", "name"] = ""
    """What a credential that is already out can bring back after a removal, and how it is known
    then: only by `sub` it is surely the removed person's. Rechecks look at it.
    """
    comes_by_itself: bool = False
    """It appears when its person first uses it: that one is recorded and not there is no
    difference.
    """
    not_removed: Message | None = None
    not_shut: Message | None = None

    def gives(self, change: Change) -> bool:
        """Whether a change creates or grants something: it is refused for a person who is leaving.

        Stopping, disabling and clearing wish only for nothing, False and zero: they give nothing.
        Nor does what takes.
        """
        return any(wish for name, wish in (change.after or {}).items() if name not in self.takes)

    def name_of(self, target: Target) -> str:
        """The one identifier of a thing that stays the same when its person is renamed."""
        named = (target[part] for part in self.named_by if target.get(part))
        return next(named, "") or next(iter(target.values()), "")

    def lock(self, target: Target) -> str:
        """The name of the lock that a write to this target needs; "" for none."""
        parts = {part for _, part, _, _ in string.Formatter().parse(self.exclusive) if part}
        return self.exclusive.format_map(target) if all(target.get(one) for one in parts) else ""


def _no_wishes(_settings: Any, _holder: Holder) -> tuple[Wish, ...]:
    return ()


def _no_names(_settings: Any) -> OwnNames:
    return OwnNames()


def _no_client(_settings: Any, _attributes: Mapping[str, str]) -> ClientWants | None:
    return None


def _no_attributes(_settings: Any) -> tuple[RealmAttribute, ...]:
    return ()


def _no_messages(_settings: Any, _holder: Holder) -> tuple[Message, ...]:
    return ()


def _nothing_lacks(_settings: Any, _lent: Mapping[str, Any]) -> Message | None:
    return None


@dataclass(frozen=True)
class SystemSpec(Generic[S]):
    """Everything the manager knows of a system before it calls it. The callables are pure: they see
    settings, and make no call.
    """

    name: str
    label: Message
    settings: type[S]
    connect: str
    """`"module:function"`, called as `function(settings, secrets, **lent)` with one keyword for
    each capability in `takes`.
    """
    kinds: tuple[KindSpec, ...] = ()
    look: str = ""
    """`"module:function"`, called as `function(settings)` each minute without a credential; it
    gives a `Seen` for an answer that only this system gives, and raises the five
    errors. "" where nothing can be seen without one: its credential is proved instead, less often.
    """
    inventory: str = ""
    """`"module:function"`, called as `function(system, cursor)` with the connected system; it gives
    a `Page` of everything there (`contract/inventory.py`) and raises the five errors. "" where a
    system cannot say what it holds: reconcile names it then.
    """
    look_counts: bool = False
    """Each look counts there as a connection that was broken off, until somebody signs in, and too
    many shut us out: while our own sign-ins get no answer no look is made.
    """
    icon: str = "systems"
    order: int = 1000
    """Where it stands among the systems that people see; equal ones by name."""
    provides: tuple[str, ...] = ()
    """Capabilities lent to the others: the connected system has an attribute of each name."""
    takes: tuple[str, ...] = ()
    """Capabilities it is lent. What nobody provides is None."""
    lacks: Callable[[S, Mapping[str, Any]], Message | None] = _nothing_lacks
    """What is missing besides its settings before it can be connected."""
    accounts: Callable[[S, Holder], tuple[Wish, ...]] = _no_wishes
    """Everything of a person's own there, wished gone (or stopped, where it is kept on purpose)."""
    shut: Callable[[S, Holder], tuple[Wish, ...]] | None = None
    """What a suspension wishes; None where nothing can be shut."""
    open: Callable[[S, Holder], tuple[Wish, ...]] | None = None
    """What undoes it; asked only for what a suspension changed."""
    shut_step: str = ""
    """The name of a suspension's step here; "" for `shut_<name>`."""
    open_step: str = ""
    shut_first: bool = False
    """What runs there is stopped before its owner is shut out elsewhere, and once more after it."""
    shut_by_hand: Callable[[S, Holder], tuple[Message, ...]] = _no_messages
    """What a person has to shut there, and which setting is missing for our doing it."""
    goes_on: Callable[[S, Holder], tuple[Message, ...]] = _no_messages
    """What goes on there during a suspension, as whoever orders one has to know."""
    credentials: tuple[Credential, ...] = ()
    own_names: Callable[[S], OwnNames] = _no_names
    keeps_by_name: bool = False
    """Things there belong to whoever has the name: the connected system has `left_of(username)`."""
    realm_client: Callable[[S, Mapping[str, str]], ClientWants | None] = _no_client
    """The client people sign in through; it is given the names of all attributes by purpose."""
    realm_attributes: Callable[[S], tuple[RealmAttribute, ...]] = _no_attributes
    messages: str = ""
    """The module of its sentences, so that stored ones can be said; "" for `messages` beside the
    spec, if there is one.
    """
    sandbox: str = ""
    """`"module:class"` of the stand-in that a sandbox starts for it, called with `data_dir`."""

    def connector(self) -> Callable[..., System]:
        """Load `connect`. Raises ImportError, AttributeError and whatever its module raises when it
        is imported.
        """
        found: Callable[..., System] = pkgutil.resolve_name(self.connect)
        return found

    def looker(self) -> Callable[[S], Seen] | None:
        """Load `look`; None where none is declared. Raises as `connector` does."""
        found: Callable[[S], Seen] | None = pkgutil.resolve_name(self.look) if self.look else None
        return found

    def lister(self) -> Inventory | None:
        """Load `inventory`; None where none is declared. Raises as `connector` does."""
        found: Inventory | None = pkgutil.resolve_name(self.inventory) if self.inventory else None
        return found

    def kind(self, kind: str) -> KindSpec | None:
        return next((one for one in self.kinds if one.kind == kind), None)
