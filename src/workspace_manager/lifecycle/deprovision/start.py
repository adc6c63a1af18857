"""Draft and approve a removal. Approval sets the person leaving: from that transaction on nothing gives them anything."""

import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.lifecycle import history
from workspace_manager.lifecycle.deprovision.build import KIND, build
from workspace_manager.lifecycle.driven import DrivenSystems
from workspace_manager.lifecycle.planning.journal import empty_vault, read, rewrite, store
from workspace_manager.lifecycle.planning.plan import PlanDocument
from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.lifecycle.resources.projects import hand_over
from workspace_manager.records.models import ApiToken, Person, Plan, PlanChange


def draft(username: str, *, actor: str, driven: DrivenSystems) -> Plan:
    """Make a removal to look at; an earlier draft becomes stale. Raises Refused, and Person.DoesNotExist."""
    person = Person.objects.get(username=username)
    with transaction.atomic():
        running = Plan.objects.filter(
            kind=KIND, subject=str(person.id), state__in=Plan.OPEN
        ).first()
        if running:
            raise Refused(f"{username} is being removed already.", plan=str(running.id))
        refuse_self_and_last(person, actor)
        Plan.objects.filter(kind=KIND, subject=str(person.id), state=Plan.State.DRAFT).update(
            state=Plan.State.STALE, due_at=None
        )
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
    plan = Plan.objects.get(id=plan_id)
    if plan.state in Plan.OPEN or plan.state == Plan.State.DONE:
        if plan.digest == digest or plan.document.get("signed") == digest:
            return plan
        raise Refused(
            "This plan runs already, and it is not the one you were shown.", plan=str(plan.id)
        )
    if plan.state != Plan.State.DRAFT:
        raise Refused(f"This plan is {plan.state}. Make a new one.")
    if plan.digest != digest:
        raise Refused(
            "This is not the plan you were shown. Look at it again before you approve it."
        )
    grown = False
    with transaction.atomic():
        person = Person.objects.select_for_update().get(id=plan.subject)
        refuse_self_and_last(person, actor)
        hand_over(person, transfer or {}, actor=actor)
        fresh = build(person, driven)
        grown = not fresh.targets() <= read(plan).targets()
        if grown:
            Plan.objects.filter(id=plan.id).update(state=Plan.State.STALE, due_at=None)
        else:
            _start(plan, person, fresh, actor=actor)
    if grown:
        raise Refused(
            "Something was added since this plan was shown. Make a new one and look at it again."
        )
    plan.refresh_from_db()
    return plan


def _start(plan: Plan, person: Person, fresh: PlanDocument, *, actor: str) -> None:
    changed = Plan.objects.filter(id=plan.id, state=Plan.State.DRAFT).update(
        state=Plan.State.RUNNING,
        approved_at=timezone.now(),
        approved_by=actor,
        fence=plan.fence + 1,
        due_at=_supersede(person, plan),
    )
    if not changed:
        raise Refused("This plan was started or replaced just now. Look again.", plan=str(plan.id))
    if fresh.targets() != read(plan).targets():
        signed = plan.digest
        rewrite(plan, fresh)
        Plan.objects.filter(id=plan.id).update(digest=signed)
    person.state, person.is_active = Person.State.LEAVING, False
    person.save(update_fields=["state", "is_active"])
    ApiToken.objects.filter(person=person).delete()
    end_sessions(person)
    history.note(
        "removal:approved", person.username, actor=actor, plan=str(plan.id), digest=plan.digest
    )


def _supersede(person: Person, removal: Plan) -> datetime:
    """Stop every other open plan of the person; gives when the removal may start.

    What they wrote down before acting is in the records the removal was built from. A call of theirs that may still be under way is
    given its time to end, so that its effect is seen and removed.
    """
    start = timezone.now()
    others = (
        Plan.objects.select_for_update()
        .filter(subject=str(person.id), state__in=Plan.OPEN)
        .exclude(id=removal.id)
    )
    for other in others:
        under_way = PlanChange.objects.filter(
            step__plan=other, state=PlanChange.State.RUNNING
        ).exclude(sent_at=None)
        for row in under_way:
            if row.sent_at:
                start = max(start, row.sent_at + timedelta(seconds=CallPolicy().answer_s))
        # A higher fencing number: the worker that holds it finds its lease lost at its next write.
        Plan.objects.filter(id=other.id).update(
            state=Plan.State.SUPERSEDED, fence=other.fence + 1, due_at=None
        )
        empty_vault(other)
    return start


def refuse_self_and_last(person: Person, actor: str) -> None:
    """Raises Refused: nobody shuts himself out, and one active administrator always stays."""
    if person.username == actor:
        raise Refused("Nobody removes himself. Ask another administrator.")
    others = Person.objects.active_administrators().exclude(id=person.id)
    if person.is_administrator and not others.exists():
        raise Refused(
            f"{person.username} is the last active administrator. Make somebody else one first."
        )


def end_sessions(person: Person) -> None:
    """End every session of a person here. Sessions are few: they are read, not indexed by person."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get("_auth_user_id") == str(person.id):
            session.delete()
