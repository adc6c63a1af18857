"""A spec behind the error boundary: what its functions raise or give is believed only where it fits
the contract.

What others depend on has an answer for a function that fails: a system that cannot say which names
it uses itself uses none, and nobody's registration waits for it. What a removal or a suspension
depends on has none: those functions raise Invalid, and the story makes a step that is stuck.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

from workspace_manager.contract import error_boundary as boundary
from workspace_manager.contract.connector import Change, Finding, System
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.findings import Findings
from workspace_manager.contract.inventory import Inventory, InventoryEntry, Page
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.person_trial import PersonTrial, TrialResult
from workspace_manager.contract.realm import ClientWants, RealmAttribute
from workspace_manager.contract.snapshots import Snapshots, SnapshotSource
from workspace_manager.contract.system import (
    DesiredState,
    Holder,
    ObservedState,
    OwnNames,
    SystemSpec,
)

PROBE: Final = Holder("somebody", "3f0c2a5e-0000-4000-8000-000000000000")
"""Nobody: functions that name things are called with it when a system is checked."""


@dataclass(frozen=True)
class GuardedSpec(SystemSpec[Any]):
    """As `SystemSpec`; `brought` is the system's own."""

    brought: SystemSpec[Any] | None = None

    def connector(self) -> Callable[..., System]:
        """Load `connect`. Neither loading nor calling it raises anything but the five errors."""
        where = f"{self.name}.connect"
        found = boundary.call(where, super().connector, made=_callable)
        return lambda *given, **named: boundary.call(
            where, found, *given, made=_system(self.provides), **named
        )

    def looker(self) -> Callable[[Any], ObservedState] | None:
        where = f"{self.name}.look"
        found = boundary.call(where, super().looker, made=boundary.none_or(_callable))
        if found is None:
            return None
        return lambda settings: boundary.call(
            where, found, settings, made=boundary.a(ObservedState)
        )

    def lister(self) -> Inventory | None:
        where = f"{self.name}.inventory"
        found = boundary.call(where, super().lister, made=boundary.none_or(_callable))
        if found is None:
            return None
        kinds = frozenset(kind.kind for kind in self.kinds)
        return lambda system, cursor: boundary.call(where, found, system, cursor, made=_page(kinds))

    def trier(self) -> PersonTrial | None:
        where = f"{self.name}.person_trial"
        found = boundary.call(where, super().trier, made=boundary.none_or(_callable))
        if found is None:
            return None
        made = boundary.a(TrialResult)
        return lambda system, visitor: boundary.call(where, found, system, visitor, made=made)

    def snapshotter(self) -> Snapshots | None:
        """Only that it gives a source: what its members raise is a reader's or writer's too."""
        where = f"{self.name}.snapshots"
        found = boundary.call(where, super().snapshotter, made=boundary.none_or(_callable))
        if found is None:
            return None
        return lambda system: boundary.call(where, found, system, made=_source)

    def defects(self, settings: Any, attributes: Mapping[str, str]) -> Iterator[Finding]:
        """Describe the defects of functions that need no call, each tried with a person who does
        not exist.
        """
        brought = self.brought or self
        given: Mapping[str, tuple[Any, ...]] = {
            **dict.fromkeys(OF_HOLDERS, (settings, PROBE)),
            **dict.fromkeys(("own_names", "realm_attributes", "decides"), (settings,)),
            "realm_client": (settings, attributes),
        }
        for name, some in given.items():
            function = getattr(brought, name)
            if function is None:
                continue
            try:
                made = _made(self)[name]
                boundary.call(f"{self.name}.{name}", function, *some, made=made)
            except ConnectorError as error:
                yield Findings(self.name).failing(
                    message("functions"), error.message, error.advice_message
                )


OF_HOLDERS: Final = (
    *("accounts", "shut", "open", "made_at_approval", "shut_by_hand", "goes_on", "remarks"),
)
"""Functions that are asked about one person."""
_WISHES: Final = frozenset({"accounts", "shut", "open", "made_at_approval"})
_NEEDED: Final = _WISHES | {"lacks"}
"""Those for which no other answer is right."""


