"""Draft and approve a removal. Approval sets the person leaving: from that transaction on nothing
gives them anything.
"""

import uuid
from collections.abc import Mapping

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from workspace_manager.contract.message import Person as Named
from workspace_manager.core import audit
from workspace_manager.core.administrators import lock_administrators, refuse_self_and_last
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.core.sessions import end_sessions
from workspace_manager.core.wake import wake_plan
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import read, shrink
from workspace_manager.engine.supersede import let_end, supersede, under_way
from workspace_manager.records.models import ApiToken, Person, Plan
from workspace_manager.removal.build import build
from workspace_manager.removal.draft import of, refuse_running
from workspace_manager.removal.messages import message
from workspace_manager.work.handing_over import hand_over


def approve_removal(
    plan_id: uuid.UUID,
    *,
    digest: str,
    actor: str,
    systems: ConnectedSystems,
    transfer: Mapping[str, str] | None = None,
) -> Plan:
    """Start a removal exactly as it was shown. Again with the same digest while it runs: nothing
    happens.

    `transfer`: projects (by id) that go to one of their members (by user name) instead of being
    deleted; the plan only shrinks. Raises Refused when the digest is another, when the plan is
    stale, or when something new appeared since it was shown.
    """
    with transaction.atomic():
        lock_administrators()
        # The person is locked before the plan is read: of two approvals at once the second finds
        # what the first did.
        subject = Plan.objects.get(id=plan_id).subject
        person = Person.objects.select_for_update().filter(id=subject).first() if subject else None
        plan = Plan.objects.select_for_update().get(id=plan_id)
        if _runs_already(plan, digest):
            return plan
        if person is None:
            raise Refused(message("not_here", person=Named(person=plan.person)))
        refuse_running(person)
        refuse_self_and_last(person, actor)
        with transaction.atomic():
            # Undone again when something was added, and only then.
            hand_over(person, transfer or {}, actor=actor, systems=systems)
            fresh = build(person, systems)
            grown = not fresh.targets() <= read(plan).targets()
            if grown:
                transaction.set_rollback(True)
            else:
                _start(plan, person, fresh, actor=actor, systems=systems)
        if grown:
            Plan.objects.filter(id=plan.id).update(state=Plan.State.STALE, due_at=None)
    if grown:
        raise Refused(message("grown"))
    plan.refresh_from_db()
    return plan


def _runs_already(plan: Plan, digest: str) -> bool:
    """Whether this very plan was approved before. Raises Refused when it can not be approved."""
    if plan.digest != digest:
        if plan.state in {*Plan.OPEN, Plan.State.DONE}:
            raise Refused(message("another_runs"), plan=str(plan.id))
        if plan.state == Plan.State.DRAFT:
            raise Refused(message("not_as_shown"))
    if plan.state in {*Plan.OPEN, Plan.State.DONE}:
        return True
    if plan.state != Plan.State.DRAFT:
        raise Refused(message("plan_is", state=plan.state))
    return False


def _start(
    plan: Plan, person: Person, fresh: PlanDocument, *, actor: str, systems: ConnectedSystems
) -> None:
    now = timezone.now()
    if fresh.targets() != read(plan).targets():
        shrink(plan, fresh)
    of(person).filter(state=Plan.State.DRAFT).exclude(id=plan.id).update(
        state=Plan.State.STALE, due_at=None
    )
    # What the other plans wrote down before acting is in the records the removal was built from.
    others = Plan.objects.filter(subject=str(person.id), state__in=Plan.OPEN)
    calls = under_way(systems, subject=str(person.id), plans=supersede(others.exclude(id=plan.id)))
    let_end(plan, calls)
    Plan.objects.filter(id=plan.id).update(
        state=Plan.State.RUNNING,
        approved_at=now,
        approved_by=actor,
        due_at=now,
        # Whoever looks for the preview finds the lease gone.
        lease_number=F("lease_number") + 1,
        lease_owner="",
        lease_until=None,
    )
    wake_plan(plan.id)
    person.state, person.is_active = Person.State.LEAVING, False
    person.save(update_fields=["state", "is_active"])
    ApiToken.objects.filter(person=person).delete()
    end_sessions(person)
    audit.note(
        "removal:approved", person.username, actor=actor, plan=str(plan.id), digest=plan.digest
    )
