"""What is said to people who come and go, and to those who decide about them."""

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
    "confirmed": "This address is confirmed already.",
    "nothing_to_confirm": "This registration is {state}; nothing is to be confirmed.",
}
DECIDING = {
    "taken": "The user name {name} belongs to somebody who is here already.",
    "name_alike": (
        "The name {name} counts as the same as {other}, and {other} is somebody’s. "
        "In some systems the two would be one account."
    ),
    "name_reserved": (
        "This user name is reserved for one of the workspace's systems. Please choose another."
    ),
    "name_of_system": (
        "The name {name} is one that a system uses for itself ({system}). "
        "Nobody can have it: choose another name."
    ),
    "name_not_free": (
        "Your user name cannot be given to anybody in this workspace. "
        "Ask an administrator of the workspace."
    ),
    "approved_already": (
        "Another registration for {name} is approved already. "
        "Turn this one down, or withdraw that one."
    ),
    "being_removed": (
        "{name} is being removed right now. The name is free again after its tombstone is released."
    ),
    "kept": (
        "Somebody called {name} left on {left}; the name is kept until {until}. Release its "
        "tombstone first if this is the same person or nobody could mix them up."
    ),
    "looked_at": (
        "What somebody called {name} left behind is looked at right now. Try again in a minute."
    ),
    "leftovers": (
        "Something of an earlier {name} is still there: {things}. Whoever gets the name now would "
        "have it. Delete it, then try again, or have another name chosen."
    ),
    "no_user_id": "no user id was given",
    "creating": "creating the user",
    "overtaken": "This took too long and somebody else has decided meanwhile.",
    "claimed": (
        "Somebody else is deciding about this registration right now. Look again in a minute."
    ),
    "not_pending": "This registration is {state}, not pending.",
    "not_approved": "This registration is {state}, not approved.",
    "here": "{name} is here already. Remove the person instead.",
    "reason_length": "Write a reason of up to {count} characters: the applicant reads it.",
}
SIGNING_IN = {
    "your_access_suspended": (
        "Your access to this workspace is suspended for now. Your things are kept. "
        "Ask an administrator of the workspace."
    ),
    "your_access_ended": (
        "Your access to this workspace has ended. "
        "If you think this is a mistake, ask an administrator of the workspace."
    ),
    "not_approved_here": (
        "Your account at the identity provider is fine, but nobody has approved it for this "
        "workspace. Register here, or ask an administrator to approve you."
    ),
    "being_withdrawn": (
        "Your approval is just being decided about again. "
        "Please try again in a few minutes, or ask an administrator of the workspace."
    ),
    "same_email": (
        "Your e-mail address belongs to somebody who is in this workspace already, under another "
        "account. An administrator of the workspace has been told and can decide whose account "
        "this is; until then you cannot sign in with it."
    ),
    "no_name": (
        "The identity provider did not say who you are: your account there has no usable user "
        "name. Ask an administrator of the workspace."
    ),
    "another_sub": (
        "Your user name is known here, but it belongs to another account of the identity "
        "provider. An administrator of the workspace has been told and can link the two; "
        "until then you cannot sign in."
    ),
}
UNLINKED = {
    "linked": "This account is linked to {name} already.",
    "recorded": "This account is recorded as that of {name}.",
    "of_removed": (
        "This account belonged to somebody who was removed. Delete it at the identity provider."
    ),
    "decided": "This was decided already: {state} by {name}.",
    "nobody_called": "Nobody called {name} is here. Adopt this account instead, or refuse it.",
    "knocked_otherwise": "This account calls itself {name} by now. Look at it again.",
    "being_undone": (
        "What an earlier approval made at the identity provider is being deleted. Try again when "
        "that is done."
    ),
    "not_meant": "This account would be linked to {name}, and not to {meant}. Look at it again.",
    "type_whom": (
        "{name} administers, or was given permissions, and so would be whoever has this account. "
        "Type the user name to say that you mean {name}."
    ),
    "sign_in_to_link": (
        "Whoever has this account would act as {name}, who administers or was given permissions. "
        "Sign in again, then link it."
    ),
    "not_linked": "{name} is {state}; nothing is linked.",
}
ROLES = {
    "leaving": "{name} is leaving and becomes nothing any more.",
    "usable_name": "Use 1 to 255 characters, no slash, and not only dots.",
    "not_your_role": ("You cannot take the role from yourself. Ask another administrator."),
    "no_administrator": "{name} is not an administrator.",
    "not_suspend_yourself": "You cannot suspend your own account. Ask another administrator.",
    "not_active": "{name} is {state}, not active.",
    "not_suspended": "{name} is {state}, not suspended.",
    "no_account_there": "No account of {name} is recorded there.",
    "not_shut": (
        "The account {name} stays as it is: the system {system} is not installed. "
        "Shut it there by hand."
    ),
    # Steps in systems that others brought.
    "step_shut": "Shut accounts: {system}",
    "step_open": "Open accounts again: {system}",
    "step_make": "Make accounts: {system}",
    "nothing_changed": "The suspension changed nothing here.",
    "nothing_shared": "Nothing there is shared with {name}.",
    "for_reason": "{name} gave this reason: {reason}",
    "until_somebody": "It has no end: somebody has to let the person back in.",
    "until_then": (
        "It ends by itself, {until}: everything it took is given back then. Administrators get a "
        "letter before."
    ),
    "stack_goes_on": "“{stack}” goes on serving {users} in project “{project}”.",
    "public_goes_on": (
        "Everybody can still read “{label}” ({name}): a suspension changes no repository. Whoever "
        "may change it can end that on its page."
    ),
    "tokens_end": (
        "API tokens of the manager end for good, and every session here ends. No other secret "
        "is changed: passwords and keys work again when the person is let back in."
    ),
    "proof_suspended": (
        "Ended in the same moment as the suspension was ordered; nobody signs in here while it "
        "lasts."
    ),
    "reason_too_long": "Use up to {count} characters.",
    "until_in_future": "Name a moment in the future, within ten years.",
    "not_your_permissions": ("Nobody changes their own permissions. Ask another administrator."),
    "no_permission": "There is no such permission. There are: {names}.",
    "given_and_taken": "The same permission cannot be given and taken.",
    "may_not_decide": "{name} does not decide about registrations any more. Nothing was changed.",
    "announced_decided_by_administrators": (
        "{name} was announced as an administrator of this workspace: administrators decide about "
        "this registration."
    ),
    "until_format": ("Write a date (2026-12-31), a moment (2026-12-31T08:00+01:00), or never."),
}