def guard_spec(spec: SystemSpec[Any]) -> GuardedSpec:
    """The spec with every function behind the boundary."""
    own = {one.name: getattr(spec, one.name) for one in fields(SystemSpec)}
    for name, made in _made(spec).items():
        if own[name] is not None:
            own[name] = _guarded(spec.name, name, own[name], made)
    return GuardedSpec(**own, brought=spec)


def _guarded(
    system: str, name: str, function: Callable[..., Any], made: Callable[[Any], Any]
) -> Callable[..., Any]:
    def called(*given: Any) -> Any:
        try:
            return boundary.call(f"{system}.{name}", function, *given, made=made)
        except ConnectorError as error:
            if name in _NEEDED:
                raise
            return _instead(name, error)

    return called


def _instead(name: str, error: ConnectorError) -> Any:
    """The result that stands for a function that failed."""
    match name:
        case "own_names":
            return OwnNames()
        case "realm_client":
            return None
        case "decides":
            return {"defect": error.detail}
        case "shut_by_hand" | "goes_on" | "remarks":
            return (error.message,)
    return ()


def _made(spec: SystemSpec[Any]) -> dict[str, Callable[[Any], Any]]:
    """For each function, the converter that turns what it returned into its result."""
    wishes = _wishes(frozenset(kind.kind for kind in spec.kinds))
    messages = boundary.tuple_of(Message)
    return {
        **dict.fromkeys(_WISHES, wishes),
        **dict.fromkeys(("shut_by_hand", "goes_on", "remarks"), messages),
        "decides": boundary.facts,
        "lacks": boundary.none_or(boundary.a(Message)),
        "own_names": _own_names,
        "realm_client": boundary.none_or(boundary.a(ClientWants)),
        "realm_attributes": boundary.tuple_of(RealmAttribute),
    }


def _wishes(kinds: frozenset[str]) -> Callable[[Any], tuple[DesiredState, ...]]:
    def made(found: Any) -> tuple[DesiredState, ...]:
        wishes = boundary.tuple_of(DesiredState)(found)
        for wish in wishes:
            target = dict(boundary.a_target(wish.target))
            Change(kind=wish.kind, subject="", target=target, after=wish.after)
            if wish.kind not in kinds:
                raise boundary.Unfit
        return wishes

    return made


def _own_names(own: Any) -> OwnNames:
    if not isinstance(own, OwnNames):
        raise boundary.Unfit
    if not all(isinstance(one, str) for one in (*own.exact, *own.prefixes)):
        raise boundary.Unfit
    for pattern in own.patterns:
        re.compile(pattern)
    return own


def _page(kinds: frozenset[str]) -> Callable[[Any], Page]:
    def made(found: Any) -> Page:
        page = boundary.a(Page)(found)
        boundary.tuple_of(InventoryEntry)(page.listed)
        if not isinstance(page.next, str) or not {one.kind for one in page.listed} <= kinds:
            raise boundary.Unfit
        return page

    return made


def _callable(found: Any) -> Callable[..., Any]:
    if not callable(found):
        raise boundary.Unfit
    made: Callable[..., Any] = found
    return made


def _source(found: Any) -> SnapshotSource:
    if not isinstance(found, SnapshotSource):
        raise boundary.Unfit
    return found


def _system(provides: tuple[str, ...]) -> Callable[[Any], System]:
    def made(found: Any) -> System:
        needed = ("connectors", "check", "prove_credential", "prove_rights", "try_again", *provides)
        if not all(hasattr(found, one) for one in needed if one not in _STORIES_ALONE):
            raise boundary.Unfit
        system: System = found
        return system

    return made


_STORIES_ALONE: Final = frozenset({"identity", "drive"})
"""Capabilities that stories call on the system itself."""


keep_earlier_names(__name__, guarded="guard_spec")
