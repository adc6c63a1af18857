"""Reasons why a creation or deletion is held up, in the words of its stuck or waiting step."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from workspace_manager.contract.message import Message
from workspace_manager.engine.plan import parsed
from workspace_manager.records.models import Component, Plan, PlanStep, Stack
from workspace_manager.work.component_lists import StackPart

NOT_GETTING_ON = (PlanStep.State.STUCK, PlanStep.State.WAITING)


class Step(NamedTuple):
    """The columns read of such a step."""

    n: int
    state: str
    reason: Message | None
    place: int
    about: str
    document: str


def explain_waits(things: Iterable[Stack | StackPart]) -> Mapping[UUID, Message]:
    """Return the reasons by id, in one query for all things; others are left out."""
    held = {Component.State.FAILED, Component.State.WAITING, Component.State.DELETING}
    asked = [one for one in things if one.state in held]
    about = {str(id_) for one in asked for id_ in (one.id, _stack(one)) if id_}
    if not about:
        return {}
    # Plans are queried apart: joined to their steps, each document would come once for every step.
    plans = Plan.objects.filter(about__in=about, state__in=Plan.OPEN).order_by("created_at")
    open_plans = {
        pk: (place, about, document)
        for place, (pk, about, document) in enumerate(
            plans.values_list("pk", "about", "document_text")
        )
    }
    if not open_plans:
        return {}
    rows = PlanStep.objects.filter(plan__in=list(open_plans), state__in=NOT_GETTING_ON)
    columns = rows.exclude(reason=None).values_list("plan_id", "n", "state", "reason")
    held_up = [Step(n, state, reason, *open_plans[plan]) for plan, n, state, reason in columns]
    steps = sorted(held_up, key=lambda one: (one.state != PlanStep.State.STUCK, one.place, one.n))
    found: dict[UUID, Message] = {}
    for one in asked:
        for step in steps:
            if step.reason and _is_about(step, one):
                found[one.id] = step.reason
                break
    return found


def _stack(one: Stack | StackPart) -> UUID | None:
    return None if isinstance(one, Stack) else one.stack_id


def _is_about(step: Step, one: Stack | StackPart) -> bool:
    """Return whether the step makes or deletes this thing. A stack's plan names the part of each
    step; without a name a step concerns all of them.
    """
    if step.about == str(one.id):
        return True
    if step.about != str(_stack(one)):
        return False
    numbers = parsed(step.document).captured.get(str(one.id))
    return numbers is None or str(step.n) in numbers.split()