ANNOUNCED = {
    "announced.name": (
        "{name} was announced as an administrator by {by}, until {until}, by the name alone: "
        "that makes nobody one. Look who it is; after the first sign-in an administrator "
        "confirms it, or takes it back."
    ),
    "announced.email": (
        "{name} was announced as an administrator by {by}, until {until}, for the address "
        "{email}: with the approval this person becomes one as soon as the identity provider "
        "calls that address confirmed."
    ),
    "announced.sub": (
        "{name} was announced as an administrator by {by}, until {until}, for this very "
        "account: it becomes one at the first sign-in."
    ),
    "announced.another": (
        "{name} was announced as an administrator by {by}, until {until}, for another account or "
        "address than this. Whoever asks here becomes none."
    ),
    "not_announced": (
        "{name} is not announced as an administrator, or the announcement has ended."
    ),
    "nobody_came": (
        "Nobody called {name} has signed in yet. Confirm it when somebody has, and you know "
        "who it is."
    ),
    "announced_for_another": (
        "{name} was announced for another account or address than the person has who came. "
        "Take the announcement back; then you can make this person an administrator."
    ),
    "another_account": ("{name} is here already, with another account or address than you named."),
    "usable_sub": "Use the user id of the identity provider, at most 255 characters.",
    "until": "Use a day like 2030-01-31, later than now and at most {days} days ahead.",
}

ENDING = {
    "end_format": "Write a date (2026-12-31), or never.",
    "end_in_future": "The last day is today or later, at most ten years ahead.",
    "not_end_yourself": "Nobody sets their own end date. Ask another administrator.",
    "not_here": "{name} is {state}.",
    "not_with_yourself": "Nobody does this with themselves.",
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
    "letter_text": (
        "Write a text of at most {count} characters, without characters that nobody can see."
    ),
    "end_reached": "The end date was reached: {day}.",
}

PLANS: Final = {
    "suspension": "Suspension",
    "resumption": "Letting back in",
    "approval.accounts": "Accounts of somebody who was approved",
    "approval.undo": "Undoing an approval",
    "registration.confirm": "Confirmation of an e-mail address",
}
"""Kinds of plans. Messages that are stored name them: the codes are those of the inbox, where
they stood before.
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
