"""What is said of whom existing accounts may belong to."""

from typing import Final

from workspace_manager.contract.message import English

TAKE_OVER: Final[dict[str, English]] = {
    # What speaks for it.
    "new_person": (
        "The identity provider has the user {username}, with the confirmed address {email}."
    ),
    "new_person_unconfirmed": (
        "The identity provider has the user {username}; an address of this user is not "
        "confirmed there."
    ),
    "same_sub": "The system says that it belongs to the user id that {person} signs in as.",
    "same_name": (
        "It bears the name of {person}, whose address {email} is confirmed at the identity "
        "provider; nobody else has a name or an address like it."
    ),
    "same_email": (
        "It has the address {email}, which the identity provider calls a confirmed address of "
        "{person}; nobody else has it."
    ),
    # Why it is not proposed.
    "of_removed": "The user id is that of somebody who left not long ago.",
    "refused_for_good": "{by} decided that this account does not belong here.",
    "unusable": "Nobody can be here under the name {name}.",
    "twins": (
        "{name} and {other} look alike, or count as one name in some system: whose account is "
        "whose has to be decided by hand."
    ),
    "two_scripts": "{name} has letters of two scripts, and looks like another name.",
    "had_before": (
        "Somebody who left had the name {name}, or one that looks like it. Adopt this user by "
        "itself: then the systems are asked what is left there."
    ),
    "of_who_had_the_name": (
        "It may be of somebody who left: the name of {person} was another person’s before. If "
        "you know that it is not, connect it by hand."
    ),
    "take_over.has_one": "{person} has an account there already, and there is one per person.",
    "email_here": "{person}, who is here, has the same address under another account.",
    "email_twice": "{other} has the same address at the identity provider.",
    "sub_of_nobody": (
        "The system says that it belongs to the user id {sub}, and nobody here signs in as that."
    ),
    "own_name": "The name is one that the system uses itself.",
    "nobody": "Nobody here, and nobody who is proposed, has its name or its address.",
    "several": "It could belong to each of these: {names}.",
    "several_accounts": "{person} has more than one account there that would fit.",
    "written_otherwise": (
        "{name} looks like {person}, and is written otherwise: that is not enough to say that "
        "they are the same."
    ),
    "another_email": (
        "It has the name of {person}, and the address {email}, which is not that of {person}."
    ),
    "not_confirmed": (
        "It has the name of {person}, whose address is not known to be confirmed at the "
        "identity provider. A name alone shows nothing."
    ),
    "written_there": (
        "It has the address {email} of {person}, and its system does not call it confirmed: "
        "whoever has the account may have written it there."
    ),
    "not_active": "{person} is not active here.",
    "seen_long_ago": "It was seen last at {at}. Compare the systems again first.",
    "recorded": "It was recorded meanwhile, as an account of {person}.",
    "gone": "It is not there any more, or was decided about meanwhile.",
    "changed": "What is proposed now is not what was shown: {why}",
    # What becomes of the rows of a list.
    "file.here": "{person} is here already.",
    "file.linked": "A person is made and linked. {why}",
    "file.linked_as_user": (
        "A person is made and linked. {why} No list makes an administrator: the role is "
        "given here, to somebody who signed in."
    ),
    "file.nobody": ("The identity provider has no user {name}: ask this person to register here."),
    "file.no_id": (
        "The identity provider has no user with the id {sub}: leave the id out, or ask this "
        "person to register here."
    ),
    "file.id_of_another": "The id is that of {person}.",
    "file.other_id": "{person} is here, and signs in as another id.",
    "file.other_email": (
        "The address of {person} at the identity provider is another one: {email}."
    ),
    "file.not_active": (
        "{person} is {state} in the column “state”: only who is “active” is brought along. "
        "Leave the line out, or the cell empty."
    ),
    "file.no_role": "There is no role {role} (column “role”). Use one of {roles}, or nothing.",
    "file.bad_day": "{day} cannot be the last day (column “ends_at”). {why}",
    "file.day_not_set": "{said} The last day was not set: {why}",
    # Refusals of the whole.
    "no_run": (
        "The systems were not compared yet, so nobody knows who is there. Run: "
        "workspace-manager reconcile"
    ),
    "take_over.not_as_shown": (
        "What is proposed has changed since it was shown. Look at it again before you confirm it."
    ),
    "not_proposed": "Number {n} is not proposed.",
    "nothing": "Nothing is chosen.",
    "old_run": (
        "The systems were compared again since. Look at what was found then ({run}) before you "
        "confirm anything."
    ),
    "take_over.not_ended": "The comparison has not ended yet.",
    "undone_already": "This was undone already.",
}
