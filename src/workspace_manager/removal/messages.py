"""What the removal says to people, in English; in German beside it (`messages.de.po`)."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "removal",
    __file__,
    {
        "block_restored": (
            "The account was enabled or signed in again while it was leaving; it was fenced again."
        ),
        "no_block_needed": "No fence was needed: no token of this person could be out.",
        "left_component": "Left by hand: “{label}” ({name}) in its system.",
        "left_project": "Left by hand: the ontology project {id} (“{label}”).",
        "left_out": (
            "Nothing was looked at: the steps that this look is about were skipped by hand."
        ),
        "nothing_known": (
            "Nothing could come back: neither a drive account nor a notebook is recorded."
        ),
        "name_being_given": "the name is just being given to somebody",
        "doing.looking_again": "looking again",
        "left_alone": ("The name {person} is somebody else’s now; their notebook was left alone."),
        "notebook_came_back": (
            "The notebook {name} was running again after the removal and is stopped again."
        ),
        "account_came_back": (
            "The account {name} came back after the removal and is removed again."
        ),
        "proof.account_gone": (
            "It ended when the removal was confirmed, and the account it belonged to is gone."
        ),
        "proof.account_leaving": (
            "It ended when the removal was confirmed; nobody signs in to an account that is leaving."
        ),
        "proof.token_open": (
            "It is good for nothing but the drive, there for its own remaining seconds alone; "
            "what it brings back is removed."
        ),
        "proof.nothing_recorded": "Nothing of this kind is recorded of this person.",
        "left_by_skip": "Step {n} was skipped, so this was left as it is: {names}.",
        "proof.both": "{first} {then}",
        "recheck_stuck": "{why}. {advice}",
        "recheck_waits": "Waiting: {why}. Looked again at {at}.",
    },
)
