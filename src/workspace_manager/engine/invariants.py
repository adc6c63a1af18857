"""Invariants of a plan: its doors, and the effects of its steps; since when each stands, and how it
is written down that it had to be made anew.

The entries are data in the plan's row: plans without any are asked nothing, and pay nothing.
"""

import contextlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from workspace_manager.contract.connector import Change, Evidence, Outcome, Result
from workspace_manager.contract.errors import Conflict, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.account_link import is_of_another, note_sent
from workspace_manager.core.clock import database_now
from workspace_manager.engine import retry
from workspace_manager.engine.doors import AGAIN, BY_HAND, Entry, doors_of, is_door
from workspace_manager.engine.guard import guard_write
from workspace_manager.engine.kind import Invariant
from workspace_manager.engine.messages import message
from workspace_manager.engine.plan_run import Failure, PlanRun
from workspace_manager.engine.rows import append_new, change_of
from workspace_manager.engine.step import as_evidence
from workspace_manager.records.models import Plan, PlanChange, PlanStep

STANDS, RUNNING, ENDED = "stands", "running", "ended"
KEPT: Final = (PlanChange.State.DONE, PlanChange.State.ALREADY)


def begin(run: PlanRun, step: PlanStep, row: PlanChange, now: datetime) -> None:
    """Note what has to stay as it is from now on, in the transaction that ends the change that
    raised it. What a door of the plan keeps needs no second entry.
    """
    raised = any(invariant.raised_by == step.name for invariant in run.kind.invariants)
    if not raised or row.state not in KEPT or doors_of(run.plan):
        return
    noted = {
        "raised_by": step.name,
        "change": change_of(row).model_dump(mode="json"),
        "state": STANDS,
        "since": now.isoformat(),
        "sent_at": None,
    }
    run.plan.invariants = [*run.plan.invariants, noted]
    Plan.objects.filter(id=run.plan.id).update(invariants=run.plan.invariants)


def standing_since(plan: Plan, kind: str) -> datetime | None:
    """Return since when everything of a kind stands that has to stay; None when nothing does, or
    something is open or just being brought about anew.
    """
    times = [entry["since"] for entry in plan.invariants if entry["change"]["kind"] == kind]
    return max(map(datetime.fromisoformat, times)) if times and all(times) else None


def due_invariants(run: PlanRun) -> Iterator["InvariantEntry"]:
    """The invariants to look at now."""
    steps = {step.name: step for step in run.steps}
    for entry in run.plan.invariants:
        invariant = _invariant(run, entry)
        if invariant is None or entry["state"] in {ENDED, BY_HAND}:
            continue
        until = steps.get(invariant.stands_until)
        over = until is not None and until.state in PlanStep.ENDED
        if not over and not _before(run, entry, steps):
            yield InvariantEntry(run, invariant, entry, until)


def _invariant(run: PlanRun, entry: Entry) -> Invariant | None:
    if not is_door(entry):
        raised = (one for one in run.kind.invariants if one.raised_by == entry["raised_by"])
        return next(raised, None)
    kind = entry["change"]["kind"]
    told = next((one for one in run.kind.invariants if one.of == kind), None)
    return Invariant(
        raised_by="",
        stands_until=entry["until"],
        restored=told.restored if told else message("door_restored", name=entry["name"]),
        forgets=told.forgets if told else (),
    )


def _before(run: PlanRun, entry: Entry, steps: dict[str, PlanStep]) -> bool:
    """Return whether a door is open that has to be shut before this one."""
    after = entry.get("after", ())
    return bool(after) and any(
        one["change"]["kind"] in after
        and not one["since"]
        and steps[one["until"]].state not in PlanStep.ENDED
        for one in doors_of(run.plan)
    )


