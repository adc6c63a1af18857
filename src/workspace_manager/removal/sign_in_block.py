"""The fence stands until the identity is gone: looked at on every wake, raised again if somebody lifted it."""

from datetime import datetime

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.clock import database_now
from workspace_manager.core.locks import lock
from workspace_manager.engine import pause
from workspace_manager.engine.plan_run import Turn
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import Plan, PlanChange, PlanStep

FENCE, END = "resolve_identity", "remove_identity"


def keep(turn: Turn) -> None:
    """Look whether the fence still stands; a failed look is said by the step that needs the identity provider."""
    steps = {step.name: step for step in turn.steps()}
    fence, end = steps.get(FENCE), steps.get(END)
    if not turn.plan.fenced_at or fence is None or end is None or end.state in PlanStep.ENDED:
        return
    for row in fence.changes.filter(kind="identity_provider.user"):
        try:
            _raise_again(turn, row)
        except ConnectorError:
            continue


def _raise_again(turn: Turn, row: PlanChange) -> None:
    change = change_of(row)
    connector = turn.systems.connector(change.kind)
    if connector is None or change.system in pause.paused() or connector.verify(change) is not None:
        return
    if connector.plan(change.target, change.after).before is None:
        return
    with lock(f"identity_provider:{change.target['sub']}", token=turn.claim.token) as mine:
        if mine:
            # A token may have been given out meanwhile: the late look is counted anew, also when we are killed in here.
            _stands_since(turn, None)
            with turn.claim.acting():
                connector.apply(change)
            _stands_since(turn, database_now())
            turn.find(
                "The account was enabled or signed in again while it was leaving; it was fenced again."
            )


def note(turn: Turn) -> None:
    """Write down since when the fence stands: from then on no new token is given out."""
    fence = next((step for step in turn.steps() if step.name == FENCE), None)
    if fence and not turn.plan.fenced_at and fence.state == PlanStep.State.DONE:
        _stands_since(turn, database_now())


def _stands_since(turn: Turn, moment: datetime | None) -> None:
    turn.plan.fenced_at, turn.plan.late_look_due_at = moment, None
    with turn.claim.writing():
        Plan.objects.filter(id=turn.plan.id).update(fenced_at=moment, late_look_due_at=None)
