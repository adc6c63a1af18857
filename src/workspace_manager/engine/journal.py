"""The journal of one change: what is written when it is sent, and when it has ended. Two
transactions, and a third between them where a call that is not answered goes on for long.
"""

import contextlib
from collections.abc import Iterator
from datetime import datetime
from typing import Protocol

from django.utils import timezone

from workspace_manager.access import provider_state
from workspace_manager.contract.connector import Change, Evidence, Outcome, Result
from workspace_manager.core.account_link import note_ended, note_sent
from workspace_manager.engine import step as steps
from workspace_manager.engine.guard import guard_write
from workspace_manager.engine.invariants import begin
from workspace_manager.engine.plan_run import PlanRun
from workspace_manager.engine.rows import change_of
from workspace_manager.engine.supersede import note_answer
from workspace_manager.records.models import PlanChange, PlanStep


class Entry(Protocol):
    """A thing that is looked at, acted on, looked at again and written down: a change of a step, or
    an invariant.
    """

    gone_is_end: bool
    """Whether there is nothing to do for something that is not there, once our right to see it was
    proven.
    """

    @property
    def change(self) -> Change:
        """As it is written down."""
        ...

    @property
    def sent_before(self) -> bool:
        """Return whether a try was sent whose end nobody wrote down."""
        ...

    @property
    def was_answered(self) -> bool:
        """Return whether that try was answered: nothing of it is under way there."""
        ...

    @property
    def sent_at(self) -> datetime | None: ...

    def wait_from(self, moment: datetime) -> None:
        """Count the time that the earlier try is given from this moment."""
        ...

    def settled(self) -> bool:
        """Return whether a look that shows everything as it shall be has nothing to write."""
        ...

    def guarded(self, change: Change) -> contextlib.AbstractContextManager[datetime]:
        """A transaction in which everything still holds that the change needs (`guard.py`)."""
        ...

    def send(self, noted: Change, now: datetime) -> None:
        """Write down that the call is about to be made."""
        ...

    def end(
        self, noted: Change, outcome: Outcome, evidence: list[Evidence], now: datetime
    ) -> None: ...

    def gone(self, _now: datetime, /) -> None: ...

    def answered(self) -> None:
        """Note that the call was answered, though nothing else of it may be written yet, or any
        more.
        """
        ...

    def leave_alone(self, now: datetime, /) -> None:
        """Write down that it was not acted on, since what is there is somebody else's."""
        ...


class StepEntry:
    """A change of a step; the step begins with its first change and ends with its last."""

    gone_is_end = False

    def __init__(self, run: PlanRun, step: PlanStep, row: PlanChange) -> None:
        self._run, self._step, self._row = run, step, row

    @property
    def change(self) -> Change:
        return change_of(self._row)

    @property
    def sent_before(self) -> bool:
        return self._row.state == PlanChange.State.RUNNING

    @property
    def was_answered(self) -> bool:
        return self._row.finished_at is not None

    @property
    def sent_at(self) -> datetime | None:
        return self._row.sent_at

    def wait_from(self, moment: datetime) -> None:
        self._row.sent_at = moment

    def settled(self) -> bool:
        return False

    @contextlib.contextmanager
    def guarded(self, change: Change) -> Iterator[datetime]:
        with guard_write(self._run, change, self.change, self._step) as now:
            yield now

    def send(self, noted: Change, now: datetime) -> None:
        row = self._row
        row.state, row.sent_at, row.finished_at = PlanChange.State.RUNNING, now, None
        row.change = noted.model_dump(mode="json")
        row.save(update_fields=["state", "sent_at", "finished_at", "change"])
        note_sent(noted)
        steps.mark_begun(self._step)

    def answered(self) -> None:
        note_answer(self._row)

    def end(self, noted: Change, outcome: Outcome, evidence: list[Evidence], now: datetime) -> None:
        states = {Result.CHANGED: PlanChange.State.DONE, Result.ALREADY: PlanChange.State.ALREADY}
        state = PlanChange.State.BY_HAND if outcome.by_hand else states[outcome.result]
        self._row.change = noted.model_dump(mode="json")
        self._row.outcome = outcome.model_dump(mode="json")
        self._write(state, evidence, now)
        note_ended(noted)
        provider_state.note_shown(noted)

    def gone(self, _now: datetime) -> None:
        raise AssertionError("a change is brought about whatever is there")

    def leave_alone(self, now: datetime) -> None:
        self._write(PlanChange.State.LEFT_ALONE, [], now)

    def _write(self, state: str, evidence: list[Evidence], now: datetime) -> None:
        row = self._row
        row.state, row.reason, row.finished_at = state, None, timezone.now()
        row.evidence = [
            steps.as_evidence(piece, of="" if piece is not evidence[-1] else row.kind)
            for piece in evidence
        ]
        row.save(update_fields=_ENDING)
        begin(self._run, self._step, row, now)
        rows = self._step.changes.all()
        if all(one.state in PlanChange.ENDED for one in rows):
            steps.end(self._step)


_ENDING = ("state", "change", "outcome", "evidence", "reason", "finished_at")
