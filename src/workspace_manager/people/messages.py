"""Messages to people who come and go, and to those who decide about them."""

from typing import Final

from workspace_manager.contract.message import Catalogue

REGISTERING = {
    "email": "Enter an e-mail address like name@example.org.",
    "name": "Enter a name.",
    "name_length": "Use at most 100 characters.",
    "name_characters": 'Leave out special characters such as < > & " / ( ).',
    "language": "Choose a language, such as en or de.",
    "theme": "Choose light, dark, or neither.",
    "time_zone": "Choose a time zone, such as Europe/Berlin.",
    "too_short": "Use at least {count} characters.",
    "too_long": "Use at most {count} characters.",
    "own_words": "Do not use your name or e-mail address as your password.",
    "easy": "This password is easy to guess. Add a few uncommon words or more characters.",
    "confirmed": "This address is already confirmed.",
    "nothing_to_confirm": "This registration is {state}. There is nothing to confirm.",
}
DECIDING = {
    "taken": "The user name {name} already belongs to somebody here.",
    "name_alike": (
        "The name {name} is equivalent to {other}, which belongs to somebody. Some systems would "
        "treat both as one account."
    ),
    "name_reserved": (
        "This user name is reserved for one of the workspace’s systems. Please choose another."
    ),
    "name_of_system": "A system uses the name {name} itself ({system}). Choose another name.",
    "name_not_free": (
        "Nobody in this workspace can have your user name. Ask an administrator of the workspace."
    ),
    "approved_already": (
        "Another registration for {name} is already approved. Reject this one or withdraw the "
        "other approval."
    ),
    "being_removed": (
        "{name} is being removed right now. The name is free when its reservation is released."
    ),
    "kept": (
        "A former person with the name {name} left on {left}. The name is reserved until "
        "{until}. Release it first if this is the same person, or if nobody could confuse the "
        "two."
    ),
    "looked_at": (
        "The manager is checking what a former person with the name {name} left behind. Try "
        "again in a minute."
    ),
    "leftovers": (
        "Data of a former {name} still exists: {things}. A new person with this name would get "
        "it. Delete it and try again, or have another name chosen."
    ),
    "no_user_id": "the identity provider returned no user id",
    "creating": "creating the user",
    "overtaken": "The decision took too long, and somebody else has decided in the meantime.",
    "claimed": (
        "Somebody else is deciding about this registration right now. Try again in a minute."
    ),
    "not_pending": "This registration is {state}, not pending.",
    "not_approved": "This registration is {state}, not approved.",
    "here": "{name} is already here. Remove the person instead.",
    "reason_length": "Write a reason of up to {count} characters. The applicant gets it by e-mail.",
}
SIGNING_IN = {
    "your_access_suspended": (
        "Your access to this workspace is suspended. Your data is kept. Ask an administrator of "
        "the workspace."
    ),
    "your_access_ended": (
        "Your access to this workspace has ended. "
        "If you think this is a mistake, ask an administrator of the workspace."
    ),
    "not_approved_here": (
        "Your account at the identity provider is fine, but nobody has approved it for this "
        "workspace. Register here or ask an administrator."
    ),
    "being_withdrawn": (
        "Your approval is being reconsidered. Please try again in a few minutes, or ask an "
        "administrator of the workspace."
    ),
    "same_email": (
        "Your e-mail address already belongs to somebody in this workspace who has another "
        "account. You cannot sign in until an administrator has decided whose account this is. "
        "The administrators have been notified."
    ),
    "no_name": (
        "Your account at the identity provider has no usable user name. Ask an administrator of "
        "the workspace."
    ),
    "another_sub": (
        "Your user name is known here, but belongs to another account at the identity provider. "
        "You cannot sign in until an administrator links the two. The administrators have been "
        "notified."
    ),
}
UNLINKED = {
    "linked": "This account is already linked to {name}.",
    "recorded": "This account is recorded for {name}.",
    "of_removed": "This account belonged to a removed person. Delete it at the identity provider.",
    "decided": "Already decided: {state} by {name}.",
    "nobody_called": (
        "Nobody here has the name {name}. Admit this account as a new person, or reject it."
    ),
    "knocked_otherwise": "This account is now called {name}. Check it again.",
    "being_undone": (
        "The account that an earlier approval created at the identity provider is being deleted. "
        "Try again when that is finished."
    ),
    "not_meant": "This account would be linked to {name}, not to {meant}. Check it again.",
    "type_whom": (
        "{name} is an administrator or has permissions, and the person with this account gets "
        "the same rights. Type the user name to confirm that you mean {name}."
    ),
    "sign_in_to_link": (
        "{name} is an administrator or has permissions, and the person with this account gets "
        "the same rights. Sign in again before you link it."
    ),
    "not_linked": "{name} is {state}. Nothing is linked.",
}
ROLES = {
    "leaving": "{name} is being removed and cannot get a role.",
    "usable_name": "Use 1 to 255 characters, no slash, and not only dots.",
    "not_your_role": "You cannot remove your own role. Ask another administrator.",
    "no_administrator": "{name} is not an administrator.",
    "not_suspend_yourself": "You cannot suspend your own account. Ask another administrator.",
    "not_active": "{name} is {state}, not active.",
    "not_suspended": "{name} is {state}, not suspended.",
    "no_account_there": "{name} has no recorded account there.",
    "not_shut": (
        "The account {name} stays as it is because the system {system} is not installed. Disable "
        "it there by hand."
    ),
    # Steps in systems outside the package.
    "step_shut": "Disable accounts: {system}",
    "step_open": "Enable accounts again: {system}",
    "step_make": "Create accounts: {system}",
    "nothing_changed": "The suspension changed nothing here.",
    "nothing_shared": "Nothing there is shared with {name}.",
    "for_reason": "Reason from {name}: {reason}",
    "until_somebody": "The suspension has no end date. An administrator has to end it.",
    "until_then": (
        "The suspension ends automatically: {until}. All access is restored then. Administrators "
        "get an e-mail before."
    ),
    "stack_goes_on": "“{stack}” keeps running for {users} in the project “{project}”.",
    "public_goes_on": (
        "“{label}” ({name}) stays public: a suspension changes no repository. The owner and "
        "administrators can change that on its page."
    ),
    "tokens_end": (
        "Manager API tokens are revoked and every session here ends. Passwords and keys do not "
        "change and work again after the suspension."
    ),
    "proof_suspended": "Ended with the suspension. Nobody can sign in here during the suspension.",
    "reason_too_long": "Use up to {count} characters.",
    "until_in_future": "Enter a time in the future, within ten years.",
    "not_your_permissions": "You cannot change your own permissions. Ask another administrator.",
    "no_permission": "Unknown permission. Known permissions: {names}.",
    "given_and_taken": "The same permission cannot be granted and revoked.",
    "may_not_decide": "{name} may no longer decide about registrations. Nothing was changed.",
    "announced_decided_by_administrators": (
        "{name} was announced as an administrator. Only administrators can decide about this "
        "registration."
    ),
    "until_format": "Write a date (2026-12-31), a time (2026-12-31T08:00+01:00), or never.",
}

