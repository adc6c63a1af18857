"""The part of a deletion plan that concerns the snapshots of what is deleted.

`snapshots/source_deletion.py` decides it: that room knows what the store holds, and is above this
one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from workspace_manager.contract.message import Message
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.supersede import OpenCall
from workspace_manager.records.models import Component, Project, Stack
from workspace_manager.work.messages import message

DELETE_SNAPSHOTS: Final = declare_step("delete_snapshots", message)
Source: TypeAlias = Component | Stack | Project


@dataclass(frozen=True)
class SnapshotEnd:
    """The deletions of snapshots, what the plan says of them and of those that are kept, and the
    calls that have to end before.
    """

    changes: tuple[PlannedChange, ...] = ()
    remarks: tuple[Message, ...] = ()
    calls: tuple[OpenCall, ...] = ()

    def steps(self, n: int) -> tuple[PlannedStep, ...]:
        """Return the step with this number; none where no snapshot is deleted."""
        if not self.changes:
            return ()
        step = PlannedStep(n=n, name=DELETE_SNAPSHOTS, system="snapshots", changes=self.changes)
        return (step,)


EndSnapshots: TypeAlias = Callable[[Source], SnapshotEnd]
"""Called in the deletion's transaction, once the source is locked and its other plans stopped."""


def keep_snapshots(_source: Source) -> SnapshotEnd:
    """Leave them as they are."""
    return SnapshotEnd()
