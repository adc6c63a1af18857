"""What a step brought about and has to stay so: since when it stands, and how it is written down
that it had to be made anew.

The entries are data in the plan's row: plans without any are asked nothing, and pay nothing.
"""

import contextlib
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from workspace_manager.contract.connector import Change, Evidence, Outcome, Result
from workspace_manager.engine.guard import guarded
from workspace_manager.engine.kind import Invariant
from workspace_manager.engine.plan_run import PlanRun
from workspace_manager.engine.rows import change_of, once
from workspace_manager.records.models import Plan, PlanChange, PlanStep

STANDS, RUNNING, ENDED = "stands", "running", "ended"
KEPT: Final = (PlanChange.State.DONE, PlanChange.State.ALREADY)


def begin(run: PlanRun, step: PlanStep, now: datetime) -> None:
    """Note what has to stay as it is from now on, in the transaction that ends the step that raised
    it.
    """
    for invariant in run.kind.invariants:
        if invariant.raised_by == step.name and step.state == PlanStep.State.DONE:
            run.plan.invariants = [
                *run.plan.invariants,
                *(
                    {
                        "raised_by": invariant.raised_by,
                        "change": change_of(row).model_dump(mode="json"),
                        "state": STANDS,
                        "since": now.isoformat(),
                        "sent_at": None,
                    }
                    for row in step.changes.all()
                    if row.state in KEPT
                ),
            ]
            Plan.objects.filter(id=run.plan.id).update(invariants=run.plan.invariants)


def since(plan: Plan) -> datetime | None:
    """Since when everything stands that has to stay; None when nothing does, or something is just
    being brought about anew.
    """
    times = [entry["since"] for entry in plan.invariants]
    return max(map(datetime.fromisoformat, times)) if times and all(times) else None


def standing(run: PlanRun) -> Iterator["InvariantEntry"]:
    """What has to be looked at now."""
    by_step = {invariant.raised_by: invariant for invariant in run.kind.invariants}
    steps = {step.name: step for step in run.steps}
    for entry in run.plan.invariants:
        invariant = by_step.get(entry["raised_by"])
        if invariant is None or entry["state"] == ENDED:
            continue
        until = steps.get(invariant.stands_until)
        if until is None or until.state not in PlanStep.ENDED:
            yield InvariantEntry(run, invariant, entry, until)


class InvariantEntry:
    """The journal of one invariant: written as a change is, so that a kill between the two writes
    loses nothing.
    """

    gone_is_end = True

    def __init__(
        self, run: PlanRun, invariant: Invariant, row: dict[str, Any], until: PlanStep | None
    ) -> None:
        self._run, self._invariant, self._row, self._until = run, invariant, row, until

    @property
    def change(self) -> Change:
        return Change.model_validate(self._row["change"])

    @property
    def sent_before(self) -> bool:
        return bool(self._row["state"] == RUNNING)

    @property
    def sent_at(self) -> datetime | None:
        sent = self._row["sent_at"]
        return datetime.fromisoformat(sent) if sent else None

    def wait_from(self, moment: datetime) -> None:
        self._row["sent_at"] = moment.isoformat()

    @contextlib.contextmanager
    def guarded(self, change: Change) -> Iterator[datetime]:
        with guarded(self._run, change, self.change, self._until) as now:
            yield now

    def settled(self) -> bool:
        """Whether it is known to stand, so that a look that shows it has nothing to write."""
        return self._row["state"] == STANDS and bool(self._row["since"])

    def send(self, _noted: Change, now: datetime) -> None:
        forgotten = dict.fromkeys(self._invariant.forgets)
        self._save(forgotten, state=RUNNING, since=None, sent_at=now.isoformat())

    def end(
        self,
        _noted: Change,
        outcome: Outcome,
        _evidence: list[Evidence],
        now: datetime,
    ) -> None:
        found = {}
        if outcome.result is Result.CHANGED:
            found = {"findings": once(self._run.plan.findings, self._invariant.restored)}
        self._save(found, state=STANDS, since=now.isoformat(), sent_at=None)

    def answered(self) -> None:
        """No plan waits for what an invariant sent."""

    def gone(self, _now: datetime) -> None:
        """What is not there needs nothing to keep it from being used."""
        self._save({}, state=ENDED)

    def leave_alone(self, now: datetime) -> None:
        self.gone(now)

    def _save(self, columns: Mapping[str, Any], **values: Any) -> None:
        self._row.update(values)
        for name, value in columns.items():
            setattr(self._run.plan, name, value)
        Plan.objects.filter(id=self._run.plan.id).update(
            invariants=self._run.plan.invariants, **columns
        )
