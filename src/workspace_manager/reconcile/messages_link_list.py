"""What is said of the rows of a list that names the new account of each person."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "link_list",
    __file__,
    {
        "found": "{person} will sign in with {sub}, which the identity provider calls {name}.",
        "linked": "{person} signs in with {sub} from now on.",
        "already": "{person} signs in with this account already.",
        "nobody": "Nobody here is called {name}.",
        "not_found": (
            "Neither the last comparison nor the door knows the account {account}. Compare again "
            "(`reconcile`), or correct the row."
        ),
        "unconfirmed": (
            "The identity provider has an account with the address {account}, and does not call "
            "the address confirmed. Name the account by its id."
        ),
        "several": "{count} accounts have the address {account}. Name the account by its id.",
        "administrator": (
            "{person} administers or was given permissions. Link the account by itself: the name "
            "is typed for it, after a fresh sign-in (strangers relink --username)."
        ),
        "anothers": "This account is already the one of {person}.",
        "other_name": (
            "The identity provider calls this account {name}, which is not {person}, and no "
            "address that is confirmed on both sides says that it is the same person."
        ),
        "refused": "{by} decided that this account does not belong here.",
        "of_removed": "The user id is that of somebody who left.",
        "not_active": "{person} is {state}.",
        "twice": "Another row names the same person or account.",
        "later": "The time of one request is over. Send the list again.",
        "changed": "What becomes of the list is not what was shown any more. Look at it again.",
    },
)
