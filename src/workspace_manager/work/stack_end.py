"""The plan that deletes a stack with all its parts.

See docs/explanation/components.md#stacks.
"""

from collections.abc import Sequence
from typing import Final

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.records.models import Component, Stack
from workspace_manager.work import component_end, reservation
from workspace_manager.work.messages import message
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.snapshot_end import SnapshotEnd

DELETE_RECORD: Final = declare_step("delete_stack_record", message)


def deletion(
    kind: str, stack: Stack, parts: Sequence[Component], ended: SnapshotEnd, *, keep_volumes: bool
) -> PlanDocument:
    """Build the deletion of each part with its record, users of others first; a stack without parts
    is only its record.
    """
    steps: tuple[PlannedStep, ...] = ()
    before: tuple[int, ...] = ()
    said: dict[str, list[Message]] = {"remarks": [], "by_hand": []}
    parts = sorted(parts, key=lambda one: one.kind != Component.Kind.KNOWLEDGE_STACK)
    for part in parts:
        keep = keep_volumes and part.kind == Component.Kind.KNOWLEDGE_STACK
        own = component_end.deletion(part, keep_volumes=keep)
        own = reservation.place_behind(own, len(steps) + 1, before)
        needs = tuple(step.n for step in own)
        record = component_end.record_step(part, n=len(steps) + len(own) + 1, needs=needs)
        steps = (*steps, *own, record)
        if part.kind == Component.Kind.KNOWLEDGE_STACK:
            before = tuple(step.n for step in steps)
        for name, texts in component_end.deletion_remarks(part, keep_volumes=keep).items():
            said[name] += texts
    steps = (*steps, *ended.steps(len(steps) + 1))
    said["remarks"] += ended.remarks
    row = Change(
        kind="records.stack",
        subject=str(stack.owner_id),
        target={"id": str(stack.id), "label": stack.label},
    )
    last = PlannedStep(
        n=len(steps) + 1,
        name=DELETE_RECORD,
        system="records",
        needs=tuple(step.n for step in steps),
        changes=(plan_change(row, name=stack.label),),
    )
    return document_of(
        kind, stack, (*steps, last), remarks=said["remarks"], by_hand=said["by_hand"]
    )
