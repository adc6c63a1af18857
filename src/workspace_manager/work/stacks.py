"""Stacks: several components that one plan makes and one plan deletes.

A stack and its parts are listed from the first moment. A part that could not be made waits for a
retry of its step, or for the deletion of everything that was made. A stack is shared, moved and
deleted as a whole, never a part alone.

See docs/explanation/components.md#stacks.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.access import policy
from workspace_manager.accounts import access_grant, repositories
from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.messages import message as of_work
from workspace_manager.accounts.row_locks import lock_active, lock_staying
from workspace_manager.audit.note import note
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import Vault, read, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.knowledge_stacks import stack_choice
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.knowledge_stacks.stack_choice import StackChoice, StackRequest
from workspace_manager.records.models import Component, Person, Plan, PlanStep, Project, Stack
from workspace_manager.work import (
    component_end,
    components,
    loss_letters,
    reservation,
    sharing,
    stack_end,
)
from workspace_manager.work.messages import message as of_projects
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.snapshot_end import EndSnapshots, keep_snapshots


def create(
    owner: Person,
    *,
    label: str,
    project: Project | None,
    wanted: StackRequest | None,
    systems: ConnectedSystems,
) -> tuple[Stack, Plan]:
    """Reserve a stack with all its parts, and store the plan that makes them: the needs of its
    template and the knowledge stack; without a template a database and a repository.

    Raises as the creation of a component does; nothing is stored then.
    """
    label = checked_label(label)
    chosen = stack_choice.choose(owner, wanted, systems) if wanted else None
    kinds = chosen.needed_parts() if chosen else [str(kind) for kind in stack_choice.PARTS]
    with transaction.atomic():
        owner = lock_active(owner)
        refuse_too_many(owner, CREATION)
        project = reservation.lock_shared(owner, project)
        stack = make_row(owner, label, project)
        vault = Vault()
        steps, parts = _parts(stack, kinds, chosen, systems, vault)
        plan = store(
            document_of(CREATION.name, stack, steps, captured=parts),
            actor=owner.username,
            state=Plan.State.RUNNING,
            vault=vault,
        )
        note("stack:requested", owner.username, actor=owner.username, id=str(stack.id))
    return stack, plan


def make_row(owner: Person, label: str, project: Project | None) -> Stack:
    """The record of a stack to be, in the caller's transaction."""
    stack_id = uuid.uuid4()
    return Stack.objects.create(
        id=stack_id, owner=owner, label=label, project=project, name=f"st-{stack_id.hex}"
    )


def _parts(
    stack: Stack,
    kinds: Sequence[str],
    chosen: StackChoice | None,
    systems: ConnectedSystems,
    vault: Vault,
) -> tuple[tuple[PlannedStep, ...], dict[str, str]]:
    """Return the steps of all parts, and their parts. Parts that use others come last."""
    place = reservation.ComponentSpec(stack.owner, stack.label, stack.project, stack)
    steps: tuple[PlannedStep, ...] = ()
    mine: dict[str, tuple[PlannedStep, ...]] = {}
    made: dict[str, Component] = {}
    for kind in kinds:
        part, own = reservation.reserve(place, kind, systems, vault)
        own = reservation.place_behind(own, len(steps) + 1)
        steps, made[kind], mine[str(part.id)] = (*steps, *own), part, own
    if chosen:
        part, own = reservation.reserve(
            place, Component.Kind.KNOWLEDGE_STACK, systems, vault, chosen=chosen.with_parts(made)
        )
        own = reservation.place_behind(own, len(steps) + 1, tuple(step.n for step in steps))
        steps, mine[str(part.id)] = (*steps, *own), own
        stack.address = part.address
        stack.save(update_fields=["address"])
    return steps, number_steps(mine)


def number_steps(parts: Mapping[str, Sequence[PlannedStep]]) -> dict[str, str]:
    """The steps of each part by the part's id, as the document of a plan holds them."""
    return {part: " ".join(str(step.n) for step in own) for part, own in parts.items()}


def lock_stack(stack: Stack) -> Stack:
    """Lock and return the stack. Raises Refused for one that is gone or being deleted."""
    rows = Stack.objects.select_for_update(of=("self",)).select_related("owner", "project")
    current = rows.filter(id=stack.id).first()
    if current is None:
        raise Refused(message("stack_gone"))
    if current.state == Stack.State.DELETING:
        raise Refused(message("stack_deleting"))
    if current.owner.state == Person.State.LEAVING:
        raise Refused(message("stack_goes", name=current.owner.username))
    return current


def parts_of(stack: Stack) -> QuerySet[Component]:
    """The components of a stack, in the order in which they were made."""
    rows = Component.objects.filter(stack=stack).select_related("owner", "project", "stack")
    return rows.order_by("created_at", "id")


def rename(stack: Stack, label: str, *, actor: str) -> Stack:
    """Change a stack's label. Raises BadInput, and Refused for one that is being deleted."""
    label = checked_label(label)
    with transaction.atomic():
        current = lock_stack(stack)
        current.label = label
        current.save(update_fields=["label"])
        note("stack:renamed", current.owner.username, actor=actor, id=str(current.id))
    return current


