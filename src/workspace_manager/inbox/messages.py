"""Messages of the inbox: items, reasons and actions."""

from typing import Final

from workspace_manager.contract.message import Catalogue
from workspace_manager.records.models import Permission

OF_PLANS: Final = {
    "open_and_why": "Still open: {systems}. {why}",
    "removal_needs_you": "The removal of {name} needs attention.",
    "plan_needs_you": "{plan}: {name} needs attention.",
    "removal_waits": "The removal of {name} is waiting for a system.",
    "plan_waits": "{plan}: {name} is waiting for a system.",
    "recheck_needs_you": "The follow-up check after the removal of {name} needs attention.",
    "came_back": "Something came back after the removal of {name} and was removed again.",
    "left_by_hand": "{plan}: {name} has work left to do by hand.",
    "left_by_skip": "A step was skipped. What it would have removed still exists.",
}
OF_SYSTEMS: Final = {
    "paused": "The {system} is paused.",
    "down": "The {system} does not answer.",
    "degraded": "The {system} has problems.",
    "finding": "A check of the {system} failed: {name}.",
}
OF_DIFFERENCES: Final[dict[str, str | tuple[str, str]]] = {
    "identity_gone": "The account of {name} no longer exists at the identity provider.",
    "identity_gone.why": (
        "Nobody can sign in with this account. Remove the person here, or have the account "
        "created again there."
    ),
    "identity_disabled": "The account of {name} is disabled at the identity provider.",
    "identity_disabled.why": (
        "Suspend or remove the person here, or have the account enabled there."
    ),
    "differences": (
        "{n} difference between the {system} and the records.",
        "{n} differences between the {system} and the records.",
    ),
    "differences.why": "Found by the last comparison.",
}
OF_WEBHOOKS: Final = {
    "webhook_off": "The webhook “{label}” was switched off. It receives no more events.",
    "webhook_off.gone": "Its address answered that it no longer exists.",
    "webhook_off.failing": "No delivery has succeeded for three days.",
}
OF_PEOPLE: Final = {
    "registration": "{name} wants to join.",
    "not_confirmed": "The e-mail address is not confirmed yet.",
    "stranger": "The sign-in of {name} was refused.",
    "why.other_sub": "A person of this name exists here with another account.",
    "why.same_email": "A person here has this e-mail address with another account.",
    "why.not_approved": "Nobody approved this account.",
    "why.suspended": "The person is suspended.",
    "why.tombstone": "The account or the name belongs to a former person.",
    "announced": "{name} was announced as an administrator and has signed in.",
    "announced.why": "A name alone does not give the role. Check who it is and confirm.",
    "permission": "A permission of {name} ends on {at}.",
    "own_permission": "Your permission ends on {at}.",
    "given_by": "{permission} (granted by {by})",
    "account": "The access of {name} ends. The last day is {day}.",
    "account.why": "After that day the person is suspended automatically. Nothing is removed.",
    "own_account": "Your access ends. Your last day is {day}.",
    "own_account.why": (
        "After that day you can no longer sign in. Ask an administrator if you need more time."
    ),
    "token": "Your API token “{label}” expires on {at}.",
    "token.why": "Programs that use it stop working then.",
    "request": "{name} wants to join “{label}”.",
    "invitation": "{name} invites you to “{label}”.",
    "invitation.why": "The invitation is valid until {at}.",
    "not_made": "“{label}” could not be created.",
    "snapshot_failed": "The snapshot “{label}” of “{source}” could not be created.",
    "snapshot_damaged": "The snapshot “{label}” of “{source}” is damaged.",
    "snapshot_late": "The scheduled snapshot of “{label}” is late.",
    "restore_stuck": "The restore in place of “{label}” is stuck.",
    "not_deleted": "“{label}” could not be deleted.",
}
ACTIONS: Final = {
    "look_at_plan": "View plan",
    "look_at_it": "View",
    "decide": "Decide",
    "open_system": "View system",
    "look_at_webhook": "View webhook",
    "look_at_person": "View person",
    "look_at_differences": "View differences",
    "confirm": "Confirm",
    "extend": "Extend",
    "extend_account": "View end date",
    "see_account": "View your account",
    "see_permissions": "View your permissions",
    "new_token": "Create a new token",
    "answer": "Answer",
}
THINGS: Final = {
    "things.plan_stuck": "Stuck plans",
    "things.recheck_stuck": "Stuck follow-up checks",
    "things.plan_waiting": "Waiting plans",
    "things.recheck_found": "Follow-up findings",
    "things.left_by_hand": "To do by hand",
    "things.system_paused": "Paused systems",
    "things.system_down": "Systems that do not answer",
    "things.system_degraded": "Systems with problems",
    "things.finding": "Failed checks",
    "things.identity_gone": "Missing accounts",
    "things.drift": "Differences",
    "things.webhook_off": "Webhooks switched off",
    "things.registration": "Registrations",
    "things.stranger": "Refused sign-ins",
    "things.announced": "Announced administrators",
    "things.permission": "Expiring permissions",
    "things.own_permission": "My expiring permissions",
    "things.account": "Ending access",
    "things.own_account": "My ending access",
    "things.component_failed": "Failed components",
    "things.stack_failed": "Failed stacks",
    "things.snapshot_failed": "Failed snapshots",
    "things.snapshot_damaged": "Damaged snapshots",
    "things.snapshot_late": "Late snapshots",
    "things.restore_stuck": "Stuck restores",
    "things.request": "Requests to join",
    "things.invitation": "Invitations",
    "things.token": "Expiring tokens",
}
"""A test compares these with the kinds that exist."""
PUTTING_OFF: Final = {
    "until": "Choose a day from tomorrow to {days} days from now.",
}

message = Catalogue(
    "inbox",
    __file__,
    {
        **OF_PLANS,
        **OF_SYSTEMS,
        **OF_DIFFERENCES,
        **OF_WEBHOOKS,
        **OF_PEOPLE,
        **ACTIONS,
        **{f"permission.{one.value}": str(one.label) for one in Permission.Name},
        **THINGS,
        **PUTTING_OFF,
    },
)
