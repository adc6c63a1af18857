"""The document of a plan about something that a person owns."""

from collections.abc import Mapping, Sequence

from workspace_manager.contract.message import Message
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.records.models import Component, Project, Snapshot, Stack


def document_of(
    kind: str,
    thing: Component | Project | Snapshot | Stack,
    steps: Sequence[PlannedStep],
    *,
    remarks: Sequence[Message] = (),
    by_hand: Sequence[Message] = (),
    captured: Mapping[str, str] | None = None,
) -> PlanDocument:
    """Return the document of a plan about a thing; its owner is the plan's person."""
    return PlanDocument(
        kind=kind,
        person=thing.owner.username,
        subject=str(thing.owner_id),
        about=str(thing.id),
        steps=tuple(steps),
        remarks=tuple(remarks),
        by_hand=tuple(by_hand),
        captured=dict(captured or {}),
    )
