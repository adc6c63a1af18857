"""What is said of the rows of a list that names the new account of each person."""

from typing import Final

from workspace_manager.contract.message import English

LINK_LIST: Final[dict[str, English]] = {
    "link_list.found": (
        "{person} will sign in with {sub}, which the identity provider calls {name}."
    ),
    "link_list.linked": "{person} signs in with {sub} from now on.",
    "link_list.already": "{person} signs in with this account already.",
    "link_list.nobody": "Nobody here is called {name}.",
    "link_list.not_found": (
        "Neither the last comparison nor the door knows the account {account}. Compare again "
        "(`reconcile`), or correct the row."
    ),
    "link_list.unconfirmed": (
        "The identity provider has an account with the address {account}, and does not call "
        "the address confirmed. Name the account by its id."
    ),
    "link_list.several": "{count} accounts have the address {account}. Name the account by its id.",
    "link_list.administrator": (
        "{person} administers or was given permissions. Link the account by itself: the name "
        "is typed for it, after a fresh sign-in (strangers relink --username)."
    ),
    "link_list.anothers": "This account is already the one of {person}.",
    "link_list.other_name": (
        "The identity provider calls this account {name}, which is not {person}, and no "
        "address that is confirmed on both sides says that it is the same person."
    ),
    "link_list.refused": "{by} decided that this account does not belong here.",
    "link_list.of_removed": "The user id is that of somebody who left.",
    "link_list.not_active": "{person} is {state}.",
    "link_list.twice": "Another row names the same person or account.",
    "link_list.later": "The time of one request is over. Send the list again.",
    "link_list.changed": (
        "What becomes of the list is not what was shown any more. Look at it again."
    ),
}
