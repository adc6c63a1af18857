"""Messages of the kiln, and the names that people use for it."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "kiln",
    __file__,
    {
        "kiln": "kiln",
        "account": "account of the kiln",
        "key": "Key of the kiln",
        "reachable": "reachable",
        "rights": "rights",
        "denied": "the kiln does not take the key ({shape})",
        "denied_advice": "Store the warden’s key again.",
        "no_account": "the kiln has no such account",
        "not_understood": "the kiln’s answer was not understood ({shape})",
        "other_address": "Check the address: something else answers there.",
        "no_warden": "the key belongs to {name}, who is no warden",
        "no_warden_advice": (
            "To others, accounts look as if they did not exist: use a warden’s key."
        ),
        "warden": "the key is that of the warden {name}",
        "gone": "the kiln has no account {name}",
        "locked": "the account {name} is locked",
        "open": "the account {name} is there and open",
        "impossible": "the kiln takes names of a to z, digits, dots and dashes",
        "looking": "looking at an account",
        "changing": "changing an account",
        "deleting": "deleting an account",
        "listing": "listing the accounts",
        "seen": "the kiln lists the account {name}",
        "kept": "it is the warden’s own account",
        "asking": "asking whose key this is",
    },
)
