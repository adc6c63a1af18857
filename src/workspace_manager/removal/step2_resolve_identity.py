"""Step 2: resolve the `sub` from the account link, and check that no session is open.

The drive account is deleted (step 3) before the identity (step 4), and a valid token would recreate
it in between. So the user is disabled *and* logged out
(docs/systems/identity-provider.md#disabling-signing-out-deleting). Both are doors of the removal
(`doors.py`), which are tried first. The step waits only for the end of the sessions: a provider may
refuse to change a user that it does delete in step 4.
"""

from workspace_manager.contract.connector import Change
from workspace_manager.contract.message import Words
from workspace_manager.engine.plan import PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.removal.capture import CapturedPerson, no_link
from workspace_manager.removal.messages import message
from workspace_manager.removal.sign_in_block import RAISED_BY
from workspace_manager.systems.identity_provider.settings import Settings


def step(captured: CapturedPerson) -> PlannedStep:
    """Return the step; skipped without account link."""
    skip: Words = no_link(captured.username) if not captured.sub else ""
    settings = captured.systems.settings_of(Settings)
    changes: tuple[Change, ...] = ()
    if not skip and settings.fence:
        changes = (no_session(captured),)
    elif not skip:
        skip = message("block_switched_off", sub=captured.sub)
    return PlannedStep(
        n=2,
        name=RAISED_BY,
        system="identity_provider",
        skip=skip,
        changes=tuple(plan_change(c, name=captured.sub) for c in changes),
    )


def no_session(captured: CapturedPerson) -> Change:
    return Change(
        kind="identity_provider.user",
        subject=captured.subject,
        target={"sub": captured.sub, "username": captured.username},
        after={"sessions": 0},
    )
