"""Act on one change: look, act, look again, write down. Calls are made here and nowhere else in the engine."""

import contextlib
from collections.abc import Iterator

from django.db import connection
from django.utils import timezone

from workspace_manager.contract.connector import (
    Change,
    Connector,
    Evidence,
    Facts,
    Outcome,
    Result,
    Unknown,
)
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, Unavailable
from workspace_manager.core import audit
from workspace_manager.core.account_link import note_ended, note_sent
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import unreachable
from workspace_manager.core.locks import lock
from workspace_manager.engine import pause as pausing
from workspace_manager.engine.plan_run import Trouble, Turn
from workspace_manager.engine.retry import next_try
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import Person, PlanChange, PlanStep
from workspace_manager.systems import gives, lock_of


def act_on(turn: Turn, step: PlanStep, row: PlanChange) -> Trouble | None:
    """Bring one change to its end; what kept it from there otherwise. Raises LeaseLost alone."""
    change = change_of(row)
    try:
        change = turn.customs.wish(change)
        connector = _connector(turn, change)
        pausing.refuse_paused(change.kind)
        _refuse_for(change)
        with _alone(turn, change):
            _do(turn, connector, step, row, change)
        return None
    except ConnectorError as error:
        return _trouble(turn, row, change, error, attempts=step.attempts + 1)


@contextlib.contextmanager
def _alone(turn: Turn, change: Change) -> Iterator[None]:
    """One writer at a time where a write replaces everything: a user of the identity provider, an account's list of rights."""
    name = lock_of(change)
    if not name:
        yield
        return
    with lock(name, token=turn.claim.token) as mine:
        if not mine:
            raise Unavailable(
                "another plan is writing to this user",
                kind=change.kind,
                doing="waiting",
                retry_after=1,
            )
        yield


def _connector(turn: Turn, change: Change) -> Connector:
    connector = turn.systems.connector(change.kind)
    if connector is None:
        raise unreachable(change.kind)
    return connector


class Held(Unavailable):
    """Not a sixth reaction: nothing is given to somebody who is suspended; what would be given waits until the person is back."""


def _refuse_for(change: Change) -> None:
    """Ask the person's row whether this may happen to the person now. Locks it in the caller's transaction."""
    if not change.subject:
        return
    rows = Person.objects.filter(id=change.subject)
    if connection.in_atomic_block:
        rows = rows.select_for_update()
    person = rows.first()
    if person is None:
        # By now the names may be somebody else's.
        raise Invalid(
            "the person is gone; nothing of that name is theirs any more",
            kind=change.kind,
            doing="changing access",
            advice="Nothing is to do: the removal took care of what was there.",
        )
    if gives(change) and person.state == Person.State.LEAVING:
        raise Invalid(
            "the person is leaving or gone; nothing is given any more",
            kind=change.kind,
            doing="giving access",
            advice="Nothing is to do: the removal takes care of what exists.",
        )
    if gives(change) and person.state == Person.State.SUSPENDED:
        raise Held(
            f"{person.username} is suspended; nothing is given until the suspension ends",
            kind=change.kind,
            doing="giving access",
            advice="It goes on by itself when the person is let back in.",
        )


def _do(turn: Turn, connector: Connector, step: PlanStep, row: PlanChange, change: Change) -> None:
    _let_an_earlier_try_end(connector, row, change)
    turn.claim.renew()
    fresh = _look(connector, change)
    sent_before = row.state == PlanChange.State.RUNNING
    noted = fresh
    if sent_before:
        # A look at our own half-done work says nothing of what was there before: what was written down then stays.
        new = change_of(row).new and gives(fresh)
        noted = fresh.model_copy(update={"before": change.before, "new": new})
    if change.new and not sent_before:
        _refuse_foreign(fresh)
    if satisfied(fresh.before, fresh.after) and not _only_apply_can_tell(fresh, sent_before):
        evidence = _verified(turn, connector, fresh)
        if evidence is not None:
            result = Result.CHANGED if sent_before else Result.ALREADY
            _write_change(turn, step, row, noted, Outcome(result=result), evidence)
            return
    with turn.claim.writing():
        _refuse_for(change)
        _refuse_overtaken(turn, row, change)
        row.state, row.sent_at = PlanChange.State.RUNNING, database_now()
        row.change = noted.model_dump(mode="json")
        row.save(update_fields=["state", "sent_at", "change"])
        note_sent(noted)
    with turn.claim.acting():
        outcome = connector.remove(fresh) if fresh.after is None else connector.apply(fresh)
    if sent_before and not satisfied(noted.before, noted.after):
        # The try that was cut off did it: somebody else's doing would have been seen before it.
        outcome = outcome.model_copy(update={"result": Result.CHANGED})
    evidence = _verified(turn, connector, fresh, outcome)
    if evidence is None:
        raise Unavailable(
            "the call was answered, but a fresh look does not show its effect yet",
            kind=change.kind,
            doing="verifying",
            advice="It is looked at again; if this stays, look at that system.",
        )
    _write_change(turn, step, row, noted, outcome, evidence)


