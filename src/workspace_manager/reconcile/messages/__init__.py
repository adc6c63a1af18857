"""What is said of what the systems hold otherwise than recorded."""

from typing import Final

from workspace_manager.contract.message import Catalogue
from workspace_manager.reconcile.messages.link_list import LINK_LIST
from workspace_manager.reconcile.messages.take_over import TAKE_OVER

PLANS: Final = {
    "reconcile.repair": "Repair of a difference",
    "reconcile.settle": "Rights as the records say",
}
"""Kinds of plans. Messages that are stored name them: the codes are those of the inbox, where
they stood before.
"""

message = Catalogue(
    "reconcile",
    __file__,
    {
        "of_nobody": "No account of anybody here is recorded by this name, and its id is nobody’s.",
        "name_is_theirs": (
            "It is not recorded. {person} has this name here; that alone does not show that it is "
            "the same person."
        ),
        "sub_is_theirs": "It is not recorded. It belongs to the id that {person} signs in as.",
        "left": "It is not recorded any more: the one whose it was left on {at}.",
        "made_again": (
            "{person} signs in here as another id: the user was deleted there and made again, or "
            "is somebody else with the same name."
        ),
        "other_sub": (
            "It bears the name of {person} and belongs to an id that {person} does not sign in as."
        ),
        "not_their_sub": (
            "It is recorded as an account of {person} and belongs to an id that {person} does not "
            "sign in as."
        ),
        "open_while_suspended": "{person} is suspended here and can get in with it all the same.",
        "disabled": "{person} is active here and is disabled there.",
        "identity_gone": "{person} is here, and the user to sign in as is not there any more.",
        "thing_of_nobody": "Nothing that is recorded here is called so.",
        "thing_left": "It belonged to somebody who left on {at}.",
        "account_missing": "It is recorded as an account of {person}, and is not there.",
        "thing_missing": "“{label}” of {person} is recorded as ready, and is not there.",
        "not_shown": "A list of everything that is there does not have {kind} {name}.",
        "not_shared": (
            "The account {account} of {person} may use it there. By the records {person} may not."
        ),
        "not_shared_unknown": (
            "The account {account} may use it there, and no account of this name is recorded."
        ),
        "lacks": ("By the records {person} may use it. The account {account} may not, there."),
        "other_level": (
            "The account {account} of {person} may {there} there. By the records it may {wanted}."
        ),
        "owner_lacks": (
            "By the records it belongs to {person}. The account {account} may not use it, there."
        ),
        "owner_level": (
            "By the records it belongs to {person}, who may {wanted} with it. The account "
            "{account} may {there}, there."
        ),
        "level.read": "read",
        "level.write": "read and write",
        "level.define": "read, write and make tables",
        "level.own": "do everything",
        "level.other": "do something that the manager lets nobody do",
        "everybody_reads": (
            "Everybody may read it there without signing in. By the records it is not public."
        ),
        "everybody_writes": (
            "Everybody may write to it there without signing in. The manager lets nobody do so."
        ),
        "nobody_reads": (
            "By the records everybody may read it without signing in. There nobody may."
        ),
        "cannot_say": "It cannot say what it holds: nothing of it was compared.",
        "not_loaded": "What lists its things cannot be loaded: {why}",
        "same_cursor": "It gave the same page twice. Nothing more of it was read.",
        "not_comparable": (
            "It says something that the manager cannot compare ({why}); the log has the rest. "
            "Nothing more of it was read."
        ),
        "not_ended": "It could not be read before the next run began: {why}",
        "remark.evidence": "What was seen there: {evidence}",
        "remark.for_good": "It is deleted there for good, with everything in it.",
        "advice.missing_account": (
            "Strike it from the records: what needs an account for this person next makes a new "
            "one, with a new key."
        ),
        "advice.missing_thing": (
            "Make it again there if it should be, or delete it here: a plan that removes it finds "
            "that it is gone."
        ),
        "advice.identity_gone": (
            "Remove the person here if they left. If their user is made again there, it appears as "
            "made again, and can be linked."
        ),
        "advice.identity_disabled": (
            "Suspend the person here, so that everything else is shut too; or enable the user "
            "there."
        ),
        "advice.wrong_sub": (
            "Nobody is given it by its name. Have its files moved there if they are the person’s; "
            "then strike it from the records, and remove it as an account of nobody."
        ),
        "advice.owner_right": (
            "Give the account everything on it by hand, and nothing to hand on: no plan changes "
            "what the owner of a database may do in it."
        ),
        "advice.everybody_writes": (
            "Switch that off there, by hand: the manager never touches it (publicWrite)."
        ),
        "other_person": "This user can be linked to {person} alone, whose name it bears.",
        "recorded_meanwhile": "{name} was recorded as somebody’s meanwhile. Look again.",
        "not_connected": (
            "{name} was not connected here, or a plan has worked on it since. Nothing was changed."
        ),
        "of_a_key": "{name} is the account of a key: revoke that key.",
        "leaving": "{person} is leaving: nothing is connected to them any more.",
        "of_other_sub": "It belongs to an id that {person} does not sign in as.",
        "only_alike": (
            "{name} and {person} are not the same name; they only look alike. In a system that "
            "tells them apart, they are two people’s."
        ),
        "others_name": "{name} is, or counts as, the name of {person}.",
        "has_one": "{person} has an account in {system} already: {name}. There is one per person.",
        "cannot_shut": "{name} cannot be shut from here. Shut it there.",
        "nothing_to_settle": "Nothing of {person}’s rights can be settled from here.",
        "reason_length": "Write a reason of up to {count} characters.",
        "until_later": "Choose a moment that is still to come.",
        "over": "This is over: a walk saw it no more, or somebody dealt with it.",
        "under_way": "A plan works on this just now.",
        "not_offered": "That cannot be done about this. What can be done is shown with it.",
        "not_as_shown": "The plan is another than the one that was shown. Look at it again.",
        **LINK_LIST,
        **TAKE_OVER,
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.remove_unknown": "Delete what is nobody’s",
        "step.remove_unknown.ended": "It is gone.",
        "step.shut_account": "Shut the account",
        "step.shut_account.ended": "Its person cannot get in with it.",
        "step.take_unknown_right": "Take a right that nobody shared",
        "step.take_unknown_right.ended": "The right is gone.",
    },
    codes={
        **{f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
        **{key: f"link_list.{key.removeprefix('link_list.')}" for key in LINK_LIST},
        **{key: f"take_over.{key.removeprefix('take_over.')}" for key in TAKE_OVER},
    },
)
