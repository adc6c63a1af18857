"""The ends of a step: done, or why it is not. What a person decided about it meanwhile is never
overwritten.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone

from workspace_manager.contract.connector import Evidence
from workspace_manager.contract.slots import Busy
from workspace_manager.engine import retry
from workspace_manager.engine.plan_run import Failure
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import PlanChange, PlanStep


def is_ready(run_ended: set[int], step: PlanStep, now: datetime) -> bool:
    """Return whether something can be done about it now. A stuck one waits for somebody, unless it
    has a time of its own.
    """
    if step.state in PlanStep.ENDED:
        return False
    if step.state == PlanStep.State.STUCK and step.next_try_at is None:
        return False
    if step.next_try_at and now < step.next_try_at <= now + retry.LONGEST:
        return False
    return set(step.needs) <= run_ended


def mark_begun(step: PlanStep) -> None:
    """Say that it runs, in the transaction that sends its first change."""
    if step.state == PlanStep.State.RUNNING:
        return
    _write(
        step,
        state=PlanStep.State.RUNNING,
        reason=step.reason if step.cause else None,
        advice=step.advice if step.cause else None,
        since=timezone.now() if step.attempts == 0 else step.since,
    )


def end(step: PlanStep) -> None:
    """Write down that all of it is done, in the transaction that writes down the end of its last
    change.
    """
    _write(
        step,
        state=_end_state(step),
        evidence=_evidence(step),
        next_try_at=None,
        reason=None,
        advice=None,
        cause="",
        since=timezone.now(),
    )


def put_off(step: PlanStep, no_place: Busy) -> None:
    """Say what it waits for: this is no try, and its time stays as it is."""
    if not step.cause and step.reason != no_place.message:
        _write(step, reason=no_place.message, advice=no_place.advice_message)


def fail(step: PlanStep, failures: Sequence[Failure]) -> None:
    """Write down why it is not done, and when it is tried again."""
    worst = next((one for one in failures if one.stuck), failures[0])
    waits = [one.next_try for one in failures if one.next_try]
    _write(
        step,
        state=PlanStep.State.STUCK if worst.stuck else PlanStep.State.WAITING,
        evidence=_evidence(step),
        reason=worst.error.message,
        advice=worst.error.advice_message,
        cause=worst.cause,
        next_try_at=min(waits) if waits else None,
        since=timezone.now() if step.attempts == 0 else step.since,
        attempts=step.attempts + 1,
    )


def _write(step: PlanStep, **columns: Any) -> None:
    """Unless somebody had ended it meanwhile: then it is as that person left it."""
    open_ = PlanStep.objects.filter(id=step.id).exclude(state__in=PlanStep.ENDED)
    if not open_.update(**columns):
        step.refresh_from_db()
        return
    for name, value in columns.items():
        setattr(step, name, value)


def _evidence(step: PlanStep) -> list[Any]:
    """The evidence of a step, each sentence once."""
    found = list(step.evidence)
    known = {piece["text"] for piece in found}
    for row in step.changes.all():
        for piece in row.evidence:
            if piece["text"] not in known:
                known.add(piece["text"])
                found.append(piece)
    return found


def as_evidence(piece: Evidence, *, of: str) -> dict[str, Any]:
    """As it is stored; `of`: the kind of thing that was looked at, "" for what shows that we may
    see it.
    """
    return {**piece.model_dump(mode="json"), "kind": of}


def _end_state(step: PlanStep) -> str:
    rows = list(step.changes.all())
    states = {row.state for row in rows}
    if PlanChange.State.BY_HAND in states:
        return PlanStep.State.BY_HAND
    if states == {PlanChange.State.ALREADY} and any(change_of(row).after is None for row in rows):
        return PlanStep.State.ALREADY_GONE
    return PlanStep.State.DONE
