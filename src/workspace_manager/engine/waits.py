"""The reason why a step is not done yet, and the time of its next try."""

from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import label_of
from workspace_manager.engine.messages import message
from workspace_manager.records.models import PlanStep

NOT_BY_ITSELF = message("again.not_by_itself")
WHEN_RESUMED = message("again.when_resumed")
WHEN_BACK = message("again.when_back")


def tried_again(step: PlanStep) -> Message | None:
    """Return when a step is tried again for which no time is set."""
    if step.state == PlanStep.State.STUCK and not step.next_try_at:
        return NOT_BY_ITSELF
    if step.state != PlanStep.State.WAITING or step.next_try_at:
        return None
    return WHEN_BACK if step.cause == "suspended" else WHEN_RESUMED


def waits_for(step: PlanStep, steps: list[PlanStep]) -> Message | None:
    """The reason why a step has not begun."""
    if step.state != PlanStep.State.PENDING or not step.needs:
        return None
    open_steps = [s for s in steps if s.n in step.needs and s.state not in PlanStep.ENDED]
    if not open_steps:
        return None
    named = [message("step", n=s.n, system=label_of(s.system)) for s in open_steps]
    return message("waits_for", steps=join_messages(named, by=", "))
