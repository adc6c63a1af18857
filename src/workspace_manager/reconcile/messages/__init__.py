"""Messages about differences."""

from typing import Final

from workspace_manager.contract.message import Catalogue
from workspace_manager.reconcile.messages.link_list import LINK_LIST
from workspace_manager.reconcile.messages.take_over import TAKE_OVER

PLANS: Final = {
    "reconcile.repair": "Repair of a difference",
    "reconcile.settle": "Rights update",
}
"""Kinds of plans. Their codes are stored, and keep the form that they had in the inbox's
catalogue.
"""

message = Catalogue(
    "reconcile",
    __file__,
    {
        "of_nobody": "No account with this name is recorded here, and its id belongs to nobody.",
        "name_is_theirs": (
            "Not recorded. {person} has this name here, but a name alone does not prove that it "
            "is the same person."
        ),
        "sub_is_theirs": "Not recorded. It belongs to the id with which {person} signs in.",
        "left": "No longer recorded. Its owner left on {at}.",
        "made_again": (
            "{person} signs in here with another id. The user was deleted there and created "
            "again, or it is somebody else with the same name."
        ),
        "other_sub": (
            "It has the name of {person}, but belongs to an id with which {person} does not sign "
            "in."
        ),
        "not_their_sub": (
            "It is recorded as an account of {person}, but belongs to an id with which {person} "
            "does not sign in."
        ),
        "open_while_suspended": "{person} is suspended here and still has access with it.",
        "disabled": "{person} is active here and is disabled there.",
        "identity_gone": (
            "{person} is here, but the account at the identity provider no longer exists."
        ),
        "thing_of_nobody": "Nothing with this name is recorded here.",
        "thing_left": "It belonged to a person who left on {at}.",
        "account_missing": "It is recorded as an account of {person}, but does not exist there.",
        "thing_missing": "“{label}” of {person} is recorded as ready, but does not exist there.",
        "not_shown": "The list of everything there does not contain {kind} {name}.",
        "not_shared": (
            "The account {account} of {person} can use it there. According to the records "
            "{person} may not."
        ),
        "not_shared_unknown": "The account {account} can use it there, but is not recorded.",
        "lacks": (
            "According to the records {person} may use it. The account {account} cannot use it "
            "there."
        ),
        "other_level": (
            "The account {account} of {person} may {there} there. According to the records it "
            "may {wanted}."
        ),
        "owner_lacks": (
            "According to the records it belongs to {person}. The account {account} cannot use "
            "it there."
        ),
        "owner_level": (
            "According to the records it belongs to {person}, who may {wanted}. The account "
            "{account} may {there} there."
        ),
        "level.read": "read",
        "level.write": "read and write",
        "level.define": "read, write and create tables",
        "level.own": "do everything",
        "level.other": "do something that the manager never allows",
        "everybody_reads": "It is public there. According to the records it is not.",
        "everybody_writes": (
            "Everybody can write to it there without signing in. The manager never allows that."
        ),
        "nobody_reads": "According to the records it is public. There it is not.",
        "content_missing": (
            "The snapshot “{label}” of {person} is recorded as ready, but its content is not in "
            "the store."
        ),
        "content_not_listed": "The store has no manifest of it.",
        "cannot_say": "The system cannot list its content. Nothing was compared.",
        "not_loaded": "The inventory of the system cannot be loaded: {why}",
        "same_cursor": "The system returned the same page twice. The rest was not read.",
        "not_comparable": (
            "The answer cannot be compared ({why}). The log has the details. The rest was not read."
        ),
        "not_ended": "The system could not be read before the next comparison began: {why}",
        "remark.evidence": "Evidence: {evidence}",
        "remark.for_good": "It is deleted there permanently, with everything in it.",
        "advice.missing_account": (
            "Remove it from the records. A new account with a new key is created when this "
            "person needs one."
        ),
        "advice.missing_thing": (
            "Create it again there, or delete it here. The plan that deletes it notices that it "
            "no longer exists."
        ),
        "advice.missing_content": (
            "Put the content back from a backup of the store, or delete the snapshot. It cannot be "
            "restored as it is."
        ),
        "advice.under_review": (
            "It cannot be deleted while restored records are under review. Check whether a newer "
            "backup has the snapshot, then confirm the records under Systems."
        ),
        "advice.identity_gone": (
            "Remove the person here if they have left. If their user is created again there, you "
            "can link it here."
        ),
        "advice.identity_disabled": (
            "Suspend the person here, so that all other access is blocked too, or enable the "
            "user there."
        ),
        "advice.wrong_sub": (
            "Nobody gets this account by its name. Have its files moved there if they belong to "
            "the person. Then remove it from the records and delete it as an orphaned account."
        ),
        "advice.owner_right": (
            "Grant the account all rights on it by hand, without the right to grant them "
            "further. No plan changes the rights of a database’s owner."
        ),
        "advice.everybody_writes": (
            "Switch off public write access there by hand (publicWrite). No plan does that."
        ),
        "other_person": "This user can only be linked to {person}, whose name it has.",
        "recorded_meanwhile": "{name} has been recorded for somebody in the meantime. Check again.",
        "not_connected": (
            "{name} was not assigned here, or a plan has changed it since. Nothing was changed."
        ),
        "of_a_key": "{name} is the account of a key. Revoke that key.",
        "leaving": "{person} is being removed and cannot be assigned anything.",
        "of_other_sub": "It belongs to an id with which {person} does not sign in.",
        "only_alike": (
            "{name} and {person} look alike but are different names. A system that distinguishes "
            "them has two people."
        ),
        "others_name": "{name} is equivalent to the name of {person}.",
        "has_one": (
            "{person} already has an account in {system}: {name}. Each person has one account "
            "there."
        ),
        "cannot_shut": "{name} cannot be disabled from here. Disable it there.",
        "nothing_to_settle": "None of the rights of {person} can be changed from here.",
        "reason_length": "Write a reason of up to {count} characters.",
        "until_later": "Choose a time in the future.",
        "over": (
            "This difference is resolved: a comparison no longer found it, or somebody "
            "dealt with it."
        ),
        "under_way": "A plan is working on this right now.",
        "not_offered": "This action is not available for this difference.",
        "not_as_shown": "The plan is not the one that you saw. Check it again.",
        **LINK_LIST,
        **TAKE_OVER,
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.remove_unknown": "Delete orphaned items",
        "step.remove_unknown.ended": "Deleted.",
        "step.shut_account": "Disable the account",
        "step.shut_account.ended": "The person can no longer use it.",
        "step.take_unknown_right": "Revoke a right without a share",
        "step.take_unknown_right.ended": "The right is revoked.",
    },
    codes={
        **{f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
        **{key: f"link_list.{key.removeprefix('link_list.')}" for key in LINK_LIST},
        **{key: f"take_over.{key.removeprefix('take_over.')}" for key in TAKE_OVER},
    },
)
