"""The kinds of plans of a removal, for the engine."""

from typing import Final

from workspace_manager.contract.connector import Change
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.kind import PlanKind
from workspace_manager.records.models import Plan
from workspace_manager.removal import build, close, headline, left_account, recheck
from workspace_manager.removal.messages import message
from workspace_manager.removal.sign_in_block import BLOCK

REMOVAL: Final = PlanKind(
    build.KIND,
    message("plan.removal"),
    build=build.build,
    invariants=(BLOCK,),
    noted=recheck.recheck_due,
    on_saved=close.on_saved,
    extras=headline.extras,
    removes_person=True,
)


def _may_act(change: Change) -> bool:
    """Return False if the name now belongs to somebody else, or somebody here signs in with
    the id.
    """
    sub = change.target.get("sub", "")
    return recheck.may_act(change) and not (sub and left_account.is_taken(sub))


def _on_left_saved(plan: Plan, _systems: ConnectedSystems) -> None:
    """Store the follow-up checks of the account's last token once the plan has ended."""
    if plan.state == Plan.State.DONE and not plan.rechecks.exists():
        recheck.store_rechecks(plan)


LEFT_ACCOUNT: Final = PlanKind(
    left_account.KIND,
    message("plan.removal.account"),
    may_act=_may_act,
    held_name=recheck.held_name,
    invariants=(BLOCK,),
    noted=recheck.recheck_due,
    on_saved=_on_left_saved,
    extras=headline.extras_of_further,
)
"""Removes an account that a removal left at the identity provider."""
