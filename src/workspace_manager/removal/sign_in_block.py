"""The sign-in block of a removal: it stands until the identity is gone, and every run checks and
restores it.

It consists of two doors: the user is disabled, and its sessions end. In plans of an earlier version
the second step sets it.
"""

from typing import Final

from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.kind import Invariant
from workspace_manager.removal.messages import message

RAISED_BY: Final = declare_step("resolve_identity", message)
END: Final = declare_step("remove_identity", message)
USER = "identity_provider.user"

BLOCK: Final = Invariant(
    raised_by=RAISED_BY,
    stands_until=END,
    restored=message("block_restored"),
    # A token may have been issued meanwhile, so the check's due moment is computed anew, also after
    # a crash.
    forgets=("recheck_due_at",),
    of=USER,
)
