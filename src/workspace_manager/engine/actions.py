"""A person's actions on a step: try again now, skip it with a reason, or say that it was done by
hand.
"""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit import note as audit
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.states import state_of
from workspace_manager.core.wake import notify_worker
from workspace_manager.engine.messages import message
from workspace_manager.records.models import Plan, PlanStep

LONGEST_TEXT = 1000
ACTIVE = (PlanStep.State.WAITING, PlanStep.State.STUCK, PlanStep.State.PENDING)


def retry(plan: Plan, n: int, *, actor: str) -> None:
    """Try a waiting or stuck step again now. Raises Refused when it is neither."""
    with transaction.atomic():
        step = _step(plan, n, (PlanStep.State.WAITING, PlanStep.State.STUCK))
        step.state, step.next_try_at, step.cause = PlanStep.State.PENDING, None, ""
        step.save(update_fields=["state", "next_try_at", "cause"])
        _note(plan, step, "retried", actor, "")


def skip(plan: Plan, n: int, *, actor: str, reason: str) -> None:
    """Leave a step out for good. What it would have removed stays, and the plan says so. Raises
    Refused and BadInput.
    """
    _end(
        plan,
        n,
        PlanStep.State.SKIPPED,
        actor=actor,
        text=_checked("reason", reason),
        event="skipped",
    )


def by_hand(plan: Plan, n: int, *, actor: str, note: str) -> None:
    """Write down that somebody did the step by hand. Raises Refused and BadInput."""
    _end(
        plan,
        n,
        PlanStep.State.BY_HAND,
        actor=actor,
        text=_checked("note", note),
        event="done_by_hand",
    )


def _end(plan: Plan, n: int, state: str, *, actor: str, text: str, event: str) -> None:
    with transaction.atomic():
        step = _step(plan, n, ACTIVE)
        step.state, step.advice, step.cause = state, None, ""
        step.reason = message("decided", text=text, person=Named(person=actor))
        step.next_try_at, step.since = None, timezone.now()
        step.save()
        _note(plan, step, event, actor, text)


def _step(plan: Plan, n: int, states: Sequence[str]) -> PlanStep:
    current = Plan.objects.select_for_update().get(id=plan.id)
    if current.state not in Plan.OPEN:
        raise Refused(message("plan_is", state=state_of(current.state)))
    step = current.steps.filter(n=n).first()
    if step is None:
        raise Refused(message("no_step", n=n))
    if step.state not in states:
        raise Refused(message("step_is", n=n, state=state_of(step.state)))
    return step


def _note(plan: Plan, step: PlanStep, event: str, actor: str, text: str) -> None:
    Plan.objects.filter(id=plan.id).update(due_at=database_now())
    notify_worker(plan.id)
    audit.note(
        f"step:{event}",
        plan.person,
        actor=actor,
        plan=str(plan.id),
        step=step.n,
        name=step.name,
        text=text,
    )


def _checked(field: str, text: str) -> str:
    text = " ".join(text.split())
    if not text or len(text) > LONGEST_TEXT:
        raise BadInput({field: message("write_a_text", most=LONGEST_TEXT)})
    return text


def by_hand_texts(plan: Plan, steps: Sequence[PlanStep]) -> list[Message]:
    """Everything a person still has to do: known from the start, said by a connector, or left by a
    skipped step.
    """
    texts = list(plan.by_hand)
    for step in steps:
        for row in step.changes.all():
            found = (Message.model_validate(one) for one in (row.outcome or {}).get("by_hand", []))
            texts += [text for text in found if text not in texts]
    return texts
