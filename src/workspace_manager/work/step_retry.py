"""Retry stuck or waiting steps of a component or stack, for everybody who may change it: its
creation, its deletion, or its publication.

Owners can do nothing else with a plan. Skipping a step, marking it as done by hand, and resuming a
paused system stay with administrators. A wait that no retry can shorten is left alone: a paused
system, a suspended owner, or a call that may still run.

See docs/explanation/components.md#trying-again.
"""

from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.accounts import public_read
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import actions
from workspace_manager.knowledge_stacks.messages import message
from workspace_manager.records.models import Component, Plan, PlanStep, Stack
from workspace_manager.work import components, stacks

KINDS: Final = (
    components.CREATION.name,
    components.DELETION.name,
    components.RESTORATION,
    public_read.PUBLISHING.name,
    stacks.CREATION.name,
    stacks.DELETION.name,
)
"""Without plans of other people's access, which are about their accounts."""
HELD: Final = (PlanStep.State.WAITING, PlanStep.State.STUCK)
NOT_BY_TRYING: Final = ("paused", "suspended", "under_way")
"""Causes that end by other events."""


def retryable_steps(thing: Component | Stack) -> QuerySet[PlanStep]:
    """Return the steps that a retry can help; for a part those of its whole stack, which is made
    and deleted as one.
    """
    return _steps(thing).exclude(cause__in=NOT_BY_TRYING)


def retry(thing: Component | Stack, *, actor: str) -> Plan:
    """Retry every such step now; return the plan. Raises Refused if nothing is stuck or waits, and
    with the reason if no retry helps.
    """
    with transaction.atomic():
        plans = list(_plans(thing).select_for_update().order_by("id"))
        steps = list(retryable_steps(thing).order_by("plan_id", "n"))
        if not steps:
            _refuse(thing, plans)
        for step in steps:
            actions.retry(step.plan, step.n, actor=actor)
    return steps[0].plan


def _plans(thing: Component | Stack) -> QuerySet[Plan]:
    of_stack = thing.stack_id if isinstance(thing, Component) else None
    about = [str(one) for one in (thing.id, of_stack) if one]
    return Plan.objects.filter(about__in=about, kind__in=KINDS, state__in=Plan.OPEN)


def _steps(thing: Component | Stack) -> QuerySet[PlanStep]:
    rows = PlanStep.objects.filter(plan__in=_plans(thing), state__in=HELD)
    return rows.select_related("plan")


def _refuse(thing: Component | Stack, plans: list[Plan]) -> None:
    waiting = _steps(thing).exclude(reason=None).order_by("n").first()
    if waiting is None or waiting.reason is None:
        raise Refused(message("nothing_held", label=thing.label))
    why = message("not_by_trying", label=thing.label, reason=waiting.reason)
    raise Refused(why, plan=str(plans[0].id))
