"""Why something that is being made or deleted does not get on: in the words of the step that is
stuck or waits.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from workspace_manager.contract.message import Message
from workspace_manager.engine.rows import read
from workspace_manager.records.models import Component, Plan, PlanStep, Stack

NOT_GETTING_ON = (PlanStep.State.STUCK, PlanStep.State.WAITING)


def why(things: Iterable[Component | Stack]) -> Mapping[UUID, Message]:
    """By id; what gets on is left out. Asked once for all of them."""
    held = {Component.State.FAILED, Component.State.WAITING, Component.State.DELETING}
    asked = [one for one in things if one.state in held]
    about = {str(id_) for one in asked for id_ in (one.id, _stack(one)) if id_}
    if not about:
        return {}
    rows = (
        PlanStep.objects.filter(
            plan__about__in=about, plan__state__in=Plan.OPEN, state__in=NOT_GETTING_ON
        )
        .exclude(reason=None)
        .select_related("plan")
        .order_by("plan__created_at", "n")
    )
    steps = sorted(rows, key=lambda step: step.state != PlanStep.State.STUCK)
    found: dict[UUID, Message] = {}
    for one in asked:
        for step in steps:
            if step.reason and _is_about(step, one):
                found[one.id] = step.reason
                break
    return found


def _stack(one: Component | Stack) -> UUID | None:
    return one.stack_id if isinstance(one, Component) else None


def _is_about(step: PlanStep, one: Component | Stack) -> bool:
    """Whether the step makes or deletes this very thing. The plan of a stack says which steps are
    whose; one that says nothing of a part is about all of them.
    """
    if step.plan.about == str(one.id):
        return True
    if step.plan.about != str(_stack(one)):
        return False
    numbers = read(step.plan).captured.get(str(one.id))
    return numbers is None or str(step.n) in numbers.split()
