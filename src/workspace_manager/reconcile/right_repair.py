"""Steps that set a right as the records say."""

from typing import Final

from workspace_manager.access import policy
from workspace_manager.accounts import machine_accounts, public_read
from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import Vault, plan_change
from workspace_manager.reconcile import plan as plans
from workspace_manager.reconcile.messages import message
from workspace_manager.reconcile.recorded_things import (
    DATABASE,
    GROUP,
    PUBLIC,
    REPOSITORY,
    component_of,
)
from workspace_manager.records.models import Component, Person, ReconcileItem
from workspace_manager.systems.sql_server import names as sql_names
from workspace_manager.work import settled_steps, sharing

WITH_KEYS: Final = (DATABASE, REPOSITORY)
"""Things that programs have accounts for."""


def settling(item: ReconcileItem, vault: Vault, systems: ConnectedSystems) -> PlanDocument:
    """Build the plan, as a change of memberships does. Raises Refused if the memberships imply
    nothing.
    """
    component = component_of(item.kind, item.name)
    if component is None:
        raise Refused(message("over"))
    whose = item.username or component.owner.username
    person = Person.objects.select_for_update().get(username=whose)
    steps = _steps(item, component, person, vault, systems)
    if not steps:
        raise Refused(message("nothing_to_settle", person=Named(person=person.username)))
    return plans.settling(item, person, steps)


def _steps(
    item: ReconcileItem,
    component: Component,
    person: Person,
    vault: Vault,
    systems: ConnectedSystems,
) -> tuple[PlannedStep, ...]:
    if item.kind == PUBLIC:
        return (public_read.step(component, on=component.public_read),)
    if item.kind == GROUP:
        groups = settled_steps.groups(person, [component], systems)
        return sharing.number_steps([groups] if groups else [])
    if item.kind in WITH_KEYS and machine_accounts.is_machine(item.system, item.holder):
        return sharing.number_steps(_of_machine(item, person, systems))
    steps = sharing.steps_of(
        person,
        systems=systems,
        vault=vault,
        components=[component],
        repositories_too=item.kind == REPOSITORY,
    )
    first = _taken_first(item, component, person)
    return _after(first, steps) if first else steps


def _taken_first(item: ReconcileItem, component: Component, person: Person) -> PlannedStep | None:
    """Return the step that revokes everything first: an account with every right counts as the
    owner's, and an owner's rights are never reduced.
    """
    too_much = item.difference == ReconcileItem.Difference.HOLDER_NOT_SHARED
    if item.kind != DATABASE or not too_much or not policy.uses(person, component):
        return None
    change = Change(
        kind=sql_names.GRANT_KIND,
        subject=str(person.id),
        target=dict(sql_names.grant_target(item.name, item.holder)),
        note=plans.TAKEN_FIRST,
    )
    return _step(plans.TAKE, item, change)


def _after(first: PlannedStep, steps: tuple[PlannedStep, ...]) -> tuple[PlannedStep, ...]:
    """Put a step first, and let all others wait for it."""
    later = (
        step.model_copy(update={"n": step.n + 1, "needs": (1, *(n + 1 for n in step.needs))})
        for step in steps
    )
    return (first, *later)


def _of_machine(
    item: ReconcileItem, person: Person, systems: ConnectedSystems
) -> list[PlannedStep]:
    """Return the steps for a key's account: its rights in the database, or in the whole
    triplestore.
    """
    if item.kind == DATABASE:
        change = Change(
            kind=sql_names.GRANT_KIND,
            subject=str(person.id),
            target=dict(sql_names.grant_target(item.name, item.holder)),
        )
        return [_step(machine_accounts.SETTLE, item, sharing.desired(change))]
    key = machine_accounts.key_of(item.system, item.holder)
    if key is None or key.component is None:
        return []
    return machine_accounts.settling(person, [key.component], systems)


def _step(name: str, item: ReconcileItem, change: Change) -> PlannedStep:
    changes = (plan_change(change, name=item.holder),)
    return PlannedStep(n=1, name=name, system=item.system, changes=changes)
