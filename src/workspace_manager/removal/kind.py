"""A removal as a kind of plan: what the engine is told about it."""

from typing import Final

from workspace_manager.engine.kind import PlanKind
from workspace_manager.removal import build, close, end_of_access, recheck
from workspace_manager.removal.sign_in_block import BLOCK

REMOVAL: Final = PlanKind(
    build.KIND,
    build=build.build,
    invariants=(BLOCK,),
    noted=recheck.due,
    on_saved=close.on_saved,
    extras=end_of_access.extras,
    removes_person=True,
)
