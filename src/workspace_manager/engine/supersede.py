"""Stop plans for good, and give the calls they had under way time to end.

A superseded plan may have sent something a moment ago whose effect is still to come
(docs/explanation/connectors.md#an-unsure-answer-is-not-a-no). Whatever replaces it looks only when
that time is over, and only where it matters: nothing else waits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q, QuerySet

from workspace_manager.audit import plan_notes
from workspace_manager.contract.connector import CallPolicy, Change
from workspace_manager.core import wake
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.lease import lock_person
from workspace_manager.engine.messages import message, under_way_at
from workspace_manager.engine.rows import change_of, empty_vault
from workspace_manager.records.models import Plan, PlanChange, PlanStep

LONGEST_CALL_S = 600
"""No call takes longer than this: what was sent before is over."""


_UNDER_WAY = Q(state=PlanChange.State.RUNNING, finished_at=None)
"""Sent, and neither written down nor known to have been answered (`answered`)."""


def _calls(now: datetime) -> QuerySet[PlanChange]:
    """Every call that may not have ended."""
    begun_after = now - timedelta(seconds=LONGEST_CALL_S)
    return PlanChange.objects.filter(_UNDER_WAY, sent_at__gt=begun_after)


@dataclass(frozen=True)
class OpenCall:
    """A call somebody sent whose end was not written down. `until`: by then it has ended, one way
    or the other.
    """

    kind: str
    until: datetime


def supersede(plans: QuerySet[Plan]) -> list[Plan]:
    """Stop these plans, in the caller's transaction: who works on one finds its lease lost at the
    next write. Gives them.
    """
    stopped = list(plans.select_for_update().order_by("id"))
    for plan in stopped:
        # A higher number and no lease: nobody can write a result any more, and nobody waits for the
        # one who worked on it.
        Plan.objects.filter(id=plan.id).update(
            state=Plan.State.SUPERSEDED,
            lease_number=F("lease_number") + 1,
            due_at=None,
            lease_owner="",
            lease_until=None,
        )
        empty_vault(plan)
    plan_notes.note([plan.id for plan in stopped])
    return stopped


def outdate(plans: QuerySet[Plan]) -> None:
    """Say of these drafts, in the caller's transaction, that they are not true any more; nothing of
    them is kept that could be used.
    """
    stale = list(plans.filter(state=Plan.State.DRAFT).select_for_update().order_by("id"))
    for plan in stale:
        Plan.objects.filter(id=plan.id).update(state=Plan.State.STALE, due_at=None)
        empty_vault(plan)
    plan_notes.note([plan.id for plan in stale])


def under_way(
    systems: ConnectedSystems, *, subject: str = "", plans: Iterable[Plan] = ()
) -> list[OpenCall]:
    """Calls that may not have ended: of these plans, and of any plan that gives `subject` something
    or takes it.
    """
    now = database_now()
    recent = _calls(now).select_related("step")
    chosen = {plan.id for plan in plans}
    found: list[OpenCall] = []
    for row in recent:
        change = change_of(row)
        if row.step.plan_id not in chosen and not (subject and change.subject == subject):
            continue
        connector = systems.connector(change.kind)
        policy = connector.calls if connector else CallPolicy()
        assert row.sent_at is not None
        longest = policy.connect_s + policy.answer_s
        if change.after is not None:
            longest = max(longest, policy.goes_on_s)
        until = row.sent_at + timedelta(seconds=longest)
        if until > now:
            found.append(OpenCall(change.kind, until))
    return found


def goes_on_for(change: Change, calls: CallPolicy) -> float:
    """Seconds in which what this change is about may yet be made by a call that was not answered:
    any plan's, sent by any process.
    """
    if not calls.goes_on_s:
        return 0
    now = database_now()
    rows = PlanChange.objects.filter(
        _UNDER_WAY, kind=change.kind, sent_at__gt=now - timedelta(seconds=calls.goes_on_s)
    )
    sent = (
        # Sent later than now: the clock was turned back since, and the wait begins anew.
        min(row.sent_at, now)
        for row in rows
        for other in [change_of(row)]
        if row.sent_at and other.after is not None and other.target == change.target
    )
    return max((calls.goes_on_s - (now - one).total_seconds() for one in sent), default=0)


def let_end(plan: Plan, calls: Iterable[OpenCall]) -> None:
    """Have the steps of a new plan that touch the same kinds of things wait until these calls have
    ended. Nothing else waits.
    """
    until: dict[str, datetime] = {}
    for call in calls:
        until[call.kind] = max(call.until, until.get(call.kind, call.until))
    if not until:
        return
    for step in plan.steps.exclude(state__in=PlanStep.ENDED):
        kinds = set(step.changes.values_list("kind", flat=True)) & set(until)
        if not kinds:
            continue
        systems = sorted({kind.partition(".")[0] for kind in kinds})
        step.state, step.cause = PlanStep.State.WAITING, "under_way"
        step.next_try_at = max(until[kind] for kind in kinds)
        step.reason = under_way_at(systems)
        step.advice = message("under_way.advice")
        step.save(update_fields=["state", "cause", "next_try_at", "reason", "advice"])


def note_answer(row: PlanChange) -> None:
    """Note that a call was answered, and let go what waits for it. Of a superseded plan nothing
    else of the answer is written, since nobody asks for it any more.
    """
    now = database_now()
    if not PlanChange.objects.filter(_UNDER_WAY, id=row.id, sent_at=row.sent_at).update(
        finished_at=now
    ):
        return
    waiting = PlanStep.objects.filter(
        state=PlanStep.State.WAITING, cause="under_way", changes__kind=row.kind
    ).exclude(plan=row.step.plan_id)
    for step in waiting.select_related("plan").distinct():
        _go_on(step, now)


def _go_on(step: PlanStep, now: datetime) -> None:
    """Have a step that waited tried now, unless a call to the same kind of thing is still under
    way, whosever it is: then it waits as long as it was told.
    """
    plan = step.plan
    kinds = step.changes.values_list("kind", flat=True)
    others = _calls(now).filter(kind__in=kinds).exclude(step__plan=plan)
    with transaction.atomic():
        if plan.subject:
            lock_person(plan.subject)
        if others.exists():
            return
        still = PlanStep.objects.filter(id=step.id, cause="under_way")
        if still.filter(state=PlanStep.State.WAITING).update(next_try_at=now):
            Plan.objects.filter(id=plan.id, state__in=Plan.OPEN).update(due_at=now)
            wake.notify_worker(plan.id)
