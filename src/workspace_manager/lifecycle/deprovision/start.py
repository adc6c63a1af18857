"""Draft and approve a removal. Approval sets the person leaving: from that transaction on nothing gives them anything."""

import uuid
from collections.abc import Mapping

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.deprovision.build import KIND, build
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.planning.journal import read, rewrite, store
from workspace_manager.lifecycle.planning.plan import PlanDocument
from workspace_manager.lifecycle.planning.superseding import let_end, supersede, under_way
from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.lifecycle.resources.projects import hand_over
from workspace_manager.lifecycle.roles import lock_administrators, refuse_self_and_last
from workspace_manager.records.models import ApiToken, Person, Plan


def draft(username: str, *, actor: str, driven: DrivenSystems) -> Plan:
    """Make a removal to look at; an earlier draft becomes stale. Raises Refused, and Person.DoesNotExist."""
    with transaction.atomic():
        lock_administrators()
        person = Person.objects.select_for_update().get(username=username)
        _refuse_running(person)
        refuse_self_and_last(person, actor)
        _of(person).filter(state=Plan.State.DRAFT).update(state=Plan.State.STALE, due_at=None)
        plan = store(build(person, driven), actor=actor)
        history.note("removal:drafted", username, actor=actor, plan=str(plan.id))
    return plan


def approve(
    plan_id: uuid.UUID,
    *,
    digest: str,
    actor: str,
    driven: DrivenSystems,
    transfer: Mapping[str, str] | None = None,
) -> Plan:
    """Start a removal exactly as it was shown. Again with the same digest while it runs: nothing happens.

    `transfer`: projects (by id) that go to one of their members (by user name) instead of being deleted; the plan only shrinks.
    Raises Refused when the digest is another, when the plan is stale, or when something new appeared since it was shown.
    """
    with transaction.atomic():
        lock_administrators()
        # The person is locked before the plan is read: of two approvals at once the second finds what the first did.
        subject = Plan.objects.get(id=plan_id).subject
        person = Person.objects.select_for_update().filter(id=subject).first() if subject else None
        plan = Plan.objects.select_for_update().get(id=plan_id)
        if _runs_already(plan, digest):
            return plan
        if person is None:
            raise Refused(f"{plan.person} is not here any more.")
        _refuse_running(person)
        refuse_self_and_last(person, actor)
        with transaction.atomic():
            # Undone again when something was added, and only then.
            hand_over(person, transfer or {}, actor=actor, driven=driven)
            fresh = build(person, driven)
            grown = not fresh.targets() <= read(plan).targets()
            if grown:
                transaction.set_rollback(True)
            else:
                _start(plan, person, fresh, actor=actor, driven=driven)
        if grown:
            Plan.objects.filter(id=plan.id).update(state=Plan.State.STALE, due_at=None)
    if grown:
        raise Refused(
            "Something was added since this plan was shown. Make a new one and look at it again."
        )
    plan.refresh_from_db()
    return plan


def _of(person: Person) -> QuerySet[Plan]:
    return Plan.objects.filter(kind=KIND, subject=str(person.id))


def _runs_already(plan: Plan, digest: str) -> bool:
    """Whether this very plan was approved before. Raises Refused when it can not be approved."""
    if plan.digest != digest:
        if plan.state in {*Plan.OPEN, Plan.State.DONE}:
            raise Refused(
                "This plan runs already, and it is not the one you were shown.", plan=str(plan.id)
            )
        if plan.state == Plan.State.DRAFT:
            raise Refused(
                "This is not the plan you were shown. Look at it again before you approve it."
            )
    if plan.state in {*Plan.OPEN, Plan.State.DONE}:
        return True
    if plan.state != Plan.State.DRAFT:
        raise Refused(f"This plan is {plan.state}. Make a new one.")
    return False


def _refuse_running(person: Person) -> None:
    running = _of(person).filter(state__in=Plan.OPEN).first()
    if running:
        raise Refused(f"{person.username} is being removed already.", plan=str(running.id))


def _start(
    plan: Plan, person: Person, fresh: PlanDocument, *, actor: str, driven: DrivenSystems
) -> None:
    now = timezone.now()
    if fresh.targets() != read(plan).targets():
        signed = plan.digest
        rewrite(plan, fresh)
        Plan.objects.filter(id=plan.id).update(digest=signed)
    _of(person).filter(state=Plan.State.DRAFT).exclude(id=plan.id).update(
        state=Plan.State.STALE, due_at=None
    )
    # What the other plans wrote down before acting is in the records the removal was built from.
    others = Plan.objects.filter(subject=str(person.id), state__in=Plan.OPEN)
    calls = under_way(driven, subject=str(person.id), plans=supersede(others.exclude(id=plan.id)))
    let_end(plan, calls)
    Plan.objects.filter(id=plan.id).update(
        state=Plan.State.RUNNING,
        approved_at=now,
        approved_by=actor,
        due_at=now,
        # Whoever looks for the preview finds the lease gone.
        fence=F("fence") + 1,
        lease_owner="",
        lease_until=None,
    )
    person.state, person.is_active = Person.State.LEAVING, False
    person.save(update_fields=["state", "is_active"])
    ApiToken.objects.filter(person=person).delete()
    end_sessions(person)
    history.note(
        "removal:approved", person.username, actor=actor, plan=str(plan.id), digest=plan.digest
    )


def end_sessions(person: Person) -> None:
    """End every session of a person here. Sessions are few: they are read, not indexed by person."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.id):
            session.delete()
