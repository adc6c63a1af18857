"""Components: databases, repositories and knowledge stacks, made and deleted by plans.

Every name is recorded before the first call, so that remains of a crashed creation can be found and
removed.

See docs/explanation/components.md#kinds.
"""

from typing import Final

from django.db import transaction

from workspace_manager.access import policy
from workspace_manager.accounts import access_grant, accounts, public_read, repositories
from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.row_locks import lock_active, lock_component, lock_staying
from workspace_manager.audit.note import note
from workspace_manager.contract.message import Message
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.rows import Vault, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.knowledge_stacks import stack_choice
from workspace_manager.knowledge_stacks.messages import message as of_stacks
from workspace_manager.knowledge_stacks.stack_choice import StackRequest
from workspace_manager.records.models import Component, Person, Plan, Project, Snapshot
from workspace_manager.work import component_end, loss_letters, sharing
from workspace_manager.work.messages import message as of_projects
from workspace_manager.work.plan_document import document_of
from workspace_manager.work.reservation import (
    KINDS,
    ComponentSpec,
    lock_shared,
    made_by,
    reserve,
)
from workspace_manager.work.snapshot_end import EndSnapshots, keep_snapshots


def create(
    owner: Person,
    *,
    kind: str,
    label: str,
    project: Project | None,
    systems: ConnectedSystems,
    wanted: StackRequest | None = None,
) -> tuple[Component, Plan]:
    """Reserve names, keep a new secret, and store the plan that makes the component. `wanted`: the
    template of a knowledge stack.

    Raises BadInput for an invalid kind, label or template; Refused if the system is not configured,
    the person is not active or does not share the project, or the account is impossible or somebody
    else's.
    """
    made_by(kind, systems)
    label = checked_label(label)
    is_stack = kind == Component.Kind.KNOWLEDGE_STACK
    if wanted and not is_stack:
        raise BadInput({"template": of_stacks("template_of_none")})
    chosen = stack_choice.choose(owner, wanted, systems) if is_stack else None
    with transaction.atomic():
        owner = lock_active(owner)
        refuse_too_many(owner, CREATION)
        project = lock_shared(owner, project)
        if chosen and wanted:
            chosen = chosen.with_parts(stack_choice.lock_components(owner, chosen, wanted.uses))
        vault = Vault()
        component, steps = reserve(
            ComponentSpec(owner, label, project), kind, systems, vault, chosen=chosen
        )
        document = document_of(CREATION.name, component, steps)
        actor = owner.username
        plan = store(document, actor=actor, state=Plan.State.RUNNING, vault=vault)
        note("component:requested", actor, actor=actor, id=str(component.id), kind=kind)
    return component, plan


def impossible_kinds(person: Person, systems: ConnectedSystems) -> dict[str, Message]:
    """Return the kinds that a person cannot have, with reasons: the system cannot have an account
    of that name. Makes no calls.
    """
    found: dict[str, Message] = {}
    for kind, maker in KINDS.items():
        own = maker.account
        if own is None or not systems.configured(maker.system):
            continue
        try:
            accounts.name_for(person, own.kind, own.name, systems)
        except Refused as cannot:
            found[str(kind)] = cannot.message
    return found


def rename(component: Component, label: str, *, actor: str) -> Component:
    """Change a component's label; its name in the system never changes.

    Raises BadInput for an invalid label, Refused for a component that is gone or being deleted.
    """
    label = checked_label(label)
    with transaction.atomic():
        current = lock_component(component.id)
        if current is None:
            raise Refused(message("component_gone"))
        if current.state == Component.State.DELETING:
            raise Refused(message("component_deleting"))
        current.label = label
        current.save(update_fields=["label"])
        note("component:renamed", current.owner.username, actor=actor, id=str(current.id))
    return current


def move(
    component: Component,
    project: Project | None,
    *,
    by: Person,
    systems: ConnectedSystems,
    reason: str = "",
) -> list[Plan]:
    """Move a component into another project, or none; return the plans that update access. Raises
    Refused; when it moves into a project, also Forbidden and BadInput as `opening.checked_reason`
    does.
    """
    with transaction.atomic():
        current = lock_component(component.id, *([project] if project else []))
        if current is None:
            raise Refused(message("component_gone"))
        _refuse_part(current)
        if current.owner.state == Person.State.LEAVING:
            raise Refused(message("component_goes", name=current.owner.username))
        project = lock_staying(project.id) if project else None
        if project and not policy.shares(current.owner, project):
            raise Refused(message("owner_does_not_share"))
        access_grant.open_by_move(by, current, project, reason)
        concerned = [
            p for place in (current.project, project) if place for p in policy.sharers(place)
        ]
        before, current.project = current.project, project
        component.project = project
        current.save(update_fields=["project"])
        note("component:moved", current.owner.username, actor=by.username, id=str(current.id))
        loss_letters.tell_of_move(current, before, actor=by.username)
        return sharing.settle_all(
            dict.fromkeys(concerned),
            about=str(component.id),
            actor=by.username,
            systems=systems,
            components=[current],
        )


