"""Turns at a thing: a place at its system, and the locks of the writer."""

import contextlib
from collections.abc import Iterator

from workspace_manager.contract import slots
from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import Unavailable
from workspace_manager.core.locks import NamedLock, lock
from workspace_manager.engine.messages import message
from workspace_manager.engine.plan_run import PlanRun
from workspace_manager.systems import lock_of


@contextlib.contextmanager
def holding_locks(run: PlanRun, change: Change, *, outside: bool) -> Iterator[list[NamedLock]]:
    """Have a place for the look, the call and the look after it, where it is `outside`, and all
    locks. Raises Busy and Unavailable.
    """
    with contextlib.ExitStack() as stack:
        if outside:
            waiting = message("doing.waiting")
            stack.enter_context(slots.hold_slot(change.system, kind=change.kind, doing=waiting))
        yield [stack.enter_context(_held(run, name, change)) for name in _names(run, change)]


def _names(run: PlanRun, change: Change) -> list[str]:
    """The locks under which it is done: one writer at a time where a write replaces everything, and
    what its kind of plan asks for.
    """
    return [name for name in (lock_of(change), run.kind.held_name(change)) if name]


@contextlib.contextmanager
def _held(run: PlanRun, name: str, change: Change) -> Iterator[NamedLock]:
    with lock(name, token=run.lease.owner) as mine:
        if mine is None:
            raise Unavailable(
                message("another_writer"),
                kind=change.kind,
                doing=message("doing.waiting"),
                retry_after=1,
            )
        yield mine
