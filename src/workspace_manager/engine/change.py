"""Act on one thing: look, act, look again, write down. Calls are made here and nowhere else in the
engine.
"""

import contextlib
import logging
from collections.abc import Iterator

from django.db import transaction

from workspace_manager.contract import deadline
from workspace_manager.contract.connector import (
    ALREADY,
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Outcome,
    Result,
    Unknown,
)
from workspace_manager.contract.error_boundary import FIVE
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Unavailable
from workspace_manager.contract.progress import WorkEnded
from workspace_manager.contract.slots import Busy
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import unreachable_account
from workspace_manager.core.locks import NamedLock
from workspace_manager.engine import earlier_try
from workspace_manager.engine import pause as pausing
from workspace_manager.engine.guard import HeldBySuspension, refuse_now
from workspace_manager.engine.heartbeat import renew_lease
from workspace_manager.engine.holding_locks import holding_locks
from workspace_manager.engine.journal import Entry, StepEntry
from workspace_manager.engine.lease import LeaseLost
from workspace_manager.engine.let_in import refuse_shut_out
from workspace_manager.engine.messages import message
from workspace_manager.engine.plan_run import Failure, PlanRun
from workspace_manager.engine.policy import calls_of, refuse_other
from workspace_manager.engine.retry import next_try
from workspace_manager.engine.supersede import goes_on_for
from workspace_manager.records.models import PlanChange, PlanStep
from workspace_manager.systems import gives

log = logging.getLogger(__name__)


def act_on(run: PlanRun, step: PlanStep, row: PlanChange) -> Failure | None:
    """Bring one change to its end, or say what kept it from there. Raises LeaseLost and Busy."""
    entry = StepEntry(run, step, row)
    try:
        if run.denied and (denied := run.denied.pop(entry.change.system, None)):
            raise denied
        bring_about(run, entry)
        return None
    except Busy:
        raise
    except ConnectorError as error:
        if row.reason != error.message:
            # Once for each reason: a system that is down is asked again for days.
            log.warning("%s %s", error, error.advice)
        row.reason = error.message
        return failure_of(run, entry.change, error, attempts=step.attempts + 1)


def bring_about(run: PlanRun, entry: Entry) -> None:
    """Look, act where it is not as it shall be, and write down what became of it. Raises the five
    errors, Busy, LeaseLost and EndedByHand.
    """
    change = run.kind.desired(entry.change)
    connector = _connector(run, change)
    refuse_other(run.plan, change, run.systems)
    refuse_now(run, change)
    refuse_shut_out(run, change)
    with holding_locks(run, change, outside=not connector.calls.local) as held:
        if not run.kind.may_act(change):
            with run.lease.writing() as now:
                entry.leave_alone(now)
        elif connector.calls.local:
            _here(run, entry, connector, change)
        else:
            _outside(run, entry, connector, change, held)


def _connector(run: PlanRun, change: Change) -> Connector:
    connector = run.systems.connector(change.kind)
    if connector is None:
        raise unreachable_account(change.kind, run.systems)
    return connector


def _here(run: PlanRun, entry: Entry, connector: Connector, change: Change) -> None:
    """A record of ours: everything in one transaction, so that nothing of it can be cut off."""
    with entry.guarded(change) as now:
        fresh = _look(connector, change)
        done = is_satisfied(fresh.before, fresh.after)
        outcome = ALREADY if done else _call(connector, fresh)
        evidence = _verified(run, connector, fresh, outcome)
        if not evidence:
            raise _not_seen(change)
        entry.end(_noted(entry, fresh), outcome, evidence, now)


def _outside(
    run: PlanRun, entry: Entry, connector: Connector, change: Change, held: list[NamedLock]
) -> None:
    earlier_try.let_end(entry, connector, change)
    goes_on_s = goes_on_for(change, connector.calls)
    if goes_on_s and change.after is None:
        raise earlier_try.may_go_on(change, goes_on_s)
    run.lease.last_for(connector.calls)
    with _acting(run, connector):
        fresh = _look(connector, change)
    noted, sent_before = _noted(entry, fresh), entry.sent_before
    if fresh.before is None and entry.gone_is_end:
        _end_gone(run, entry, change)
        return
    as_wished = is_satisfied(fresh.before, fresh.after)
    if entry.settled() and (as_wished or fresh.before is None):
        return
    if change.new and not sent_before:
        _refuse_foreign(fresh)
    if goes_on_s or (as_wished and not _only_apply_can_tell(fresh, sent_before)):
        evidence = _verified(run, connector, fresh)
        if evidence:
            result = Result.CHANGED if sent_before else Result.ALREADY
            with entry.guarded(change) as now, _let_go(held):
                entry.end(noted, Outcome(result=result), evidence, now)
            return
        if goes_on_s:
            raise earlier_try.may_go_on(change, min(goes_on_s, connector.calls.answer_s))
    with entry.guarded(change) as now:
        entry.send(noted, now)
    with _acting(run, connector):
        outcome = _answered(entry, connector, fresh)
    if sent_before and _was_ours(noted):
        outcome = outcome.model_copy(update={"result": Result.CHANGED})
    evidence = _verified(run, connector, fresh, outcome)
    if not evidence:
        raise _not_seen(change)
    try:
        with run.lease.writing() as now, _let_go(held):
            entry.end(noted, outcome, evidence, now)
    except LeaseLost:
        entry.answered()
        raise


