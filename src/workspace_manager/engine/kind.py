"""A story's declaration of its kind of plan: one value beside the story, and all that the engine
knows of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from workspace_manager.contract.connector import CallPolicy, Change
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_plan
from workspace_manager.engine.extras import PlanExtras
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.records.models import Person, Plan, PlanStep

Columns: TypeAlias = Mapping[str, Any]
"""Columns of a plan's row, and what is to be written into them."""


@dataclass(frozen=True)
class Invariant:
    """An effect of a step that has to stay: looked at on every wake, and brought about anew if it
    is gone.

    `raised_by`: the step whose changes have to stay; `stands_until`: the step whose end ends it, ""
    for the end of the plan. `restored`: what the plan says when it had to be brought about anew.
    `forgets`: columns of the plan's row that were worked out from the time since when it stands;
    they are emptied when it did not stand. `of`: the kind of thing whose doors (`doors.py`) it
    speaks of too.
    """

    raised_by: str
    stands_until: str
    restored: Message
    forgets: tuple[str, ...] = ()
    of: str = ""


def _as_written(change: Change) -> Change:
    return change


def _always(_change: Change) -> bool:
    return True


def _no_name(_change: Change) -> str:
    return ""


def _nothing(_plan: Plan, _systems: ConnectedSystems) -> None:
    return None


def _no_columns(
    _plan: Plan, _steps: Sequence[PlanStep], _systems: ConnectedSystems
) -> Mapping[str, Any]:
    return {}


def _no_extras(_plan: Plan, _steps: Sequence[PlanStep]) -> PlanExtras:
    return PlanExtras()


@dataclass(frozen=True)
class PlanKind:
    """One kind of plan. The engine asks this value, and compares no names."""

    name: str
    label: Message
    """What people call such a plan; its code is `inbox.plan.<name>`."""
    build: Callable[[Person, ConnectedSystems], PlanDocument] | None = None
    """How such a plan is built from the records of a person, where it can be built anew at any
    time.
    """
    desired: Callable[[Change], Change] = _as_written
    """What a change shall bring about now. Asked before acting, and once more in the transaction
    that writes down that it is sent.
    """
    may_act: Callable[[Change], bool] = _always
    """Whether a change may be made; False leaves alone what is there. Raises Unavailable when that
    cannot be said now.
    """
    held_name: Callable[[Change], str] = _no_name
    """The named lock that is held from the question whether it may be made until its end; "" for
    none.
    """
    invariants: tuple[Invariant, ...] = ()
    on_saved: Callable[[Plan, ConnectedSystems], None] = _nothing
    """What follows from the plan's state, in the transaction that writes it."""
    noted: Callable[[Plan, Sequence[PlanStep], ConnectedSystems], Columns] = _no_columns
    """Columns that follow from what a system says. Asked outside every transaction: first of all,
    and after each step.
    """
    tries_again: CallPolicy | None = None
    """When a stuck step is tried again by itself; None: never, since a person has to decide."""
    extras: Callable[[Plan, Sequence[PlanStep]], PlanExtras] = _no_extras
    """What such a plan shows besides its steps."""
    removes_person: bool = False
    """Whether it ends somebody's stay here."""
    names_person: bool = True
    """Whether such a plan is about a person; else its `person` names what it is about."""
    owner_sees: bool = False
    """Whether the person it is about may see it; administrators see every plan."""

    def __post_init__(self) -> None:
        declare_plan(self.name, self.label)

    @property
    def fixed(self) -> bool:
        """Return whether what is wanted is what was approved, and follows from nothing else."""
        return self.desired is _as_written
