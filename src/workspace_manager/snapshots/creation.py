"""A snapshot is ordered: its row, its key and its place in the store are written down before the
first call, so that whatever a killed capture left is found by them.
"""

from typing import Final

from django.db import transaction
from django.db.models import Q

from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.messages import message as of_work
from workspace_manager.accounts.row_locks import lock_active, lock_component
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import plan_change, store
from workspace_manager.records.models import Component, Person, Plan, Snapshot, Stack
from workspace_manager.snapshots.bounds import refuse_full
from workspace_manager.snapshots.content import KEPT, SYSTEM
from workspace_manager.snapshots.content_in_place import find_restore
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.sources import refuse_unknown
from workspace_manager.snapshots.store.failures import KIND
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.manifest import make_place
from workspace_manager.work import stacks
from workspace_manager.work.plan_document import document_of

CAPTURE: Final = declare_step("capture_content", message)
MAKING: Final = (Snapshot.State.CREATING, Snapshot.State.FAILED)


def create(
    source: Component | Stack,
    *,
    actor: str,
    systems: ConnectedSystems,
    label: str = "",
    scheduled: bool = False,
) -> tuple[Snapshot, Plan]:
    """Store the plan that makes a snapshot of a component, or one of all parts of a stack; it is
    the owner's, whoever orders it.

    Raises BadInput for a label that cannot be; Refused for an owner who is not active, a source
    that is not ready or of which one is being made, for one who keeps as much as may be, and where
    nothing keeps such content.
    """
    label = checked_label(label or source.label)
    refuse_unknown(source, systems)
    with transaction.atomic():
        owner = _lock_owner(source.owner)
        current = _lock_ready(source)
        return _order(current, owner, label=label, actor=actor, scheduled=scheduled)


def _lock_ready(source: Component | Stack) -> Component | Stack:
    """Return the source as it is now, locked with all its parts. Raises Refused unless all of it is
    ready, and none of it is being copied or replaced.
    """
    if isinstance(source, Stack):
        stack = stacks.lock_stack(source)
        parts = list(stacks.parts_of(stack).select_for_update(of=("self",)))
        ready = bool(parts) and stack.state == Stack.State.READY
        source = stack
    else:
        component = lock_component(source.id)
        if component is None:
            raise Refused(of_work("component_gone"))
        source, parts, ready = component, [component], True
    if not ready or any(part.state != Component.State.READY for part in parts):
        raise Refused(message("not_ready", label=source.label))
    for part in parts:
        refuse_under_way(part)
    return source


def _lock_owner(person: Person) -> Person:
    owner = lock_active(person)
    refuse_too_many(owner, CREATION)
    refuse_full(owner)
    return owner


def refuse_under_way(component: Component) -> None:
    """Raise Refused while a snapshot is made of a component, or of its whole stack, or put in the
    place of what is in it.
    """
    if replaced := find_restore(component):
        said = message("restore_under_way", label=component.label)
        raise Refused(said, plan=str(replaced.id))
    made_of = Q(component=component)
    if component.stack_id:
        made_of |= Q(stack=component.stack_id)
    going = Snapshot.objects.filter(made_of, state=Snapshot.State.CREATING).first()
    if going is not None:
        raise Refused(message("under_way", label=going.source_label), plan=str(going.plan or ""))


def _order(
    source: Component | Stack, owner: Person, *, label: str, actor: str, scheduled: bool = False
) -> tuple[Snapshot, Plan]:
    snapshot = make_row(source, owner, label=label, actor=actor, scheduled=scheduled)
    plan = store(_document(snapshot), actor=actor, state=Plan.State.RUNNING)
    snapshot.plan = plan.id
    snapshot.save(update_fields=["plan"])
    note("snapshot:requested", owner.username, actor=actor, id=str(snapshot.id))
    return snapshot, plan


def make_row(
    source: Component | Stack, owner: Person, *, label: str, actor: str, scheduled: bool = False
) -> Snapshot:
    """The row of a snapshot to be, with its key and its place, in the caller's transaction."""
    snapshot = Snapshot(
        owner=owner,
        label=label,
        source_id=source.id,
        source_label=source.label,
        created_by=actor,
        scheduled=scheduled,
        place=make_place(),
        key=make_key().identity,
    )
    if isinstance(source, Stack):
        snapshot.source_type, snapshot.stack = Snapshot.SourceType.STACK, source
    else:
        snapshot.component, snapshot.kind = source, source.kind
    snapshot.save(force_insert=True)
    return snapshot


def content_change(snapshot: Snapshot, *, kept: bool) -> Change:
    """Its content, as it shall be: there, or gone."""
    return Change(
        kind=KIND,
        subject=str(snapshot.owner_id),
        target={"label": snapshot.label, "id": str(snapshot.id), "place": snapshot.place},
        after=dict(KEPT) if kept else None,
    )


def _document(snapshot: Snapshot) -> PlanDocument:
    step = PlannedStep(
        n=1,
        name=CAPTURE,
        system=SYSTEM,
        changes=(plan_change(content_change(snapshot, kept=True), name=snapshot.label),),
    )
    return document_of(CREATION.name, snapshot, (step,))


def _update_state(plan: Plan, _systems: ConnectedSystems) -> None:
    """Keep the state of a snapshot in step with the plan that makes it."""
    states = {
        Plan.State.DONE: Snapshot.State.READY,
        Plan.State.STUCK: Snapshot.State.FAILED,
    }
    state = states.get(Plan.State(plan.state), Snapshot.State.CREATING)
    Snapshot.objects.filter(id=plan.about, state__in=MAKING).update(state=state)


CREATION: Final = PlanKind(
    "snapshot.create", message("plan.snapshot.create"), on_saved=_update_state, owner_sees=True
)
