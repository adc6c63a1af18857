"""The engine: takes every step that can go on, in order. Killed at any point, it ends in the same
state.

A step that waits or is stuck holds up nothing that does not need it. No transaction is open during
a call. The rows are loaded once; the number of the lease guards what is written, and what people
may do meanwhile is asked in the transaction that writes.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from workspace_manager.audit import plan_notes
from workspace_manager.contract import log_ids, slots
from workspace_manager.contract.slots import Busy
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import doors, pause
from workspace_manager.engine import step as steps
from workspace_manager.engine.approval_check import as_approved
from workspace_manager.engine.change import act_on
from workspace_manager.engine.guard import EndedByHand
from workspace_manager.engine.invariant_upkeep import keep_invariants
from workspace_manager.engine.kind import PlanKind
from workspace_manager.engine.lease import Lease, LeaseLost, claim
from workspace_manager.engine.messages import message
from workspace_manager.engine.plan_run import Failure, PlanId, PlanRun
from workspace_manager.engine.preview import look
from workspace_manager.engine.rows import empty_vault
from workspace_manager.records.models import Person, Plan, PlanChange, PlanStep


def run(plan_id: PlanId, systems: ConnectedSystems, *, kinds: Mapping[str, PlanKind]) -> bool:
    """Do what is due of one plan; False when there was nothing to do or somebody else is at it.
    Raises KeyError for a kind unknown.
    """
    with log_ids.binding(plan=plan_id):
        mine = claim(plan_id)
        if mine is None:
            return False
        try:
            plan = Plan.objects.get(id=mine.plan_id)
            if plan.state == Plan.State.DRAFT:
                look(mine, plan, systems)
            elif plan.state in Plan.OPEN:
                # Named, not "else": a draft that became stale after it was claimed was approved by
                # nobody.
                _work(_loaded(mine, plan, systems, kinds[plan.kind]))
        except LeaseLost:
            return False
        finally:
            mine.release()
        return True


def _loaded(mine: Lease, plan: Plan, systems: ConnectedSystems, kind: PlanKind) -> PlanRun:
    rows = plan.steps.order_by("n").prefetch_related("changes")
    return PlanRun(mine, plan, kind, systems, list(rows), pause.paused_systems())


def _work(run: PlanRun) -> None:
    if as_approved(run):
        with slots.stay():
            _go_through(run)
    else:
        _refuse(run)
    _settle(run)


def _go_through(run: PlanRun) -> None:
    keep_invariants(run)
    _note(run)
    now = database_now()
    for step in run.steps:
        if steps.is_ready(run.ended(), step, now):
            with log_ids.binding(step=step.n, step_name=step.name):
                _work_on(run, step)
                _note(run)


def _refuse(run: PlanRun) -> None:
    """Refuse to run what was not approved: nothing runs, and a person has to decide about each
    step.
    """
    with run.lease.writing():
        run.plan.steps.exclude(state__in=PlanStep.ENDED).update(
            state=PlanStep.State.STUCK,
            cause="not_as_approved",
            reason=message("not_as_approved"),
            advice=message("not_as_approved.advice"),
            next_try_at=None,
        )


def _note(run: PlanRun) -> None:
    """Write down what follows from what a system says; mostly nothing."""
    columns = run.kind.noted(run.plan, run.steps, run.systems)
    if columns:
        with run.lease.writing():
            Plan.objects.filter(id=run.plan.id).update(**columns)
        for name, value in columns.items():
            setattr(run.plan, name, value)


def _work_on(run: PlanRun, step: PlanStep) -> None:
    failures: list[tuple[PlanChange, Failure]] = []
    rows = list(step.changes.all())
    open_ = {row.position for row in rows if row.state not in PlanChange.ENDED}
    for row in rows:
        if row.position not in open_ or open_ & set(row.needs):
            continue
        try:
            failure = act_on(run, step, row)
        except EndedByHand:
            step.refresh_from_db()
            return
        except Busy as no_place:
            # Its turn comes; what failed before it is written down, and nothing else.
            if not failures:
                steps.put_off(step, no_place)
                return
            break
        if failure is None or _goes_later(run, step, row, failure):
            open_.discard(row.position)
        else:
            failures.append((row, failure))
    if failures:
        _write_failures(run, step, failures)
    elif step.state not in PlanStep.ENDED:
        with run.lease.writing():
            steps.end(step)


def _goes_later(run: PlanRun, step: PlanStep, row: PlanChange, failure: Failure) -> bool:
    """Leave alone what was refused and a later step does anyway; the change keeps the reason."""
    shown = next(one for one in run.plan.document["steps"] if one["n"] == step.n)["changes"]
    later = shown[row.position].get("goes_with") if row.position < len(shown) else ""
    if not later or failure.cause != "invalid":
        return False
    with run.lease.writing():
        row.state, row.finished_at = PlanChange.State.LEFT_ALONE, timezone.now()
        row.save(update_fields=["state", "reason", "finished_at", "sent_at"])
    return True


def _write_failures(
    run: PlanRun, step: PlanStep, failures: Sequence[tuple[PlanChange, Failure]]
) -> None:
    with run.lease.writing():
        for row, _ in failures:
            row.save(update_fields=["reason", "sent_at"])
        steps.fail(step, [failure for _, failure in failures])


def _settle(run: PlanRun) -> None:
    """Write the plan's state and when to look again, and let the lease go; the last step's end
    closes the plan in the same transaction.
    """
    with transaction.atomic():
        # Lock order: the systems' states, the person, then plans.
        if any(_held(step, "paused") for step in run.steps):
            pause.hold()
        with run.lease.writing() as now:
            # Read here: what a person does to a step meanwhile comes before or after, and is not
            # overwritten.
            rows = list(run.plan.steps.order_by("n"))
            _wake_what_may_go_on(run, rows)
            _close_or_put_off(run, rows, now)
    run.lease.released = True


def _held(step: PlanStep, cause: str) -> bool:
    """Return whether no time wakes it, but somebody who lets it go on."""
    waits = step.state == PlanStep.State.WAITING and step.next_try_at is None
    return waits and step.cause == cause


def _wake_what_may_go_on(run: PlanRun, rows: list[PlanStep]) -> None:
    """A system may have been resumed, or the person let back in, before it was written down here
    that a step waits for that.
    """
    free = []
    if any(_held(row, "paused") for row in rows):
        silent = tuple(f"{system}." for system in pause.paused_systems())
        for row in rows:
            open_ = row.changes.exclude(state__in=PlanChange.ENDED).values_list("kind", flat=True)
            if _held(row, "paused") and not any(kind.startswith(silent) for kind in open_):
                free.append(row)
    # Only the plan of a person waits for that; the subject of another one is no person's id.
    shut_out = [row for row in rows if _held(row, "suspended")]
    if shut_out and not _suspended(run.plan.subject):
        free += shut_out
    for row in free:
        row.state, row.cause, row.reason, row.advice = PlanStep.State.PENDING, "", None, None
        row.save(update_fields=["state", "cause", "reason", "advice"])


def _suspended(person: str) -> bool:
    return Person.objects.filter(id=person, state=Person.State.SUSPENDED).exists()


def _close_or_put_off(run: PlanRun, rows: list[PlanStep], now: datetime) -> None:
    plan = run.plan
    if {row.state for row in rows} <= set(PlanStep.ENDED):
        plan.state, plan.finished_at, plan.due_at = Plan.State.DONE, timezone.now(), None
    else:
        plan.state, plan.due_at = _open_state(plan, rows, now)
    plan.lease_owner, plan.lease_until = "", None
    plan.save(update_fields=["state", "finished_at", "due_at", "lease_owner", "lease_until"])
    run.kind.on_saved(plan, run.systems)
    if plan.state == Plan.State.DONE:
        empty_vault(plan)
        plan_notes.note([plan.id])


def _open_state(plan: Plan, rows: list[PlanStep], now: datetime) -> tuple[str, datetime | None]:
    states = {row.state for row in rows}
    ended = {row.n for row in rows if row.state in PlanStep.ENDED}
    waiting = [row.next_try_at for row in rows if row.state in _TIMED and row.next_try_at]
    if door := doors.next_try(plan, [row.name for row in rows if row.n in ended]):
        waiting.append(door)
    runnable = [row for row in rows if row.state in _ABLE and steps.is_ready(ended, row, now)]
    due = now if runnable else min(waiting, default=None)
    if PlanStep.State.STUCK in states:
        return Plan.State.STUCK, due
    if PlanStep.State.WAITING in states:
        return Plan.State.WAITING, due
    return Plan.State.RUNNING, due


_TIMED = {PlanStep.State.WAITING, PlanStep.State.STUCK}
_ABLE = {PlanStep.State.PENDING, PlanStep.State.RUNNING}
