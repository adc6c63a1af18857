"""Step 3: revoke the stored app password, delete the drive accounts, clear the two attributes.

Targets are the expected account id (`prefix + sub`), the legacy form, the same two for earlier
`sub`s, and recorded names; never a name from an attribute, which could have been edited. Without
administrator credentials the account is left for manual work.
"""

from typing import Final

from workspace_manager.contract.connector import Change
from workspace_manager.core.plan_names import declare_step
from workspace_manager.engine.plan import PlannedChange, PlannedStep
from workspace_manager.engine.rows import plan_change
from workspace_manager.removal.capture import CapturedPerson, no_link
from workspace_manager.removal.messages import message
from workspace_manager.systems.drive import names
from workspace_manager.systems.drive.settings import Settings

KIND = "drive.account"
NAME: Final = declare_step("remove_drive_account", message)


def step(captured: CapturedPerson) -> PlannedStep:
    """Return the step; needs the `sub` of step 2."""
    skip = (
        no_link(captured.username) if not captured.sub else captured.not_configured("drive", KIND)
    )
    changes = () if skip else _changes(captured)
    return PlannedStep(n=3, name=NAME, system="drive", needs=(2,), skip=skip, changes=changes)


def _changes(captured: CapturedPerson) -> tuple[PlannedChange, ...]:
    settings = captured.systems.settings_of(Settings)
    ids = account_ids(captured, settings)
    reference = f"identity_provider.attributes/{captured.sub}/{settings.app_password_attribute}"
    revoke = Change(
        kind="drive.app_password",
        subject=captured.subject,
        target={"login_name": ids[0], "sub": captured.sub, "app_password_ref": reference},
        secrets={"app_password": reference},
    )
    former = [
        (name, sub) for sub in captured.former_subs for name in names.account_ids(settings, sub)
    ]
    deletions = [
        Change(kind=KIND, subject=captured.subject, target={"account_id": name, "sub": sub})
        for name, sub in [*((name, captured.sub) for name in ids), *former]
    ]
    attributes = (settings.login_name_attribute, settings.app_password_attribute)
    clear = Change(
        kind="identity_provider.attributes",
        subject=captured.subject,
        target={"sub": captured.sub, "username": captured.username},
        after=dict.fromkeys(attributes),
    )
    # The attribute alone stores the app password, so it is cleared after the revocation.
    return (
        plan_change(revoke, name=f"app password of {ids[0]}"),
        *(plan_change(change) for change in deletions),
        plan_change(clear, 0, name=", ".join(attributes)),
    )


def account_ids(captured: CapturedPerson, settings: Settings) -> list[str]:
    """Return the expected id, then the legacy form, then recorded names."""
    return list(
        dict.fromkeys([*names.account_ids(settings, captured.sub), *captured.recorded(KIND)])
    )
