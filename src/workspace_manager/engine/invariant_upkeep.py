"""See to it that everything stays that has to, first of all on each wake: doors that are open are
shut, and what was brought about is brought about anew where it is not so any more.
"""

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.slots import Busy
from workspace_manager.core.clock import database_now
from workspace_manager.engine.change import bring_about, failure_of
from workspace_manager.engine.guard import EndedByHand
from workspace_manager.engine.invariants import due_invariants, save
from workspace_manager.engine.plan_run import PlanRun


def keep_invariants(run: PlanRun) -> None:
    """Try each by itself: what fails is written down with its door, holds up no other one, and no
    step. Raises LeaseLost.
    """
    failed, now = False, None
    for entry in due_invariants(run):
        now = now or database_now()
        if entry.put_off(now):
            continue
        try:
            bring_about(run, entry)
        except (Busy, EndedByHand):
            # Its turn comes; or a person decided about the step that deals with the same thing.
            continue
        except ConnectorError as error:
            paused = set(run.paused)
            failure = failure_of(run, entry.change, error, attempts=entry.attempts + 1)
            run.denied.update(dict.fromkeys(run.paused.keys() - paused, error))
            failed |= entry.failed(failure)
    if failed:
        with run.lease.writing():
            save(run.plan)
