"""The declaration of a connected system, in one value: `SYSTEM = SystemSpec(…)` in its folder's
`__init__`.

Whatever lists systems asks these values (settings, pages, checks, plans, the command line), so that
a new one is known everywhere once its folder is there or its distribution installed. Making one
imports no client: `connect` is named, and loaded at first use.
"""

import pkgutil
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from workspace_manager.contract.connector import Facts, System, Target
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.inventory import Inventory
from workspace_manager.contract.kind_spec import KindSpec as KindSpec  # noqa: PLC0414 - named here
from workspace_manager.contract.members import MemberTable
from workspace_manager.contract.message import Message
from workspace_manager.contract.person_trial import PersonTrial
from workspace_manager.contract.realm import ClientWants, RealmAttribute
from workspace_manager.contract.settings import SystemSettings
from workspace_manager.contract.snapshots import Snapshots

CONTAINERS: Final = "containers"
"""Lent by whoever provides it: a `ContainerEngine`, or None where there is none."""
IDENTITY: Final = "identity"
DRIVE: Final = "drive"
REALM: Final = "realm"
"""Lent by the manager: the `RealmNeeds` of all systems together."""
PASSWORDS: Final = "passwords"
"""Lent by the manager: what makes the passwords of accounts (`contract/passwords.py`)."""
PEOPLE: Final = "people"
"""Lent by the manager: everybody it knows, read when a check asks (`contract/known_people.py`)."""
REFUSALS: Final = "refusals"
"""Lent by the manager: where refused passwords are remembered for all its processes."""

NAME: Final = r"[a-z][a-z0-9_]{1,39}"
TAKEN_NAMES: Final = frozenset(
    {
        *("as_person", "environment", "manager", "records", "registration", "settings"),
        *("snapshots", "vault"),
    }
)
"""The manager uses these for places and rows of its own, where the name of a system would stand."""

S = TypeVar("S", bound=SystemSettings)


@dataclass(frozen=True)
class NoSettings(SystemSettings):
    """Of a system that has none."""


@dataclass(frozen=True)
class Holder:
    """A person whose accounts are asked for: every name the person is known by, captured before
    anything is removed.
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
    shared: tuple["DesiredState", ...] = ()
    """What the person uses of things that others own, as it shall be while they may."""
    former_names: tuple[str, ...] = ()
    """User names the person had before: what was named after one is still the person's."""

    def known(self, kind: str, *derived: str) -> tuple[str, ...]:
        """The names of one kind, each once: those that follow from the person's own, then the
        recorded ones.
        """
        return tuple(dict.fromkeys([*derived, *self.recorded.get(kind, ())]))


@dataclass(frozen=True)
class DesiredState:
    """One thing, and how it shall be. `after` None: it shall be gone."""

    kind: str
    target: Target
    after: Facts | None = None


@dataclass(frozen=True)
class ObservedState:
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
    patterns: tuple[str, ...] = ()
    """Regular expressions of names that the system can give to nobody, each of a whole name in
    lower case.
    """

    def has(self, name: str) -> bool:
        lower = name.lower()
        return (
            lower in {one.lower() for one in self.exact}
            or lower.startswith(tuple(one.lower() for one in self.prefixes if one))
            or any(re.fullmatch(one, lower) for one in self.patterns)
        )


def _no_wishes(_settings: Any, _holder: Holder) -> tuple[DesiredState, ...]:
    return ()


def _no_names(_settings: Any) -> OwnNames:
    return OwnNames()


def _no_client(_settings: Any, _attributes: Mapping[str, str]) -> ClientWants | None:
    return None


def _no_attributes(_settings: Any) -> tuple[RealmAttribute, ...]:
    return ()