def _acting(run: PlanRun, connector: Connector) -> contextlib.AbstractContextManager[None]:
    """Within the lease; it is renewed meanwhile for what may take hours."""
    lease = run.lease
    return renew_lease(lease) if connector.calls.renewed else deadline.act_until(lease.good_until)


def _end_gone(run: PlanRun, entry: Entry, change: Change) -> None:
    _prove(run, change)
    with entry.guarded(change) as now:
        entry.gone(now)


@contextlib.contextmanager
def _let_go(held: list[NamedLock]) -> Iterator[None]:
    """Let the locks go in the transaction that writes down the end: nothing is called after it."""
    yield
    for one in held:
        one.release()
        transaction.on_commit(one.forget)


def _call(connector: Connector, fresh: Change) -> Outcome:
    return connector.remove(fresh) if fresh.after is None else connector.apply(fresh)


def _answered(entry: Entry, connector: Connector, fresh: Change) -> Outcome:
    """Make the call, and write down that it was answered where that tells something: one that was
    not goes on there, and one that was refused is not waited for.
    """
    try:
        outcome = _call(connector, fresh)
    except WorkEnded:
        entry.answered()
        raise
    except ConnectorError as error:
        if not isinstance(error, Unavailable) or (connector.calls.goes_on_s and not error.goes_on):
            entry.answered()
        raise
    if connector.calls.goes_on_s:
        entry.answered()
    return outcome


def _noted(entry: Entry, fresh: Change) -> Change:
    """The note of a look. A look at our own half-done work says nothing of what was there before:
    what stands then stays.
    """
    if not entry.sent_before:
        return fresh
    written = entry.change
    return fresh.model_copy(update={"before": written.before, "new": written.new and gives(fresh)})


def _was_ours(noted: Change) -> bool:
    """Return whether a try that was cut off did what we find done. Somebody else's doing would have
    been seen before the try.
    """
    # Nobody can stop or take a thing that was not there then.
    nothing_to_take = noted.before is None and noted.after is not None and not gives(noted)
    return not nothing_to_take and not is_satisfied(noted.before, noted.after)


def _look(connector: Connector, change: Change) -> Change:
    """The change as it stands now; what the looker does not know of it is kept."""
    kept = {name: getattr(change, name) for name in ("subject", "secrets", "new", "note")}
    return connector.plan(change.target, change.after).model_copy(update=kept)


def _only_apply_can_tell(change: Change, sent_before: bool) -> bool:
    """A look cannot compare secrets; nor does it bring back the id that a create we sent was given
    before we were killed.
    """
    return change.after is not None and (bool(change.secrets) or (sent_before and gives(change)))


def _refuse_foreign(change: Change) -> None:
    """Nothing is taken over by its name alone."""
    if isinstance(change.before, dict) and change.before.get("exists", True):
        raise Conflict(
            message("not_ours"),
            kind=change.kind,
            doing=message("doing.making"),
            advice=message("not_ours.advice"),
        )


def is_satisfied(before: Facts | Unknown | None, after: Facts | None) -> bool:
    """Return whether a look shows that nothing is to do."""
    if after is None:
        return before is None
    return isinstance(before, dict) and all(
        before.get(name) == value for name, value in after.items()
    )


def _verified(
    run: PlanRun, connector: Connector, change: Change, outcome: Outcome | None = None
) -> list[Evidence]:
    """Look afresh; [] when it is not as it shall be. Absence counts only after our right to see the
    thing was proven in this run.
    """
    if outcome and outcome.facts:
        change = change.model_copy(update={"target": {**change.target, **outcome.facts}})
    asked = not (outcome and outcome.by_hand)
    proof = [_prove(run, change)] if change.after is None and asked else []
    with _acting(run, connector):
        evidence = connector.verify(change)
    return [*proof, evidence] if evidence else []


def _prove(run: PlanRun, change: Change) -> Evidence:
    if change.system not in run.proven:
        with deadline.act_until(run.lease.good_until):
            run.proven[change.system] = run.systems.by_name[change.system].prove_rights()
    return run.proven[change.system]


def _not_seen(change: Change) -> Unavailable:
    return Unavailable(
        message("effect_not_seen"),
        kind=change.kind,
        doing=message("doing.verifying"),
        advice=message("effect_not_seen.advice"),
    )


def failure_of(run: PlanRun, change: Change, error: ConnectorError, *, attempts: int) -> Failure:
    """The note of an error, with the time of the next try. Where our credential itself was refused,
    the system is paused.
    """
    connector = run.systems.connector(change.kind)
    cause = next((one.__name__.lower() for one in FIVE if isinstance(error, one)), "invalid")
    if isinstance(error, pausing.SystemPaused | HeldBySuspension):
        cause = "paused" if isinstance(error, pausing.SystemPaused) else "suspended"
    policy = None
    if connector and cause == "unavailable":
        policy = calls_of(run.plan, change, connector.calls)
    if cause not in {"unavailable", "paused", "suspended"}:
        policy = run.kind.tries_again
    wait = None
    if policy:
        wait = next_try(
            database_now(), attempts=attempts, policy=policy, retry_after=error.retry_after
        )
    if isinstance(error, Denied) and change.system not in run.paused:
        run.lease.last_for(connector.calls if connector else CallPolicy())
        system = run.systems.by_name.get(change.system)
        if pausing.pause_if_refused(system, error, run.systems.settings.get(change.system)):
            run.paused.setdefault(change.system, error.message)
    return Failure(error, wait, cause)
