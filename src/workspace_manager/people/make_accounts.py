"""Accounts that an approval makes, in systems that make none at the first sign-in
(`SystemSpec.made_at_approval`).

The approval does not wait for them. Accounts that such a plan is about to make are recorded for the
name, so that a removal finds them. An existing account of somebody else is a Conflict for a person
to decide, and is not recorded.
"""

from collections.abc import Iterator
from typing import Final

from django.db import transaction

from workspace_manager.audit import plan_notes
from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.connector import Change
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.system import DesiredState, Holder
from workspace_manager.core.account_link import account_name
from workspace_manager.core.connected_systems import ConnectedSystems, unknown_kind
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.policy import with_policies
from workspace_manager.engine.rows import change_of, plan_change, store
from workspace_manager.people.messages import message
from workspace_manager.records.models import Account, Person, Plan, PlanChange, Registration
from workspace_manager.systems import Spec

_SENT: Final = (PlanChange.State.RUNNING, PlanChange.State.DONE, PlanChange.State.ALREADY)


def make_accounts(registration: Registration, systems: ConnectedSystems) -> Plan | None:
    """Store the plan, in the transaction of the approval; None if no system makes accounts."""
    return store_making(registration, list(_wished(registration, systems)), systems)


def store_making(
    registration: Registration,
    wished: list[tuple[Spec, tuple[DesiredState, ...]]],
    systems: ConnectedSystems,
) -> Plan | None:
    """Store the plan that reaches these states; None if there are none."""
    steps = [
        PlannedStep(
            n=n,
            name=f"make_{spec.name}_accounts",
            system=spec.name,
            changes=tuple(plan_change(_change(wish)) for wish in wishes),
            label=spec.step_labels.get(f"make_{spec.name}_accounts")
            or message("step_make", system=spec.label),
        )
        for n, (spec, wishes) in enumerate(wished, start=1)
    ]
    if not steps:
        return None
    document = PlanDocument(
        kind=MAKING.name,
        person=registration.username,
        subject=str(registration.id),
        about=str(registration.id),
        sub=registration.sub,
        steps=with_policies(steps, systems),
    )
    return store(document, actor=MANAGER, state=Plan.State.RUNNING)


def belongs_to(person: Person, sub: str) -> None:
    """Make it the person's plan, so that a removal waits for its calls."""
    registrations = Registration.objects.filter(sub=sub).values_list("id", flat=True)
    about = [str(one) for one in registrations]
    plans = Plan.objects.filter(kind=MAKING.name, about__in=about)
    with transaction.atomic(), plan_notes.changing(list(plans.values_list("id", flat=True))):
        plans.update(subject=str(person.id))


def _wished(
    registration: Registration, systems: ConnectedSystems
) -> Iterator[tuple[Spec, tuple[DesiredState, ...]]]:
    holder = Holder(registration.username, registration.sub)
    for spec, settings in systems.specs():
        if spec.made_at_approval is None or not systems.configured(spec.name):
            continue
        try:
            wishes = spec.made_at_approval(settings, holder)
        except ConnectorError:
            # The step is stuck and says why; no approval waits for it.
            wishes = (DesiredState(unknown_kind(spec.name), {"person": registration.username}),)
        if wishes:
            yield spec, wishes


def _change(wish: DesiredState) -> Change:
    return Change(
        kind=wish.kind,
        subject="",
        target=dict(wish.target),
        after=wish.after,
        new=wish.after is not None,
    )


def _record(plan: Plan, _systems: ConnectedSystems) -> None:
    """Record accounts for every call that was sent, whatever its answer."""
    rows = PlanChange.objects.filter(step__plan=plan, state__in=_SENT).select_related("step")
    person = Person.objects.filter(id=plan.subject).first()
    for row in rows:
        name = account_name(row.kind, change_of(row).target)
        Account.objects.get_or_create(
            system=row.step.system,
            kind=row.kind,
            name=name,
            gone_at=None,
            defaults={"username": plan.person, "person": person, "made_by_us": True},
        )


MAKING: Final = PlanKind("approval.accounts", message("plan.approval.accounts"), on_saved=_record)
