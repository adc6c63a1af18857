"""Whoever may change a component or a stack has what is stuck on it, or waits, tried again now: its
making, its deletion, or its opening to everybody.

That is all an owner can do with a plan. To leave a step out, to say that it was done by hand, and
to have a paused system called again stay with administrators. What waits for something that a try
cannot shorten is not tried: a system that is paused, an owner who is suspended, a call that may
still be under way.

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
    public_read.PUBLISHING.name,
    stacks.CREATION.name,
    stacks.DELETION.name,
)
"""Not what gives others their access: that is about these people's accounts."""
HELD: Final = (PlanStep.State.WAITING, PlanStep.State.STUCK)
NOT_BY_TRYING: Final = ("paused", "suspended", "under_way")
"""Causes that are over when something else happens."""


def retryable_steps(thing: Component | Stack) -> QuerySet[PlanStep]:
    """The steps that a new try may help. Of a part these are those of its whole stack, which is
    made and deleted as one.
    """
    return _steps(thing).exclude(cause__in=NOT_BY_TRYING)


def retry(thing: Component | Stack, *, actor: str) -> Plan:
    """Try every such step again now; gives the plan. Raises Refused for a thing of which nothing
    is stuck or waits, and with the reason where that is none that a try ends.
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
