"""The sign-in block stands until the identity is gone: looked at on every wake, and raised again if
somebody lifted it.

It is two doors of the removal: the user is disabled, and its sessions are ended. In a plan of an
earlier version the second step raises it.
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
    # A token may have been given out meanwhile: the recheck is counted anew, also when somebody is
    # killed in between.
    forgets=("recheck_due_at",),
    of=USER,
)
