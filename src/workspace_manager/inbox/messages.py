"""What an inbox says: what waits, why, and what to do about it."""

from typing import Final

from workspace_manager.contract.message import Catalogue
from workspace_manager.records.models import Permission

OF_PLANS: Final = {
    "open_and_why": "Still open: {systems}. {why}",
    "removal_needs_you": "The removal of {name} needs you.",
    "plan_needs_you": "{plan}: {name} needs you.",
    "removal_waits": "The removal of {name} waits for a system.",
    "plan_waits": "{plan}: {name} waits for a system.",
    "recheck_needs_you": "The follow-up check after the removal of {name} needs you.",
    "came_back": "Something came back after the removal of {name}, and was removed again.",
    "left_by_hand": "{plan}: something of {name} is left for you to do by hand.",
    "left_by_skip": "A step was skipped; what it would have removed is still there.",
}
OF_SYSTEMS: Final = {
    "paused": "The {system} is not called.",
    "down": "The {system} is down.",
    "degraded": "The {system} does not work as it should.",
    "finding": "A check of the {system} fails: {name}.",
}
OF_DIFFERENCES: Final[dict[str, str | tuple[str, str]]] = {
    "identity_gone": "{name} is not at the identity provider any more.",
    "identity_gone.why": (
        "Nobody can sign in with this account. Remove the person here, or have the account made "
        "again there."
    ),
    "identity_disabled": "{name} is disabled at the identity provider.",
    "identity_disabled.why": (
        "Somebody disabled the account there. Suspend or remove the person here, or have the "
        "account enabled there."
    ),
    "differences": (
        "{n} difference between the {system} and the records.",
        "{n} differences between the {system} and the records.",
    ),
    "differences.why": "The last comparison with all systems found it.",
}
OF_WEBHOOKS: Final = {
    "webhook_off": "The webhook “{label}” was switched off: nothing is told there any more.",
    "webhook_off.gone": "Its address answered that it is gone.",
    "webhook_off.failing": "Nothing has arrived there for three days.",
}
OF_PEOPLE: Final = {
    "registration": "{name} wants to join.",
    "not_confirmed": "The e-mail address is not confirmed yet.",
    "stranger": "{name} was turned away at the door.",
    "why.other_sub": "A person of this name is here, linked to another account.",
    "why.same_email": "Somebody here has this address, with another account.",
    "why.not_approved": "Nobody approved this account.",
    "why.suspended": "The person is suspended.",
    "why.tombstone": "The account or the name is of somebody who left.",
    "announced": "{name} was announced as an administrator, and is here.",
    "announced.why": "Nobody gets the role by a name alone: look who it is, and confirm.",
    "permission": "A permission of {name} ends on {at}.",
    "own_permission": "Your permission ends on {at}.",
    "given_by": "{permission} (given by {by})",
    "account": "The account of {name} ends: {day} is the last day.",
    "account.why": "After it the person is suspended by itself; nothing is removed.",
    "own_account": "Your account ends: {day} is your last day here.",
    "own_account.why": "After it you are not let in. Ask an administrator if you need it longer.",
    "token": "Your API token “{label}” ends on {at}.",
    "token.why": "Programs that use it are refused from then on.",
    "request": "{name} asks to join “{label}”.",
    "invitation": "{name} invites you into “{label}”.",
    "invitation.why": "The invitation stands until {at}.",
    "not_made": "“{label}” could not be made.",
    "not_deleted": "“{label}” could not be deleted.",
}
ACTIONS: Final = {
    "look_at_plan": "Look at the plan",
    "look_at_it": "Look at it",
    "decide": "Decide",
    "open_system": "Look at the system",
    "look_at_webhook": "Look at the webhook",
    "look_at_person": "Look at the person",
    "look_at_differences": "Look at the differences",
    "confirm": "Confirm",
    "extend": "Give it for longer",
    "extend_account": "Look at the end date",
    "see_account": "Look at your account",
    "see_permissions": "See your permissions",
    "new_token": "Make a new one",
    "answer": "Answer",
}
THINGS: Final = {
    "things.plan_stuck": "Stuck plans",
    "things.recheck_stuck": "Stuck follow-up checks",
    "things.plan_waiting": "Waiting plans",
    "things.recheck_found": "Found after removals",
    "things.left_by_hand": "Left by hand",
    "things.system_paused": "Paused systems",
    "things.system_down": "Systems that are down",
    "things.system_degraded": "Systems in trouble",
    "things.finding": "Failing checks",
    "things.identity_gone": "Missing identities",
    "things.drift": "Differences from the records",
    "things.webhook_off": "Webhooks that were switched off",
    "things.registration": "Registrations",
    "things.stranger": "At the door",
    "things.announced": "Announced administrators",
    "things.permission": "Ending permissions",
    "things.own_permission": "My ending permissions",
    "things.account": "Ending accounts",
    "things.own_account": "My ending account",
    "things.component_failed": "Failed components",
    "things.stack_failed": "Failed stacks",
    "things.request": "Requests to join",
    "things.invitation": "Invitations",
    "things.token": "Ending tokens",
}
"""Held to the kinds of things that there are by a test."""
PUTTING_OFF: Final = {
    "until": "Choose a day from tomorrow on, and at most {days} days away.",
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
