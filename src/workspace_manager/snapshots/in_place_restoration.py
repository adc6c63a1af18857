"""A snapshot takes the place of what is in its component now.

First a snapshot of what is there is created and kept. Then the content is loaded beside and
compared, and at last the two are switched: until then nobody who uses the component notices.
See docs/explanation/snapshots.md#restore-in-place.
"""

from collections.abc import Iterable
from typing import Final

from django.db import transaction

from workspace_manager.access import policy
from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.row_locks import lock_active, lock_component
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message, in_words
from workspace_manager.contract.snapshots import SwitchingSource
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.core.sizes import size_message
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import change_of, plan_change, store
from workspace_manager.engine.supersede import supersede
from workspace_manager.letters.letter import in_language
from workspace_manager.records.models import (
    Component,
    Person,
    Plan,
    PlanChange,
    PlanStep,
    Snapshot,
)
from workspace_manager.snapshots.bounds import refuse_full
from workspace_manager.snapshots.content import SYSTEM
from workspace_manager.snapshots.content_in_place import (
    LOAD,
    LOADED,
    SWITCH,
    SWITCHED,
    gives_way,
    open_restores_in_place,
)
from workspace_manager.snapshots.creation import content_change, make_row, refuse_under_way
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restoration import KEPT_FIRST, SNAPSHOT
from workspace_manager.snapshots.sources import find_source, keeps_content, refuse_unknown
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.systems.sql_server.names import GRANT_KIND
from workspace_manager.work import loss_letters, sharing
from workspace_manager.work.component_end import IN_PLACE, RESTORING_IN_PLACE
from workspace_manager.work.content_address import address_of
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.reservation import SYSTEMS

KEEP: Final = declare_step("keep_present_content", message)
LONGEST_LABEL: Final = 100


def restore_in_place(
    snapshot: Snapshot, *, actor: str, systems: ConnectedSystems
) -> tuple[Component, Snapshot, Plan]:
    """Store the plan that keeps what is in the component and puts the snapshot in its place; gives
    the snapshot that is kept first, too. Raises Refused.
    """
    refuse_other_kinds(snapshot, systems)
    remarks = _remarks(snapshot)
    with transaction.atomic():
        owner = lock_active(snapshot.owner)
        refuse_too_many(owner, IN_PLACE_RESTORATION)
        refuse_full(owner)
        component = _lock_target(snapshot, owner)
        current = Snapshot.objects.select_for_update(of=("self",)).filter(id=snapshot.id).first()
        if current is None or current.state == Snapshot.State.DELETING:
            raise Refused(message("gone"))
        if current.state != Snapshot.State.READY:
            raise Refused(message("not_finished", label=current.label))
        _refuse_under_way(component)
        label = kept_label(current, owner)
        kept = make_row(component, owner, label=label, actor=actor)
        document = document_of(
            IN_PLACE_RESTORATION.name,
            component,
            _steps(current, kept, component),
            remarks=remarks,
            captured={SNAPSHOT: str(current.id), KEPT_FIRST: str(kept.id)},
        )
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        kept.plan = plan.id
        kept.save(update_fields=["plan"])
        note(
            "snapshot:restore_in_place_requested",
            owner.username,
            actor=actor,
            id=str(current.id),
            component=str(component.id),
            kept=str(kept.id),
        )
        loss_letters.tell_of_restore(component, current.label, actor=actor, plan=plan.id)
    return component, kept, plan


def find_target(snapshot: Snapshot, systems: ConnectedSystems) -> Component | None:
    """The component whose content a snapshot can replace now; None where there is none."""
    found = snapshot.component
    if found is None or found.owner_id != snapshot.owner_id:
        return None
    if found.state != Component.State.READY or not keeps_content(found.kind):
        return None
    if SYSTEMS[Component.Kind(found.kind)] not in systems.by_name:
        return None
    return found if isinstance(find_source(found.kind, systems), SwitchingSource) else None


def refuse_other_kinds(snapshot: Snapshot, systems: ConnectedSystems) -> None:
    """Raise Refused where the component is gone, or nothing puts such content in its place."""
    component = snapshot.component
    if snapshot.source_type == Snapshot.SourceType.STACK:
        raise Refused(message("stack_not_in_place"))
    if snapshot.source_type == Snapshot.SourceType.UPLOAD:
        raise Refused(message("file_not_in_place"))
    if component is None:
        raise Refused(message("component_gone", label=snapshot.source_label))
    refuse_unknown(component, systems)
    if not isinstance(find_source(component.kind, systems), SwitchingSource):
        raise Refused(message("not_in_place", kind=component.kind))


