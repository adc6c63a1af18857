"""A snapshot is brought back as a new component: made as every component is, then its content."""

from collections.abc import Iterable, Mapping
from typing import Final
from uuid import UUID

from django.db import transaction

from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.row_locks import lock_active
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep, parsed
from workspace_manager.engine.rows import Vault, plan_change, store
from workspace_manager.records.models import Component, Plan, Project, Snapshot
from workspace_manager.snapshots import restored_content
from workspace_manager.snapshots.content import SYSTEM
from workspace_manager.snapshots.messages import message
from workspace_manager.work import component_end, components, sharing
from workspace_manager.work.reservation import ComponentSpec, lock_shared, reserve

RESTORE: Final = declare_step("restore_content", message)
SNAPSHOT: Final = "snapshot"
"""Where the document of a plan says which one is brought back."""
KEPT_FIRST: Final = "kept"
"""Where that of a restore in place says which one is made of what was there before."""


def restore_as_new(
    snapshot: Snapshot,
    *,
    label: str,
    project: Project | None,
    actor: str,
    systems: ConnectedSystems,
) -> tuple[Component, Plan]:
    """Store the plan that makes another component of the snapshot's owner and loads the content
    into it. Raises BadInput for a label that cannot be, and Refused.
    """
    label = checked_label(label or snapshot.label)
    with transaction.atomic():
        owner = lock_active(snapshot.owner)
        refuse_too_many(owner, RESTORATION)
        project = lock_shared(owner, project)
        current = Snapshot.objects.select_for_update(of=("self",)).filter(id=snapshot.id).first()
        if current is None or current.state == Snapshot.State.DELETING:
            raise Refused(message("gone"))
        if current.state != Snapshot.State.READY:
            raise Refused(message("not_finished", label=current.label))
        vault = Vault()
        component, steps = reserve(
            ComponentSpec(owner, label, project), current.kind, systems, vault
        )
        document = PlanDocument(
            kind=RESTORATION.name,
            person=owner.username,
            subject=str(owner.id),
            about=str(component.id),
            steps=(*steps, _restore_step(current, component, steps)),
            captured={SNAPSHOT: str(current.id)},
        )
        plan = store(document, actor=actor, state=Plan.State.RUNNING, vault=vault)
        note(
            "snapshot:restore_requested",
            owner.username,
            actor=actor,
            id=str(current.id),
            component=str(component.id),
        )
    return component, plan


def open_restores(snapshots: Iterable[Snapshot]) -> Mapping[UUID, Plan]:
    """The plan that brings each of these back, or that makes it before it brings another one back,
    by the snapshot's id; asked once for many.
    """
    wanted = {str(one.id): one for one in snapshots}
    owners = {str(one.owner_id) for one in wanted.values()}
    kinds = (RESTORATION.name, component_end.RESTORING_IN_PLACE)
    plans = Plan.objects.filter(kind__in=kinds, subject__in=owners, state__in=Plan.OPEN)
    found: dict[UUID, Plan] = {}
    for plan in plans:
        captured = parsed(plan.document_text).captured
        for name in (SNAPSHOT, KEPT_FIRST):
            if snapshot := wanted.get(captured.get(name, "")):
                found[snapshot.id] = plan
    return found


def _restore_step(
    snapshot: Snapshot, component: Component, steps: tuple[PlannedStep, ...]
) -> PlannedStep:
    change = Change(
        kind=restored_content.KIND,
        subject=str(component.owner_id),
        target={
            "label": component.label,
            "id": str(component.id),
            "snapshot": str(snapshot.id),
        },
        after=dict(restored_content.RESTORED),
    )
    return PlannedStep(
        n=len(steps) + 1,
        name=RESTORE,
        system=SYSTEM,
        needs=tuple(step.n for step in steps),
        changes=(plan_change(change, name=component.label),),
    )


RESTORATION: Final = PlanKind(
    components.RESTORATION,
    message("plan.snapshot.restore"),
    desired=sharing.desired,
    on_saved=components.CREATION.on_saved,
    owner_sees=True,
)