ANNOUNCED = {
    "announced.name": (
        "{by} announced {name} as an administrator until {until}, by name only. A name alone "
        "does not give the role. After the first sign-in an administrator confirms or withdraws "
        "the announcement."
    ),
    "announced.email": (
        "{by} announced {name} as an administrator until {until}, for the address {email}. After "
        "the approval this person gets the role as soon as the identity provider confirms that "
        "address."
    ),
    "announced.sub": (
        "{by} announced {name} as an administrator until {until}, for this account. The person "
        "gets the role at the first sign-in."
    ),
    "announced.another": (
        "{by} announced {name} as an administrator until {until}, for another account or "
        "address. This applicant does not get the role."
    ),
    "not_announced": (
        "{name} is not announced as an administrator, or the announcement has expired."
    ),
    "nobody_came": (
        "Nobody with the name {name} has signed in yet. Confirm the role after the first "
        "sign-in, when you know who it is."
    ),
    "announced_for_another": (
        "{name} was announced for another account or address than the person who signed in. "
        "Withdraw the announcement; then you can add this person as an administrator."
    ),
    "another_account": "{name} is already here with another account or address than you named.",
    "usable_sub": "Enter the user id at the identity provider, at most 255 characters.",
    "until": "Enter a day like 2030-01-31 in the future, at most {days} days from now.",
}

ENDING = {
    "end_format": "Write a date (2026-12-31), or never.",
    "end_in_future": "The last day is today or later, at most ten years ahead.",
    "not_end_yourself": "Nobody sets their own end date. Ask another administrator.",
    "not_here": "{name} is {state}.",
    "not_with_yourself": "You cannot do this to yourself.",
    "no_address": "No e-mail address of {name} is known.",
    "not_here_any_more": "Nobody called {name} is here any more.",
    "changed_since": (
        "{name} changed after you looked, so nothing was done. Look again, and choose again."
    ),
    "failed": (
        "Something went wrong with {name}, and nothing was done. The manager's log says what; try "
        "it again on the person's page."
    ),
    "too_many": "Choose at most {count} people at once.",
    "letter_subject": "Write a subject of one line, at most {count} characters.",
    "letter_text": "Write a text of at most {count} characters, without invisible characters.",
    "end_reached": "The end date was reached: {day}.",
}

PLANS: Final = {
    "suspension": "Suspension",
    "resumption": "End of a suspension",
    "approval.accounts": "Accounts of an approved person",
    "approval.undo": "Approval withdrawal",
    "registration.confirm": "E-mail confirmation",
}
"""Kinds of plans. Their codes are stored, and keep the form that they had in the inbox's
catalogue.
"""

message = Catalogue(
    "people",
    __file__,
    {
        **REGISTERING,
        **DECIDING,
        **SIGNING_IN,
        **UNLINKED,
        **ROLES,
        **ANNOUNCED,
        **ENDING,
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.verify_email": "Mark the e-mail address as confirmed",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