def _lock_target(snapshot: Snapshot, owner: Person) -> Component:
    found = lock_component(str(snapshot.component_id))
    if found is None:
        raise Refused(message("component_gone", label=snapshot.source_label))
    if found.owner_id != owner.id:
        raise Refused(message("component_of_another", label=found.label))
    if found.state != Component.State.READY:
        raise Refused(message("not_ready", label=found.label))
    return found


def _refuse_under_way(component: Component) -> None:
    """One that is stuck before its switch began gives way to the next one; what it kept stays."""
    for plan in open_restores_in_place(component):
        if not gives_way(plan):
            raise Refused(message("restore_under_way", label=component.label), plan=str(plan.id))
        follow_kept(supersede(Plan.objects.filter(id=plan.id)))
    refuse_under_way(component)


def _remarks(snapshot: Snapshot) -> tuple[Message, ...]:
    """Return what the restore of volumes means for the programs and for the engine's disk. Raises
    the five errors of the store.
    """
    if snapshot.kind != Component.Kind.KNOWLEDGE_STACK or snapshot.state != Snapshot.State.READY:
        return ()
    manifest = open_reader(snapshot).manifest
    size = size_message(manifest.content_bytes + manifest.largest_part)
    return (
        message("programs_stop_twice", label=snapshot.source_label),
        message("copies_in_place", size=size),
    )


def kept_label(snapshot: Snapshot, owner: Person) -> str:
    """Return the label of the snapshot that keeps the present content."""
    said = message("kept_first", label=snapshot.label)
    return in_words(said, in_language(owner.locale))[:LONGEST_LABEL]


def _steps(snapshot: Snapshot, kept: Snapshot, component: Component) -> tuple[PlannedStep, ...]:
    change = Change(
        kind=IN_PLACE,
        subject=str(component.owner_id),
        target={
            "label": component.label,
            "id": str(component.id),
            "kind": component.kind,
            "address": address_of(component),
            "snapshot": str(snapshot.id),
        },
    )
    load = change.model_copy(update={"after": dict(LOADED)})
    switch = change.model_copy(update={"after": dict(SWITCHED)})
    named = (
        (KEEP, content_change(kept, kept=True), kept.label),
        (LOAD, load, snapshot.label),
        (SWITCH, switch, component.label),
    )
    return tuple(
        PlannedStep(
            n=n,
            name=step,
            system=SYSTEM,
            needs=(n - 1,) if n > 1 else (),
            changes=(plan_change(wanted, name=name),),
        )
        for n, (step, wanted, name) in enumerate(named, 1)
    )


def follow_kept(plans: Iterable[Plan]) -> None:
    """Keep the state of the snapshots that were kept first in step with these plans."""
    for plan in plans:
        step = plan.steps.filter(name=KEEP).first()
        state = Snapshot.State.CREATING
        if step and step.state == PlanStep.State.DONE:
            state = Snapshot.State.READY
        elif plan.state not in {Plan.State.RUNNING, Plan.State.WAITING} or (
            step and step.state in PlanStep.ENDED
        ):
            state = Snapshot.State.FAILED
        rows = Snapshot.objects.filter(plan=plan.id)
        rows.filter(state__in=(Snapshot.State.CREATING, Snapshot.State.FAILED)).update(state=state)


def _follow(plan: Plan, systems: ConnectedSystems) -> None:
    """Settle anew who may use the component, once it is over: rights that changed during the
    switch may have been put back as they were before.
    """
    follow_kept([plan])
    if plan.state != Plan.State.DONE:
        return
    component = lock_component(plan.about)
    if component is None or component.state != Component.State.READY:
        return
    sharing.settle_all(
        _concerned(component, plan),
        about=plan.about,
        actor=plan.created_by,
        systems=systems,
        components=[component],
    )


def _concerned(component: Component, plan: Plan) -> list[Person]:
    """Return who shares it, and whose rights on it were changed meanwhile."""
    people = policy.sharers(component.project) if component.project else []
    changed = PlanChange.objects.filter(kind=GRANT_KIND, sent_at__gte=plan.created_at)
    found = {
        change.subject
        for change in map(change_of, changed)
        if change.target["database"] == component.name
    }
    others = Person.objects.filter(id__in=found - {""}).exclude(id=component.owner_id)
    return list(dict.fromkeys([*people, *others]))


IN_PLACE_RESTORATION: Final = PlanKind(
    RESTORING_IN_PLACE,
    message("plan.snapshot.restore_in_place"),
    on_saved=_follow,
    owner_sees=True,
)