class InvariantEntry:
    """The journal of one invariant: written as a change is, so that a kill between the two writes
    loses nothing.
    """

    def __init__(
        self, run: PlanRun, invariant: Invariant, row: Entry, until: PlanStep | None
    ) -> None:
        self._run, self._invariant, self._row, self._until = run, invariant, row, until
        # What is behind a door may be made anew: it is looked at again.
        self.gone_is_end = not is_door(row)

    @property
    def change(self) -> Change:
        return Change.model_validate(self._row["change"])

    @property
    def sent_before(self) -> bool:
        return bool(self._row["state"] == RUNNING)

    @property
    def was_answered(self) -> bool:
        """Nobody notes it of an invariant."""
        return False

    @property
    def sent_at(self) -> datetime | None:
        sent = self._row["sent_at"]
        return datetime.fromisoformat(sent) if sent else None

    def wait_from(self, moment: datetime) -> None:
        self._row["sent_at"] = moment.isoformat()

    @contextlib.contextmanager
    def guarded(self, change: Change) -> Iterator[datetime]:
        with guard_write(self._run, change, self.change, self._until) as now:
            if is_door(self._row) and is_of_another(change):
                raise Conflict(
                    message("of_another"),
                    kind=change.kind,
                    doing=message("doing.looking"),
                    advice=message("of_another.advice"),
                )
            yield now

    def settled(self) -> bool:
        """Return whether it is known to stand: a look that shows it has nothing to write."""
        return self._row["state"] == STANDS and bool(self._row["since"])

    def put_off(self, now: datetime) -> bool:
        """Return whether its system asked for a time that has not come yet."""
        asked: str | None = self._row.get("not_before")
        return asked is not None and now < datetime.fromisoformat(asked) <= now + retry.LONGEST

    def failed(self, failure: Failure) -> bool:
        """Say why a door is open; nothing of one that was seen shut, and of what a step raised: a
        step that needs the same system says that. Whether something has to be saved.
        """
        if not is_door(self._row) or self._row["since"]:
            return False
        error, attempts, now = failure.error, self._row["attempts"] + 1, database_now()
        again = failure.next_try or retry.next_try(now, attempts=attempts, policy=AGAIN)
        asked = isinstance(error, Unavailable) and error.retry_after
        self._row.update(
            attempts=attempts,
            next_try_at=again.isoformat(),
            not_before=again.isoformat() if asked else None,
            cause=failure.cause,
            reason=quote_words(error.message).model_dump(mode="json"),
            advice=quote_words(error.advice_message).model_dump(mode="json"),
        )
        return True

    @property
    def attempts(self) -> int:
        return int(self._row.get("attempts", 0))

    def send(self, noted: Change, now: datetime) -> None:
        forgotten = dict.fromkeys(self._invariant.forgets)
        if is_door(self._row):
            note_sent(noted)
        self._save(forgotten, state=RUNNING, since=None, sent_at=now.isoformat())

    def end(
        self,
        noted: Change,
        outcome: Outcome,
        evidence: list[Evidence],
        now: datetime,
    ) -> None:
        found = {}
        # A door is open before it is shut for the first time: nobody opened it.
        stood = not is_door(self._row) or self._row["evidence"]
        if outcome.result is Result.CHANGED and stood:
            found = {"findings": append_new(self._run.plan.findings, self._invariant.restored)}
        state = BY_HAND if outcome.by_hand else STANDS
        shut = self._seen(noted, evidence)
        self._save(found, state=state, since=now.isoformat(), sent_at=None, **shut)

    def _seen(self, noted: Change, evidence: list[Evidence]) -> dict[str, Any]:
        """The evidence that a door is shut, in place of why it was open. `absent`: each look before
        a call showed that the thing is not there.
        """
        if not is_door(self._row):
            return {}
        kind = self._row["change"]["kind"]
        last = len(evidence) - 1
        looks = [as_evidence(one, of=kind if n == last else "") for n, one in enumerate(evidence)]
        absent = noted.before is None and self._row.get("absent") is not False
        told = {"cause": "", "reason": None, "advice": None, "absent": absent}
        return {**told, "attempts": 0, "next_try_at": None, "not_before": None, "evidence": looks}

    def answered(self) -> None:
        """No plan waits for what an invariant sent."""

    def gone(self, _now: datetime) -> None:
        """End the invariant of a thing that is gone: nothing has to keep it from being used."""
        self._save({}, state=ENDED)

    def leave_alone(self, _now: datetime) -> None:
        """It is somebody else's by now: nothing is shut, and nothing is tried again."""
        self._save({}, state=ENDED, next_try_at=None)

    def _save(self, columns: Mapping[str, Any], **values: Any) -> None:
        self._row.update(values)
        for name, value in columns.items():
            setattr(self._run.plan, name, value)
        save(self._run.plan, **columns)


def save(plan: Plan, **columns: Any) -> None:
    """Write the entries down, with further columns of the plan's row."""
    Plan.objects.filter(id=plan.id).update(invariants=plan.invariants, **columns)
