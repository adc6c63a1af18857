"""The comparison of a plan with its note from when it ended, for its readers."""

from workspace_manager.audit.messages import message
from workspace_manager.audit.plan_notes import compare_notes
from workspace_manager.core.views import as_text
from workspace_manager.engine.extras import NotedView, message_view
from workspace_manager.records.models import Plan


def compare_note(plan: Plan) -> NotedView:
    """Compare a plan's stored rows with what the audit noted of it."""
    found = compare_notes([plan.id])
    if plan.id not in found:
        return NotedView(state="open")
    differs = found[plan.id]
    if differs is None:
        return NotedView(state="as_noted")
    advice = message("plan_advice")
    return NotedView(
        state="differs",
        text=as_text(differs),
        text_message=message_view(differs),
        advice=as_text(advice),
        advice_message=message_view(advice),
    )


def in_a_list(plan: Plan) -> NotedView:
    """Of many plans none is compared."""
    return NotedView(state="not_compared" if plan.state in Plan.CLOSED else "open")
