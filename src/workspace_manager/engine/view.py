"""A plan as people and programs see it: one document for page, REST and command line (shape: docs/reference/plans)."""

from typing import Any

from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import LABELS
from workspace_manager.core.timestamps import in_utc
from workspace_manager.engine import actions
from workspace_manager.engine.rows import read
from workspace_manager.records.models import Plan, PlanChange, PlanStep
from workspace_manager.removal.end_of_access import end_of_access


def render(plan: Plan) -> dict[str, Any]:
    """Everything about one plan; no secret is in it, since none is in the rows."""
    document = read(plan)
    steps = list(plan.steps.prefetch_related("changes").order_by("n"))
    return {
        "id": str(plan.id),
        "kind": plan.kind,
        "person": plan.person,
        "state": plan.state,
        "digest": plan.digest,
        "created_at": in_utc(plan.created_at),
        "created_by": plan.created_by,
        "approved_at": in_utc(plan.approved_at),
        "approved_by": plan.approved_by,
        "finished_at": in_utc(plan.finished_at),
        "late_look": {
            "due_at": in_utc(plan.late_look_due_at),
            "state": plan.late_look_state or "pending",
            "text": plan.late_look_text,
        },
        "end_of_access": end_of_access(plan, steps),
        "by_hand": actions.by_hand_texts(plan, document, steps),
        "findings": list(plan.findings),
        "remarks": list(document.remarks),
        "steps": [_step(step, steps) for step in steps],
    }


def _step(step: PlanStep, steps: list[PlanStep]) -> dict[str, Any]:
    return {
        "n": step.n,
        "name": step.name,
        "system": step.system,
        "state": step.state,
        "needs": list(step.needs),
        "reason": step.reason or _waits_for(step, steps),
        "attempts": step.attempts,
        "since": in_utc(step.since),
        "next_try_at": in_utc(step.next_try_at),
        "again": _again(step),
        "advice": step.advice,
        "evidence": list(step.evidence),
        "changes": [_change(row) for row in step.changes.all()],
    }


NOT_BY_ITSELF = "It is not tried again by itself: somebody has to decide."
WHEN_RESUMED = "It goes on as soon as the system is called again."
WHEN_BACK = "It goes on as soon as the person is let back in."


def _again(step: PlanStep) -> str:
    """In words: when a step is tried again for which no time is set."""
    if step.state == PlanStep.State.STUCK:
        return NOT_BY_ITSELF
    if step.state != PlanStep.State.WAITING or step.next_try_at:
        return ""
    return WHEN_BACK if step.cause == "suspended" else WHEN_RESUMED


def _waits_for(step: PlanStep, steps: list[PlanStep]) -> str:
    """In words: what a step that has not begun waits for."""
    if step.state != PlanStep.State.PENDING or not step.needs:
        return ""
    open_steps = [s for s in steps if s.n in step.needs and s.state not in PlanStep.ENDED]
    if not open_steps:
        return ""
    names = ", ".join(f"{s.n} ({LABELS.get(s.system, s.system)})" for s in open_steps)
    return f"Waits for step {names}."


def _change(row: PlanChange) -> dict[str, Any]:
    change = Change.model_validate(row.change)
    return {
        "kind": row.kind,
        "id": row.name,
        "target": dict(change.target),
        "action": "remove" if change.after is None else "apply",
        "before": change.before,
        "after": change.after,
        "state": row.state,
        "reason": row.reason,
    }
