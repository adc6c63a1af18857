"""Messages about proposed owners of existing accounts."""

from typing import Final

from workspace_manager.contract.message import English

TAKE_OVER: Final[dict[str, English]] = {
    # Evidence for a proposal.
    "new_person": (
        "The user {username} exists at the identity provider with the confirmed address {email}."
    ),
    "new_person_unconfirmed": (
        "The user {username} exists at the identity provider without a confirmed address."
    ),
    "same_sub": "According to the system it belongs to the user id with which {person} signs in.",
    "same_name": (
        "It has the name of {person}, whose address {email} is confirmed at the "
        "identity provider. Nobody else has a similar name or address."
    ),
    "same_email": (
        "It has the address {email}, a confirmed address of {person} at the identity "
        "provider. Nobody else has this address."
    ),
    # Reasons against a proposal.
    "of_removed": "The user id belongs to somebody who left recently.",
    "refused_for_good": "{by} rejected this account.",
    "unusable": "Nobody can have the name {name} here.",
    "twins": (
        "{name} and {other} look alike or are one name in some system. Decide by hand "
        "whose account is whose."
    ),
    "two_scripts": "{name} mixes letters of two scripts and looks like another name.",
    "had_before": (
        "A former person had the name {name} or a similar one. Admit this user "
        "individually: the systems are then checked for leftover data."
    ),
    "of_who_had_the_name": (
        "It may belong to a former person who had the name {person} before. If you know "
        "that it does not, assign it by hand."
    ),
    "take_over.has_one": (
        "{person} already has an account there. Each person has one account there."
    ),
    "email_here": "{person} is here with the same address and another account.",
    "email_twice": "{other} has the same address at the identity provider.",
    "sub_of_nobody": (
        "According to the system it belongs to the user id {sub}, with which nobody here signs in."
    ),
    "own_name": "The system uses this name itself.",
    "nobody": "Nobody here and nobody who is proposed has its name or address.",
    "several": "It may belong to any of these: {names}.",
    "several_accounts": "{person} has more than one matching account there.",
    "written_otherwise": (
        "{name} looks like {person} but is spelled differently. That does not prove "
        "that they are the same."
    ),
    "another_email": ("It has the name of {person} but another address: {email}."),
    "not_confirmed": (
        "It has the name of {person}, whose address is not confirmed at the identity "
        "provider. A name alone proves nothing."
    ),
    "written_there": (
        "It has the address {email} of {person}, but the system does not confirm it. "
        "The account’s owner may have entered the address."
    ),
    "not_active": "{person} is not active here.",
    "seen_long_ago": "Last seen at {at}. Compare the systems again first.",
    "recorded": "It has been recorded as an account of {person} in the meantime.",
    "gone": "It no longer exists, or somebody has decided about it in the meantime.",
    "changed": "The proposal has changed since you saw it: {why}",
    # Results of the rows of a list.
    "file.here": "{person} is already here.",
    "file.linked": "A person is created and linked. {why}",
    "file.linked_as_user": (
        "A person is created and linked. {why} A list cannot give the administrator "
        "role. Give it here after the first sign-in."
    ),
    "file.nobody": ("The identity provider has no user {name}. Ask this person to register here."),
    "file.no_id": (
        "The identity provider has no user with the id {sub}. Leave out the id, or ask "
        "this person to register here."
    ),
    "file.id_of_another": "The id belongs to {person}.",
    "file.other_id": "{person} is here and signs in with another id.",
    "file.other_email": ("{person} has another address at the identity provider: {email}."),
    "file.not_active": (
        "{person} is {state} in the column “state”. Only “active” people are taken "
        "over. Leave out the line, or leave the cell empty."
    ),
    "file.no_role": "Unknown role {role} (column “role”). Use one of {roles}, or leave it empty.",
    "file.bad_day": "{day} cannot be the last day (column “ends_at”). {why}",
    "file.day_not_set": "{said} The last day was not set: {why}",
    # Refusals of a whole take-over.
    "no_run": ("The systems have not been compared yet. Run: workspace-manager reconcile"),
    "take_over.not_as_shown": (
        "The proposals have changed since you saw them. Check them again before you confirm."
    ),
    "not_proposed": "Number {n} is not a proposal.",
    "nothing": "Nothing is selected.",
    "old_run": (
        "The systems have been compared again since. Check the new result ({run}) "
        "before you confirm."
    ),
    "take_over.not_ended": "The comparison has not ended yet.",
    "undone_already": "This was already undone.",
}
