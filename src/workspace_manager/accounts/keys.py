"""Service keys: the credential of a person in one system, or of a program for one component,
revealed to its owner once and then forgotten here.
"""

from collections.abc import Iterable
from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.accounts import accounts, machine_accounts
from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.messages import message
from workspace_manager.accounts.renewal import lock_key, refuse_under_way
from workspace_manager.accounts.row_locks import lock_active, lock_component
from workspace_manager.audit.note import note
from workspace_manager.contract.connector import Change
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems, label_of
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.plan_names import declare_step
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import Vault, plan_change, store
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.records.models import Component, Person, Plan, ServiceKey

CREATE: Final = declare_step("create_machine_account", message)
REMOVE: Final = declare_step("remove_machine_account", message)


def reveal(key: ServiceKey, *, by: Person) -> Secret:
    """Give the secret to its owner, once. Raises Refused when it was revealed already, or is not in
    force yet.
    """
    with transaction.atomic():
        key = lock_key(key)
        if key.used_by is not None:
            raise Refused(message("key_of_stack", label=key.used_by.label))
        if key.secret is not None or key.next_secret is not None:
            refuse_under_way(key)
        if key.secret is None:
            raise Refused(message("revealed"))
        secret: Secret = key.secret
        key.secret, key.revealed_at = None, timezone.now()
        key.save(update_fields=["secret", "revealed_at"])
        note("service_key:revealed", key.owner.username, actor=by.username, system=key.system)
    return secret


def rename(key: ServiceKey, label: str, *, by: Person) -> ServiceKey:
    """Call a key something else; the account keeps its name.

    Raises BadInput for a label that cannot be, Refused for a key that is gone.
    """
    label = checked_label(label)
    with transaction.atomic():
        current = lock_key(key)
        current.label = label
        current.save(update_fields=["label"])
        note("service_key:renamed", current.owner.username, actor=by.username, system=key.system)
    return current


def create(
    component: Component, purpose: str, *, actor: str, systems: ConnectedSystems
) -> tuple[ServiceKey, Plan]:
    """Write a machine key of the component's owner down, and store the plan that makes its account.

    Raises BadInput for a purpose that cannot be, Refused for an owner who is not active, a
    component that is not ready, and a purpose that has a key.
    """
    with transaction.atomic():
        owner = lock_active(component.owner)
        refuse_too_many(owner, CREATION)
        current = lock_component(component.id)
        if current is None:
            raise Refused(message("component_gone"))
        if current.state != Component.State.READY:
            raise Refused(message("component_not_ready", label=current.label))
        key = machine_accounts.reserve(owner, current, purpose=purpose)
        vault = Vault()
        step = PlannedStep(
            n=1,
            name=CREATE,
            system=key.system,
            changes=machine_accounts.creation(key, vault, systems),
        )
        plan = store(
            _document(CREATION.name, key, (step,)),
            actor=actor,
            state=Plan.State.RUNNING,
            vault=vault,
        )
        note(
            "service_key:requested",
            owner.username,
            actor=actor,
            system=key.system,
            account=key.account,
        )
    return key, plan


def delete(key: ServiceKey, *, actor: str, systems: ConnectedSystems) -> Plan:
    """Store the plan that takes a machine key's account away, whatever else is on its way to it.
    Raises Refused for a personal key, one that a knowledge stack uses, and one that goes already.
    """
    with transaction.atomic():
        owner = Person.objects.select_for_update().get(id=key.owner_id)
        current = lock_key(key)
        _refuse_keeping(current, owner, systems)
        others = Plan.objects.filter(about=str(current.id), state__in=Plan.OPEN)
        calls = under_way(systems, plans=supersede(others))
        record = Change(
            kind="records.service_key",
            subject=str(owner.id),
            target={"id": str(current.id), "label": current.label},
        )
        steps = (
            PlannedStep(
                n=1,
                name=REMOVE,
                system=current.system,
                changes=tuple(map(plan_change, machine_accounts.removal(current))),
            ),
            PlannedStep(
                n=2,
                name=accounts.DELETE_RECORD,
                system="records",
                needs=(1,),
                changes=(plan_change(record, name=current.label),),
            ),
        )
        document = _document(DELETION.name, current, steps)
        plan = store(document, actor=actor, state=Plan.State.RUNNING)
        let_end(plan, calls)
        note(
            "service_key:deletion_requested",
            owner.username,
            actor=actor,
            system=current.system,
            account=current.account,
        )
    return plan


def _refuse_keeping(key: ServiceKey, owner: Person, systems: ConnectedSystems) -> None:
    """Raises Refused for what does not go by itself."""
    if key.component_id is None:
        raise Refused(message("personal_key_stays", system=label_of(key.system)))
    if key.used_by is not None:
        raise Refused(message("key_of_stack", label=key.used_by.label))
    if owner.state == Person.State.LEAVING:
        raise Refused(message("key_goes", name=owner.username))
    going = Plan.objects.filter(about=str(key.id), kind=DELETION.name, state__in=Plan.OPEN).first()
    if going is not None:
        raise Refused(message("key_going"), plan=str(going.id))
    if not systems.configured(key.system):
        raise Refused(of_core("not_configured", system=label_of(key.system)))


def _document(kind: str, key: ServiceKey, steps: tuple[PlannedStep, ...]) -> PlanDocument:
    return PlanDocument(
        kind=kind,
        person=key.owner.username,
        subject=str(key.owner_id),
        about=str(key.id),
        steps=steps,
    )


def under_way_with(found: Iterable[ServiceKey]) -> dict[str, Plan]:
    """The open plan that is about each key, by the key's id; asked once for many."""
    plans = Plan.objects.filter(about__in=[str(key.id) for key in found], state__in=Plan.OPEN)
    return {plan.about: plan for plan in plans}


def _desired(change: Change) -> Change:
    return machine_accounts.desired(change) or change


CREATION: Final = PlanKind(
    "service_key.create", message("plan.service_key.create"), desired=_desired, owner_sees=True
)
DELETION: Final = PlanKind(
    "service_key.delete", message("plan.service_key.delete"), desired=_desired, owner_sees=True
)
