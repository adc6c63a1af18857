"""A snapshot is brought back as a new component: made as every component is, then its content."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db import transaction
from pydantic import JsonValue

from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.row_locks import lock_active
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlannedStep, parsed
from workspace_manager.engine.rows import Vault, plan_change, read, store
from workspace_manager.engine.supersede import supersede
from workspace_manager.knowledge_stacks.recipe import choose_again, lock_parts
from workspace_manager.knowledge_stacks.stack_choice import StackChoice
from workspace_manager.records.models import Component, Person, Plan, Project, Snapshot, Stack
from workspace_manager.snapshots import restored_content
from workspace_manager.snapshots.content import SYSTEM, facts_of
from workspace_manager.snapshots.content_in_place import gives_way
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.work import component_end, components, sharing, stacks
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.reservation import ComponentSpec, lock_shared, place_behind, reserve

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
    made_again = _choose_again(snapshot, systems)
    with transaction.atomic():
        owner, project, current = lock_restore(snapshot, project)
        vault = Vault()
        chosen = None
        if made_again:
            chosen = lock_parts(owner, made_again.choice, made_again.recipe)
        component, steps = reserve(
            ComponentSpec(owner, label, project), current.kind, systems, vault, chosen=chosen
        )
        plan = store_restore(
            current,
            component,
            _add_restore(current, component, steps, made_again),
            remarks=made_again.remarks if made_again else (),
            parts={},
            vault=vault,
            actor=actor,
        )
    return component, plan


def lock_restore(
    snapshot: Snapshot, project: Project | None
) -> tuple[Person, Project | None, Snapshot]:
    """Lock and return what a restore as something new needs: the owner, the project and the
    snapshot. Raises Refused.
    """
    owner = lock_active(snapshot.owner)
    refuse_too_many(owner, RESTORATION)
    return owner, lock_shared(owner, project), lock_restored(snapshot)


def store_restore(
    snapshot: Snapshot,
    made: Component | Stack,
    steps: tuple[PlannedStep, ...],
    *,
    remarks: tuple[Message, ...],
    parts: Mapping[str, str],
    vault: Vault,
    actor: str,
) -> Plan:
    """Store the plan that makes a component or a stack of a snapshot, and note who asked for it.
    `parts`: the steps of each part of a stack, as `stacks.number_steps` gives them.
    """
    captured = {**parts, SNAPSHOT: str(snapshot.id)}
    document = document_of(RESTORATION.name, made, steps, remarks=remarks, captured=captured)
    plan = store(document, actor=actor, state=Plan.State.RUNNING, vault=vault)
    as_what = {"stack" if isinstance(made, Stack) else "component": str(made.id)}
    note(
        "snapshot:restore_requested",
        made.owner.username,
        actor=actor,
        id=str(snapshot.id),
        **as_what,
    )
    return plan


def lock_restored(snapshot: Snapshot) -> Snapshot:
    """The snapshot as it is now. Raises Refused for one that is not ready or that another plan
    restores.
    """
    current = Snapshot.objects.select_for_update(of=("self",)).filter(id=snapshot.id).first()
    if current is None or current.state == Snapshot.State.DELETING:
        raise Refused(message("gone"))
    if current.state != Snapshot.State.READY:
        raise Refused(message("not_finished", label=current.label))
    refuse_restored(current)
    return current


def refuse_restored(snapshot: Snapshot) -> None:
    """Raise Refused for a snapshot that a plan restores. A restore in place that is stuck before it
    replaced anything ends instead: nobody has to wait for what does not go on by itself.
    """
    plan = open_restores([snapshot]).get(snapshot.id)
    if plan is None:
        return
    if not gives_way(plan):
        raise Refused(message("being_restored", label=snapshot.label), plan=str(plan.id))
    supersede(Plan.objects.filter(id=plan.id))


def _add_restore(
    snapshot: Snapshot,
    component: Component,
    steps: tuple[PlannedStep, ...],
    made_again: "_MadeAgain | None",
) -> tuple[PlannedStep, ...]:
    """Return the steps that make a component, with the one that loads its content."""
    if made_again:
        # Its content is there, and counted, before a program of it changes anything.
        return (restore_step(snapshot, component), *place_behind(steps, 2, (1,)))
    needs = tuple(step.n for step in steps)
    return (*steps, restore_step(snapshot, component, n=len(steps) + 1, needs=needs))


@dataclass(frozen=True)
class _MadeAgain:
    """A knowledge stack that is made as it was."""

    choice: StackChoice
    recipe: dict[str, JsonValue]
    remarks: tuple[Message, ...]


def _choose_again(snapshot: Snapshot, systems: ConnectedSystems) -> _MadeAgain | None:
    """None for what is made by its name alone. Raises Refused, and the five errors of the store."""
    if snapshot.kind != Component.Kind.KNOWLEDGE_STACK or snapshot.state != Snapshot.State.READY:
        return None
    manifest = open_reader(snapshot).manifest
    recipe = facts_of(manifest).recipe
    chosen = choose_again(snapshot.owner, recipe, systems)
    return _MadeAgain(chosen, recipe, (message("second_copy", bytes=manifest.largest_part),))


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


def restore_step(
    snapshot: Snapshot,
    component: Component,
    *,
    n: int = 1,
    needs: tuple[int, ...] = (),
    folder: str = "",
) -> PlannedStep:
    """The step that loads the content. `folder`: of the part of a stack that it is."""
    change = Change(
        kind=restored_content.KIND,
        subject=str(component.owner_id),
        target={
            "label": component.label,
            "id": str(component.id),
            "snapshot": str(snapshot.id),
            **({restored_content.FOLDER: folder} if folder else {}),
        },
        after=dict(restored_content.RESTORED),
    )
    return PlannedStep(
        n=n,
        name=RESTORE,
        system=SYSTEM,
        needs=needs,
        changes=(plan_change(change, name=component.label),),
    )


def _follow(plan: Plan, systems: ConnectedSystems) -> None:
    """Keep the state of what is made in step with the plan: a stack, or a component."""
    if not Stack.objects.filter(id=plan.about).exists():
        components.CREATION.on_saved(plan, systems)
        return
    captured = read(plan).captured
    parts = {name: numbers for name, numbers in captured.items() if name != SNAPSHOT}
    stacks.follow_parts(plan, parts, systems)


RESTORATION: Final = PlanKind(
    components.RESTORATION,
    message("plan.snapshot.restore"),
    desired=sharing.desired,
    on_saved=_follow,
    owner_sees=True,
)