def move(
    stack: Stack,
    project: Project | None,
    *,
    by: Person,
    systems: ConnectedSystems,
    reason: str = "",
) -> list[Plan]:
    """Move a stack with all its parts into another project, or none; return the plans that update
    access. Raises as `components.move` does.
    """
    with transaction.atomic():
        ids = [one for one in (stack.project_id, project and project.id) if one]
        list(Project.objects.select_for_update().filter(id__in=ids).order_by("id"))
        current = lock_stack(stack)
        project = lock_staying(project.id) if project else None
        if project and not policy.shares(current.owner, project):
            raise Refused(message("stack_owner_does_not_share"))
        access_grant.open_by_move(by, current, project, reason)
        places = [one for one in (current.project, project) if one]
        concerned = [person for place in places for person in policy.sharers(place)]
        parts = list(parts_of(current).select_for_update(of=("self",)))
        Component.objects.filter(stack=current).update(project=project)
        for part in parts:
            part.project = project
        before, current.project = current.project, project
        stack.project = project
        current.save(update_fields=["project"])
        note("stack:moved", current.owner.username, actor=by.username, id=str(current.id))
        loss_letters.tell_of_move(current, before, actor=by.username)
        return sharing.settle_all(
            dict.fromkeys(concerned),
            about=str(current.id),
            actor=by.username,
            systems=systems,
            components=parts,
        )


def delete(
    stack: Stack,
    *,
    actor: str,
    systems: ConnectedSystems,
    keep_volumes: bool = False,
    end_snapshots: EndSnapshots = keep_snapshots,
) -> Plan:
    """Store the plan that deletes all parts, users of others first, and then the stack. Raises
    Refused during its deletion, while a knowledge stack outside uses a part, and for a part in a
    system that is not configured.
    """
    with transaction.atomic():
        owner = Person.objects.select_for_update().get(id=stack.owner_id)
        current = lock_stack(stack)
        parts = list(parts_of(current).select_for_update(of=("self",)))
        for part in parts:
            system = reservation.KINDS[Component.Kind(part.kind)].system
            if not systems.configured(system):
                raise Refused(of_work("not_configured", system=label_of(system)))
            component_end.refuse_used(part)
        kinds = (CREATION.name, components.RESTORATION)
        making = Plan.objects.filter(about=str(current.id), kind__in=kinds, state__in=Plan.OPEN)
        stopped = [
            *supersede(making),
            *(one for part in parts for one in components.stop_plans(part)),
        ]
        calls = under_way(systems, plans=stopped)
        current.state = stack.state = Stack.State.DELETING
        current.save(update_fields=["state"])
        Component.objects.filter(stack=current).update(state=Component.State.DELETING)
        ended = end_snapshots(current)
        document = stack_end.deletion(
            DELETION.name, current, parts, ended, keep_volumes=keep_volumes
        )
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        let_end(plan, [*calls, *ended.calls])
        note("stack:deletion_requested", owner.username, actor=actor, id=str(current.id))
        loss_letters.tell_of_deletion(current, actor=actor, plan=plan.id)
    return plan


def _made(plan: Plan, systems: ConnectedSystems) -> None:
    follow_parts(plan, read(plan).captured, systems)


def follow_parts(plan: Plan, parts: Mapping[str, str], systems: ConnectedSystems) -> None:
    """Keep the states of parts and stack in step with the plan that makes them, part by part.
    `parts`: as `number_steps` gives them.
    """
    rows = {row.n: row.state for row in PlanStep.objects.filter(plan=plan)}
    stack = _locked(plan.about)
    for part, numbers in parts.items():
        states = {rows[int(n)] for n in numbers.split()}
        components.record_outcome(part, _state(states), plan, systems)
    if stack is None or stack.state == Stack.State.DELETING:
        return
    stack.state = _state(set(rows.values()))
    stack.save(update_fields=["state"])
    if plan.state == Plan.State.DONE:
        repositories.follow_account(plan)


def _locked(stack_id: str) -> Stack | None:
    """Lock and return the stack, after its project."""
    seen = Stack.objects.filter(id=stack_id).values("project_id")
    list(Project.objects.select_for_update().filter(id__in=seen))
    return Stack.objects.select_for_update().filter(id=stack_id).first()


def _state(steps: set[str]) -> str:
    """Return the state of a thing from the states of its steps."""
    if steps <= set(PlanStep.ENDED):
        return Component.State.READY
    if PlanStep.State.STUCK in steps:
        return Component.State.FAILED
    return Component.State.WAITING if PlanStep.State.WAITING in steps else Component.State.CREATING


CREATION: Final = PlanKind(
    "stack.create",
    of_projects("plan.stack.create"),
    desired=sharing.desired,
    on_saved=_made,
    owner_sees=True,
)
DELETION: Final = PlanKind(
    "stack.delete",
    of_projects("plan.stack.delete"),
    desired=sharing.desired,
    on_saved=components.forget_account,
    owner_sees=True,
)
