"""Components: databases and repositories, made and removed by plans.

Every name is reserved in our records before the first call: what a killed creation may have left is
found and removed by it.

See docs/explanation/components.md#kinds.
"""

import uuid
from types import ModuleType
from typing import Final

from django.db import transaction

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Message
from workspace_manager.core import access, audit
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import Vault, planned, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.records.models import Component, Person, Plan, Project
from workspace_manager.work import accounts, public_read, repositories, sharing, sql_databases
from workspace_manager.work.bounds import refuse_too_many
from workspace_manager.work.labels import checked_label
from workspace_manager.work.locking import lock_active, lock_component, lock_staying
from workspace_manager.work.messages import message

KINDS = {
    Component.Kind.SQL_DATABASE: sql_databases,
    Component.Kind.TRIPLESTORE_REPOSITORY: repositories,
}


def _made_by(kind: str, systems: ConnectedSystems) -> ModuleType:
    """What makes this kind of component. Raises BadInput for a kind that is none, Refused when its
    system is not configured.
    """
    made_by = KINDS.get(Component.Kind(kind)) if kind in Component.Kind.values else None
    if made_by is None:
        raise BadInput({"kind": message("kinds", kinds=", ".join(KINDS))})
    if not systems.configured(made_by.SYSTEM):
        raise Refused(of_core("not_configured", system=label_of(made_by.SYSTEM)))
    return made_by


def create(
    owner: Person, *, kind: str, label: str, project: Project | None, systems: ConnectedSystems
) -> tuple[Component, Plan]:
    """Reserve the names, keep a fresh secret, and store the plan that makes the thing.

    Raises BadInput for a kind or label that cannot be, Refused when the system is not configured,
    when the person is not active or does not share the project, or when the account cannot be or
    belongs to somebody else.
    """
    made_by = _made_by(kind, systems)
    label = checked_label(label)
    with transaction.atomic():
        owner = lock_active(owner)
        refuse_too_many(owner, CREATION)
        project = lock_staying(project.id) if project else None
        if project and not access.shares(owner, project):
            raise Refused(message("not_shared_any_more"))
        account = accounts.name_for(owner, made_by.USER, made_by.account_name, systems)
        fresh = accounts.reserve(owner, made_by.USER, account)
        component_id = uuid.uuid4()
        component = Component.objects.create(
            id=component_id,
            owner=owner,
            kind=kind,
            label=label,
            project=project,
            name=made_by.resource_name(owner.username, label, component_id.hex[:10]),
        )
        vault = Vault()
        secrets = accounts.kept_secrets(vault, owner, made_by.USER, account, fresh=fresh)
        steps = made_by.creation(component, account, systems, new=fresh, secrets=secrets)
        plan = store(
            _document(CREATION.name, component, steps),
            actor=owner.username,
            state=Plan.State.RUNNING,
            vault=vault,
        )
        audit.note(
            "component:requested",
            owner.username,
            actor=owner.username,
            id=str(component.id),
            kind=kind,
        )
    return component, plan


def impossible(person: Person, systems: ConnectedSystems) -> dict[str, Message]:
    """The kinds that a person cannot have, and why: the system cannot have an account of that
    name. Asked before anything is asked for.
    """
    found: dict[str, Message] = {}
    for kind, made_by in KINDS.items():
        if not systems.configured(made_by.SYSTEM):
            continue
        try:
            accounts.name_for(person, made_by.USER, made_by.account_name, systems)
        except Refused as cannot:
            found[str(kind)] = cannot.message
    return found