def _let_an_earlier_try_end(connector: Connector, row: PlanChange, change: Change) -> None:
    """Somebody sent this and may have died: a create that is still under way there would be made twice.

    The same for a grant that is to be taken back meanwhile: its effect would come after it was taken.
    """
    if row.state != PlanChange.State.RUNNING or not row.sent_at:
        return
    sent = change_of(row)
    if not gives(sent) and sent.after == change.after:
        return
    # Sent later than now: the clock was turned back since, and the wait begins anew.
    row.sent_at = min(row.sent_at, database_now())
    left = (row.sent_at - database_now()).total_seconds() + connector.calls.answer_s
    if left > 0:
        raise Unavailable(
            "an earlier try may still be under way there",
            kind=change.kind,
            doing="waiting",
            retry_after=left,
        )


def _refuse_overtaken(turn: Turn, row: PlanChange, change: Change) -> None:
    """Look once more at what is wanted, in the transaction that writes down that it is sent."""
    if turn.customs.wish(change_of(row)).after != change.after:
        raise Unavailable(
            "what is wanted changed just now", kind=change.kind, doing="looking", retry_after=0
        )


def _look(connector: Connector, change: Change) -> Change:
    """The change as it stands now; what the looker does not know of it is kept."""
    kept = {name: getattr(change, name) for name in ("subject", "secrets", "new", "note")}
    return connector.plan(change.target, change.after).model_copy(update=kept)


def _only_apply_can_tell(change: Change, sent_before: bool) -> bool:
    """A look cannot compare secrets; nor does it bring back the id that a create we sent was given before we were killed."""
    return change.after is not None and (bool(change.secrets) or (sent_before and gives(change)))


def _refuse_foreign(change: Change) -> None:
    """Nothing is taken over by name alone (contract, idempotency 5)."""
    if isinstance(change.before, dict) and change.before.get("exists", True):
        raise Conflict(
            "something of this name is there already, and it is not ours",
            kind=change.kind,
            doing="making it",
            advice="Look whose it is. Rename or remove it there, then try again here.",
        )


def satisfied(before: Facts | Unknown | None, after: Facts | None) -> bool:
    """Whether a look shows that nothing is to do."""
    if after is None:
        return before is None
    return isinstance(before, dict) and all(
        before.get(name) == value for name, value in after.items()
    )


def _verified(
    turn: Turn, connector: Connector, change: Change, outcome: Outcome | None = None
) -> Evidence | None:
    """Look afresh. Absence counts only after our right to see the thing was proven in this turn."""
    if outcome and outcome.facts:
        change = change.model_copy(update={"target": {**change.target, **outcome.facts}})
    asked = not (outcome and outcome.by_hand)
    if change.after is None and asked and change.system not in turn.proven:
        turn.proven[change.system] = turn.systems.ready[change.system].prove_rights()
    return connector.verify(change)


def _write_change(
    turn: Turn,
    step: PlanStep,
    row: PlanChange,
    change: Change,
    outcome: Outcome,
    evidence: Evidence,
) -> None:
    states = {Result.CHANGED: PlanChange.State.DONE, Result.ALREADY: PlanChange.State.ALREADY}
    row.state = PlanChange.State.BY_HAND if outcome.by_hand else states[outcome.result]
    row.outcome = outcome.model_dump(mode="json")
    row.change = change.model_dump(mode="json")
    row.reason, row.finished_at = "", timezone.now()
    proof = turn.proven.get(change.system) if change.after is None else None
    with turn.claim.writing():
        row.save()
        note_ended(change)
        fresh = PlanStep.objects.get(id=step.id)
        known = {e["text"] for e in fresh.evidence}
        for piece, of in ((proof, ""), (evidence, change.kind)):
            if piece and piece.text not in known:
                fresh.evidence.append({**piece.model_dump(mode="json"), "kind": of})
        fresh.save(update_fields=["evidence"])


def _trouble(
    turn: Turn,
    row: PlanChange,
    change: Change,
    error: ConnectorError,
    *,
    attempts: int,
) -> Trouble:
    connector = turn.systems.connector(change.kind)
    cause = type(error).__name__.lower()
    if isinstance(error, pausing.Paused | Held):
        cause = "paused" if isinstance(error, pausing.Paused) else "suspended"
    wait = None
    if isinstance(error, Unavailable) and cause == "unavailable" and connector:
        wait = next_try(
            database_now(), attempts=attempts, policy=connector.calls, retry_after=error.retry_after
        )
    row.reason = error.detail
    with turn.claim.writing():
        row.save(update_fields=["reason", "sent_at"])
    if isinstance(error, Denied):
        pausing.pause(change.system, actor=audit.MANAGER, reason=error.detail)
    return Trouble(error, wait, cause)
