"""Stop plans for good, and give the calls they had under way time to end.

A superseded plan may have sent something a moment ago whose effect is still to come
(docs/explanation/connectors.md#an-unsure-answer-is-not-a-no). Whatever replaces it looks only when
that time is over, and only where it matters: nothing else waits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, QuerySet

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.messages import message, under_way_at
from workspace_manager.engine.rows import change_of, empty_vault
from workspace_manager.records.models import Plan, PlanChange, PlanStep

LONGEST_CALL_S = 600
"""No call takes longer than this: what was sent before is over."""


@dataclass(frozen=True)
class UnderWay:
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
    return stopped


def under_way(
    systems: ConnectedSystems, *, subject: str = "", plans: Iterable[Plan] = ()
) -> list[UnderWay]:
    """Calls that may not have ended: of these plans, and of any plan that gives `subject` something
    or takes it.
    """
    now = database_now()
    recent = PlanChange.objects.filter(
        state=PlanChange.State.RUNNING, sent_at__gt=now - timedelta(seconds=LONGEST_CALL_S)
    ).select_related("step")
    chosen = {plan.id for plan in plans}
    found: list[UnderWay] = []
    for row in recent:
        change = change_of(row)
        if row.step.plan_id not in chosen and not (subject and change.subject == subject):
            continue
        connector = systems.connector(change.kind)
        policy = connector.calls if connector else CallPolicy()
        assert row.sent_at is not None
        until = row.sent_at + timedelta(seconds=policy.connect_s + policy.answer_s)
        if until > now:
            found.append(UnderWay(change.kind, until))
    return found


def let_end(plan: Plan, calls: Iterable[UnderWay]) -> None:
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
