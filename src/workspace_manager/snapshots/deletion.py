"""A snapshot goes: its content first, seen gone, then its row."""

from typing import Final

from django.db import transaction

from workspace_manager.accounts import accounts
from workspace_manager.accounts.labels import checked_label
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.records.models import Person, Plan, Snapshot
from workspace_manager.snapshots.content import SYSTEM
from workspace_manager.snapshots.creation import content_change
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restoration import refuse_restored
from workspace_manager.work.plan_document import document_of

DELETE: Final = declare_step("delete_content", message)


def delete(snapshot: Snapshot, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Store the plan that deletes a snapshot; its making is stopped. Raises Refused for one that
    is going or being brought back.
    """
    with transaction.atomic():
        owner = Person.objects.select_for_update().get(id=snapshot.owner_id)
        if owner.state == Person.State.LEAVING:
            raise Refused(message("goes", name=owner.username))
        current = lock_snapshot(snapshot)
        if current.state == Snapshot.State.DELETING:
            raise Refused(message("deleting", label=current.label))
        refuse_restored(current)
        making = Plan.objects.filter(about=str(current.id), state__in=Plan.OPEN)
        calls = under_way(systems, plans=supersede(making))
        current.state = Snapshot.State.DELETING
        current.save(update_fields=["state"])
        plan = store(_document(current), actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        note(
            "snapshot:deletion_requested",
            owner.username,
            actor=actor,
            id=str(current.id),
        )
    return plan


def rename(snapshot: Snapshot, label: str, *, actor: str) -> Snapshot:
    """Call a snapshot something else. Raises BadInput for a label that cannot be, Refused for one
    that is gone or going.
    """
    label = checked_label(label)
    with transaction.atomic():
        current = lock_snapshot(snapshot)
        if current.state == Snapshot.State.DELETING:
            raise Refused(message("deleting", label=current.label))
        current.label = label
        current.save(update_fields=["label"])
        note("snapshot:renamed", current.owner.username, actor=actor, id=str(current.id))
    return current


def lock_snapshot(snapshot: Snapshot) -> Snapshot:
    """As it is now. Raises Refused when it is gone."""
    rows = Snapshot.objects.select_for_update(of=("self",)).select_related("owner")
    current = rows.filter(id=snapshot.id).first()
    if current is None:
        raise Refused(message("gone"))
    return current


def record_change(snapshot: Snapshot) -> Change:
    """Return the deletion of its row, which waits for that of its content."""
    return Change(
        kind="records.snapshot",
        subject=str(snapshot.owner_id),
        target={"id": str(snapshot.id), "label": snapshot.label},
    )


def _document(snapshot: Snapshot) -> PlanDocument:
    content = content_change(snapshot, kept=False)
    steps = (
        PlannedStep(
            n=1,
            name=DELETE,
            system=SYSTEM,
            changes=(plan_change(content, name=snapshot.label),),
        ),
        PlannedStep(
            n=2,
            name=accounts.DELETE_RECORD,
            system="records",
            needs=(1,),
            changes=(plan_change(record_change(snapshot), name=snapshot.label),),
        ),
    )
    return document_of(DELETION.name, snapshot, steps)


DELETION: Final = PlanKind("snapshot.delete", message("plan.snapshot.delete"), owner_sees=True)