def _nothing_decided(_settings: Any) -> Facts:
    return {}


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
    gives a `ObservedState` for an answer that only this system gives, and raises the five
    errors. "" where nothing can be seen without one: its credential is proved instead, less often.
    """
    inventory: str = ""
    """`"module:function"`, called as `function(system, cursor)` with the connected system; it gives
    a `Page` of everything there (`contract/inventory.py`) and raises the five errors. "" where a
    system cannot say what it holds: reconcile names it then.
    """
    person_trial: str = ""
    """`"module:function"`, called as `function(system, visitor)` with the connected system and
    somebody made for a check (`contract/person_trial.py`); it gives a `TrialResult`, takes back
    what it made, and raises the five errors. "" where a person's token does nothing.
    """
    snapshots: str = ""
    """`"module:function"`, called as `function(system)` with the connected system; it gives a
    `SnapshotSource` (`contract/snapshots.py`). "" where the content of nothing there can be kept.
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
    accounts: Callable[[S, Holder], tuple[DesiredState, ...]] = _no_wishes
    """Everything of a person's own there, wished gone (or stopped, where it is kept on purpose)."""
    shut: Callable[[S, Holder], tuple[DesiredState, ...]] | None = None
    """What a suspension wishes; None where nothing can be shut."""
    open: Callable[[S, Holder], tuple[DesiredState, ...]] | None = None
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
    made_at_approval: Callable[[S, Holder], tuple[DesiredState, ...]] | None = None
    """What is made for a person who is approved, where no account comes by itself at a first
    sign-in; None where nothing is made.
    """
    remarks: Callable[[S, Holder], tuple[Message, ...]] = _no_messages
    """What the reader of a removal's preview has to know: what goes with an account, what stays."""
    decides: Callable[[S], Facts] = _nothing_decided
    """What of the settings decides what a change does. It stands in a plan and its digest, so that
    no plan does something else than was shown.
    """
    step_labels: Mapping[str, Message] = field(default_factory=dict)
    """What steps here are called, by the step's name: `remove_<name>_accounts`, the steps of a
    suspension and its undoing, `make_<name>_accounts`.
    """
    step_ends: Mapping[str, Message] = field(default_factory=dict)
    """What is true when a step here is done, by the step's name."""
    credentials: tuple[Credential, ...] = ()
    """What people can keep that opens it; each is a line of the end of access."""
    own_names: Callable[[S], OwnNames] = _no_names
    keeps_by_name: bool = False
    """Things there belong to whoever has the name: the connected system has `left_of(username)`."""
    realm_client: Callable[[S, Mapping[str, str]], ClientWants | None] = _no_client
    """The client people sign in through; it is given the names of all attributes by purpose."""
    realm_attributes: Callable[[S], tuple[RealmAttribute, ...]] = _no_attributes
    tables: str = ""
    """`"module:name"` of a tuple of `MemberTable`s: what the check says of each member of the
    documents that it reads. "" where it reads none.
    """
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

    def looker(self) -> Callable[[S], ObservedState] | None:
        """Load `look`; None where none is declared. Raises as `connector` does."""
        found: Callable[[S], ObservedState] | None = (
            pkgutil.resolve_name(self.look) if self.look else None
        )
        return found

    def lister(self) -> Inventory | None:
        """Load `inventory`; None where none is declared. Raises as `connector` does."""
        found: Inventory | None = pkgutil.resolve_name(self.inventory) if self.inventory else None
        return found

    def member_tables(self) -> tuple[MemberTable, ...]:
        """Load `tables`; none where none are declared. Raises as `connector` does."""
        found: tuple[MemberTable, ...] = pkgutil.resolve_name(self.tables) if self.tables else ()
        return found

    def trier(self) -> PersonTrial | None:
        """Load `person_trial`; None where none is declared. Raises as `connector` does."""
        named = self.person_trial
        found: PersonTrial | None = pkgutil.resolve_name(named) if named else None
        return found

    def snapshotter(self) -> Snapshots | None:
        """Load `snapshots`; None where none is declared. Raises as `connector` does."""
        named = self.snapshots
        found: Snapshots | None = pkgutil.resolve_name(named) if named else None
        return found

    def kind(self, kind: str) -> KindSpec | None:
        return next((one for one in self.kinds if one.kind == kind), None)


keep_earlier_names(__name__, Wish="DesiredState", Seen="ObservedState")