def rename(component: Component, label: str, *, actor: str) -> Component:
    """Call a component something else; what it is called in its system never changes.

    Raises BadInput for a label that cannot be, Refused for a component that is gone or going.
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
        audit.note("component:renamed", current.owner.username, actor=actor, id=str(current.id))
    return current


def move(
    component: Component, project: Project | None, *, actor: str, systems: ConnectedSystems
) -> list[Plan]:
    """Put a component into another project, or none; gives the plans that settle who may use it.
    Raises Refused.
    """
    with transaction.atomic():
        current = lock_component(component.id, *([project] if project else []))
        if current is None:
            raise Refused(message("component_gone"))
        if current.owner.state == Person.State.LEAVING:
            raise Refused(message("component_goes", name=current.owner.username))
        project = lock_staying(project.id) if project else None
        if project and not access.shares(current.owner, project):
            raise Refused(message("owner_does_not_share"))
        concerned = [
            p for place in (current.project, project) if place for p in access.sharers(place)
        ]
        current.project = component.project = project
        current.save(update_fields=["project"])
        audit.note("component:moved", current.owner.username, actor=actor, id=str(current.id))
        return sharing.settle_all(
            dict.fromkeys(concerned),
            about=str(component.id),
            actor=actor,
            systems=systems,
            components=[current],
        )


def delete(component: Component, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Store the plan that removes a component and what it owns. Raises Refused while one does
    already.
    """
    made_by = KINDS[Component.Kind(component.kind)]
    if not systems.configured(made_by.SYSTEM):
        raise Refused(message("not_configured", system=label_of(made_by.SYSTEM)))
    with transaction.atomic():
        owner = Person.objects.select_for_update().get(id=component.owner_id)
        if owner.state == Person.State.LEAVING:
            raise Refused(message("component_goes", name=owner.username))
        current = Component.objects.select_for_update().filter(id=component.id).first()
        if current is None or current.state == Component.State.DELETING:
            raise Refused(message("component_deleting"))
        making = Plan.objects.filter(
            about=str(component.id),
            kind__in=(CREATION.name, public_read.PUBLISHING.name),
            state__in=Plan.OPEN,
        )
        calls = under_way(systems, plans=supersede(making))
        component.state = current.state = Component.State.DELETING
        current.save(update_fields=["state"])
        steps = made_by.deletion(current)
        record = Change(
            kind="records.component",
            subject=str(current.owner_id),
            target={"id": str(current.id), "label": current.label},
        )
        last = PlannedStep(
            n=len(steps) + 1,
            name="delete_record",
            system="records",
            needs=tuple(s.n for s in steps),
            changes=(planned(record, name=current.label),),
        )
        document = _document(DELETION.name, current, (*steps, last))
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        audit.note(
            "component:deletion_requested",
            owner.username,
            actor=actor,
            id=str(component.id),
        )
    return plan


def downstream(component: Component) -> list[Change]:
    """What a component owns in other systems, as removals: its database or repository, not its
    owner's account.
    """
    made_by = KINDS.get(Component.Kind(component.kind))
    return made_by.downstream(component) if made_by else []


def _document(kind: str, component: Component, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    return PlanDocument(
        kind=kind,
        person=component.owner.username,
        subject=str(component.owner_id),
        about=str(component.id),
        steps=steps,
    )


def _made(plan: Plan, systems: ConnectedSystems) -> None:
    """Keep the state of a component in step with the plan that makes it; once it is ready, others
    who share its project use it too.
    """
    found = lock_component(plan.about)
    if found is None or found.state == Component.State.DELETING:
        return
    states = {
        Plan.State.DONE: Component.State.READY,
        Plan.State.WAITING: Component.State.WAITING,
        Plan.State.STUCK: Component.State.FAILED,
    }
    found.state = states.get(Plan.State(plan.state), Component.State.CREATING)
    found.save(update_fields=["state"])
    if found.state == Component.State.READY and found.project:
        sharing.settle_all(
            access.sharers(found.project),
            about=plan.about,
            actor=plan.created_by,
            systems=systems,
            components=[found],
        )
    if plan.state == Plan.State.DONE:
        repositories.follow_account(plan)


def _deleted(plan: Plan, _systems: ConnectedSystems) -> None:
    """After a deletion, forget the account that went with the last component that used it."""
    if plan.state != Plan.State.DONE:
        return
    repositories.follow_account(plan)


CREATION: Final = PlanKind(
    "component.create", desired=sharing.desired, on_saved=_made, owner_sees=True
)
DELETION: Final = PlanKind(
    "component.delete", desired=sharing.desired, on_saved=_deleted, owner_sees=True
)
