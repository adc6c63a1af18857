"""What is said of what the systems hold otherwise than recorded."""

from workspace_manager.contract.message import Catalogue

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
        "cannot_say": "It cannot say what it holds: nothing of it was compared.",
        "not_loaded": "What lists its things cannot be loaded: {why}",
        "same_cursor": "It gave the same page twice. Nothing more of it was read.",
        "not_ended": "It could not be read before the next run began: {why}",
        "reading": "reading what it holds",
    },
)
