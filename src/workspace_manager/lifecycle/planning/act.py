"""Act on one change: look, act, look again, write down. Calls are made here and nowhere else in the engine."""

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
from workspace_manager.lifecycle.driven import LABELS
from workspace_manager.lifecycle.planning import pausing
from workspace_manager.lifecycle.planning.claim import database_now, lock
from workspace_manager.lifecycle.planning.journal import change_of
from workspace_manager.lifecycle.planning.turn import Trouble, Turn
from workspace_manager.lifecycle.planning.waits import next_try
from workspace_manager.records.models import Person, PlanChange, PlanStep


def act_on(turn: Turn, step: PlanStep, row: PlanChange) -> Trouble | None:
    """Bring one change to its end; what kept it from there otherwise. Raises LeaseLost alone."""
    change = change_of(row)
    try:
        connector = _connector(turn, change)
        pausing.refuse_paused(change.kind)
        _refuse_leaving(change)
        sub = change.target.get("sub", "") if change.system == "identity_provider" else ""
        if not sub:
            _do(turn, connector, step, row, change)
            return None
        with lock(f"identity_provider:{sub}", token=turn.claim.token) as mine:
            if not mine:
                raise Unavailable(
                    "another plan is writing to this user",
                    kind=change.kind,
                    doing="waiting",
                    retry_after=1,
                )
            _do(turn, connector, step, row, change)
        return None
    except ConnectorError as error:
        return _trouble(turn, row, change, error, attempts=step.attempts + 1)


def _connector(turn: Turn, change: Change) -> Connector:
    connector = turn.driven.connector(change.kind)
    if connector is None:
        label = LABELS.get(change.system, change.system)
        raise Invalid(
            f"the {label} is not configured, but accounts are recorded there",
            kind=change.kind,
            doing="finding the system",
            advice=f"Configure the {label} under Systems, or finish this by hand and say so here.",
        )
    return connector


def _refuse_leaving(change: Change) -> None:
    if not change.gives:
        return
    person = Person.objects.filter(id=change.subject).first() if change.subject else None
    if change.subject and (person is None or person.state == Person.State.LEAVING):
        raise Invalid(
            "the person is leaving or gone; nothing is given any more",
            kind=change.kind,
            doing="giving access",
            advice="Nothing is to do: the removal takes care of what exists.",
        )


def _do(turn: Turn, connector: Connector, step: PlanStep, row: PlanChange, change: Change) -> None:
    _let_an_earlier_try_end(connector, row, change)
    turn.claim.renew()
    fresh = _look(connector, change)
    sent_before = row.state == PlanChange.State.RUNNING
    if change.new and not sent_before:
        _refuse_foreign(fresh)
    if satisfied(fresh.before, fresh.after) and not _only_apply_can_tell(fresh, sent_before):
        evidence = _verified(turn, connector, fresh)
        if evidence is not None:
            result = Result.CHANGED if sent_before else Result.ALREADY
            _write_change(turn, step, row, fresh, Outcome(result=result), evidence)
            return
    with turn.claim.writing():
        row.state, row.sent_at = PlanChange.State.RUNNING, database_now()
        row.change = fresh.model_dump(mode="json")
        row.save(update_fields=["state", "sent_at", "change"])
    outcome = connector.remove(fresh) if fresh.after is None else connector.apply(fresh)
    evidence = _verified(turn, connector, fresh, outcome)
    if evidence is None:
        raise Unavailable(
            "the call was answered, but a fresh look does not show its effect yet",
            kind=change.kind,
            doing="verifying",
            advice="It is looked at again; if this stays, look at that system.",
        )
    _write_change(turn, step, row, fresh, outcome, evidence)


def _let_an_earlier_try_end(connector: Connector, row: PlanChange, change: Change) -> None:
    """Somebody sent this and may have died: a create that is still under way there would be made twice."""
    if row.state != PlanChange.State.RUNNING or not change.gives or not row.sent_at:
        return
    left = (row.sent_at - database_now()).total_seconds() + connector.calls.answer_s
    if left > 0:
        raise Unavailable(
            "an earlier try may still be under way there",
            kind=change.kind,
            doing="waiting",
            retry_after=left,
        )


def _look(connector: Connector, change: Change) -> Change:
    """The change as it stands now; what the looker does not know of it is kept."""
    kept = {name: getattr(change, name) for name in ("subject", "secrets", "new", "note")}
    return connector.plan(change.target, change.after).model_copy(update=kept)


def _only_apply_can_tell(change: Change, sent_before: bool) -> bool:
    """A look cannot compare secrets; nor does it bring back the id that a create we sent was given before we were killed."""
    return change.after is not None and (bool(change.secrets) or (sent_before and change.gives))


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
        turn.proven[change.system] = turn.driven.ready[change.system].prove_rights()
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
        fresh = PlanStep.objects.get(id=step.id)
        known = {e["text"] for e in fresh.evidence}
        for piece in (proof, evidence):
            if piece and piece.text not in known:
                fresh.evidence.append(piece.model_dump(mode="json"))
        fresh.save(update_fields=["evidence"])


def _trouble(
    turn: Turn,
    row: PlanChange,
    change: Change,
    error: ConnectorError,
    *,
    attempts: int,
) -> Trouble:
    connector = turn.driven.connector(change.kind)
    cause = "paused" if isinstance(error, pausing.Paused) else type(error).__name__.lower()
    wait = None
    if isinstance(error, Unavailable) and not isinstance(error, pausing.Paused) and connector:
        wait = next_try(
            database_now(), attempts=attempts, policy=connector.calls, retry_after=error.retry_after
        )
    row.reason = error.detail
    with turn.claim.writing():
        row.save(update_fields=["reason"])
    if isinstance(error, Denied):
        pausing.pause(change.system, actor="manager", reason=error.detail)
    return Trouble(error, wait, cause)
