"""The state of a plan in one sentence: what is, why, and what comes next.

What a kind of plan says when it has ended comes as `Extras.headline`; everything before is the same
for every kind.
"""

from collections.abc import Sequence

from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import HeadlineView, message_view
from workspace_manager.engine.messages import message
from workspace_manager.records.models import Plan, PlanStep

OVER = (Plan.State.DRAFT, Plan.State.STALE, Plan.State.SUPERSEDED)
LEFT = "by_hand"
"""Something was left to a person."""
SETTLED = frozenset({"done", "until"})
"""States of a headline that asks nothing of anybody."""


def headline(state: str, text: Message) -> HeadlineView:
    """The headline and its state: the state decides the colour."""
    return HeadlineView(state=state, text=as_text(text), text_message=message_view(text))


def plain_headline(plan: Plan, steps: Sequence[PlanStep]) -> HeadlineView:
    """The headline of a plan that says nothing of its own."""
    if plan.state in OVER:
        return headline(plan.state, message(f"headline.{plan.state}"))
    ended = sum(step.state in PlanStep.ENDED for step in steps)
    total = len(steps)
    if plan.state == Plan.State.DONE:
        if manual_steps(steps):
            return headline(LEFT, message("headline.left", total=total))
        return headline(plan.state, message("headline.done", total=total))
    for state in (PlanStep.State.STUCK, PlanStep.State.WAITING):
        systems = list(dict.fromkeys(step.system for step in steps if step.state == state))
        if systems:
            named = join_messages([label_of(one) for one in systems], by=", ")
            text = message(f"headline.{state}", ended=ended, total=total, systems=named)
            return headline(plan.state, text)
    if ended == total:
        # The last step and the plan end in two transactions.
        return headline(plan.state, message("headline.closing", total=total))
    return headline(plan.state, message("headline.running", ended=ended, total=total))


def manual_steps(steps: Sequence[PlanStep]) -> list[PlanStep]:
    """The steps that were left to a person, with something to do in them."""
    states = (PlanStep.State.SKIPPED, PlanStep.State.BY_HAND)
    return [step for step in steps if step.state in states and step.changes.all()]