def delete(
    component: Component,
    *,
    actor: str,
    systems: ConnectedSystems,
    keep_volumes: bool = False,
    end_snapshots: EndSnapshots = keep_snapshots,
) -> Plan:
    """Store the plan that deletes a component and what it owns. `keep_volumes` keeps the volumes of
    a knowledge stack. Raises Refused while it is being deleted, and for a part of a stack.
    """
    system = KINDS[Component.Kind(component.kind)].system
    if not systems.configured(system):
        raise Refused(message("not_configured", system=label_of(system)))
    if keep_volumes and component.kind != Component.Kind.KNOWLEDGE_STACK:
        raise BadInput({"keep_volumes": of_stacks("keep_volumes_of_none")})
    with transaction.atomic():
        owner = Person.objects.select_for_update().get(id=component.owner_id)
        if owner.state == Person.State.LEAVING:
            raise Refused(message("component_goes", name=owner.username))
        current = Component.objects.select_for_update().filter(id=component.id).first()
        if current is None or current.state == Component.State.DELETING:
            raise Refused(message("component_deleting"))
        _refuse_part(current)
        component_end.refuse_used(current)
        stopped = stop_plans(current)
        calls = under_way(systems, plans=stopped)
        component.state = current.state = Component.State.DELETING
        current.save(update_fields=["state"])
        ended = end_snapshots(current)
        document = component_end.deletion_document(
            DELETION.name, current, ended, keep_volumes=keep_volumes
        )
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        let_end(plan, [*calls, *ended.calls])
        note(
            "component:deletion_requested",
            owner.username,
            actor=actor,
            id=str(component.id),
        )
        loss_letters.tell_of_deletion(current, actor=actor, plan=plan.id)
    return plan


def stop_plans(component: Component) -> list[Plan]:
    """Stop whatever makes, replaces or opens a component that is deleted. What a restore in place
    was to keep first is finished by nobody.
    """
    kinds = (
        *(CREATION.name, RESTORATION),
        *(component_end.RESTORING_IN_PLACE, public_read.PUBLISHING.name),
    )
    about = Plan.objects.filter(about=str(component.id), kind__in=kinds, state__in=Plan.OPEN)
    stopped = supersede(about | component_end.key_plans(component))
    making = Snapshot.objects.filter(
        plan__in=[one.id for one in stopped], state=Snapshot.State.CREATING
    )
    making.exclude(consistent=None).update(state=Snapshot.State.READY)
    making.update(state=Snapshot.State.FAILED)
    return stopped


def _refuse_part(component: Component) -> None:
    """Raise Refused for a part of a stack, which stays whole."""
    if component.stack:
        label, stack = component.label, component.stack.label
        raise Refused(of_stacks("part_of_stack", label=label, stack=stack))


def _made(plan: Plan, systems: ConnectedSystems) -> None:
    """Keep a component's state in step with the plan that makes it; once ready, it is shared with
    its project.
    """
    states = {
        Plan.State.DONE: Component.State.READY,
        Plan.State.WAITING: Component.State.WAITING,
        Plan.State.STUCK: Component.State.FAILED,
    }
    state = states.get(Plan.State(plan.state), Component.State.CREATING)
    record_outcome(plan.about, state, plan, systems)
    if plan.state == Plan.State.DONE:
        repositories.follow_account(plan)


def record_outcome(component_id: str, state: str, plan: Plan, systems: ConnectedSystems) -> None:
    """Save the state of a component that a plan makes, and share it once it is ready."""
    found = lock_component(component_id)
    if found is None or found.state in {Component.State.DELETING, state}:
        return
    found.state = state
    found.save(update_fields=["state"])
    if found.state != Component.State.READY:
        return
    # The knowledge stack has its keys now; nobody else needs to see them.
    found.keys_used.update(secret=None)
    if found.project:
        sharing.settle_all(
            policy.sharers(found.project),
            about=component_id,
            actor=plan.created_by,
            systems=systems,
            components=[found],
        )


def forget_account(plan: Plan, _systems: ConnectedSystems) -> None:
    """After a deletion, delete the record of an account that ended with its last component."""
    if plan.state != Plan.State.DONE:
        return
    repositories.follow_account(plan)


RESTORATION: Final = "snapshot.restore"
"""The kind of plan that makes a component from a snapshot (`snapshots/restoration.py`)."""
CREATION: Final = PlanKind(
    "component.create",
    of_projects("plan.component.create"),
    desired=sharing.desired,
    on_saved=_made,
    owner_sees=True,
)
DELETION: Final = PlanKind(
    "component.delete",
    of_projects("plan.component.delete"),
    desired=sharing.desired,
    on_saved=forget_account,
    owner_sees=True,
)
