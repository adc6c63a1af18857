"""Messages about the rows of a relinking list."""

from typing import Final

from workspace_manager.contract.message import English

LINK_LIST: Final[dict[str, English]] = {
    "link_list.found": ("{person} will sign in with {sub}, named {name} at the identity provider."),
    "link_list.linked": "{person} signs in with {sub} from now on.",
    "link_list.already": "{person} already signs in with this account.",
    "link_list.nobody": "Nobody here has the name {name}.",
    "link_list.not_found": (
        "The account {account} is neither in the last comparison nor among the refused "
        "sign-ins. Compare again (`reconcile`), or correct the row."
    ),
    "link_list.unconfirmed": (
        "The account with the address {account} exists at the identity provider, but "
        "the address is not confirmed there. Give the account’s id."
    ),
    "link_list.several": "{count} accounts have the address {account}. Give the account’s id.",
    "link_list.administrator": (
        "{person} is an administrator or has permissions. Link this account "
        "individually: that needs a recent sign-in and the typed name (strangers relink "
        "--username)."
    ),
    "link_list.anothers": "This account already belongs to {person}.",
    "link_list.other_name": (
        "The identity provider names this account {name}, not {person}, and no address "
        "confirmed on both sides proves that it is the same person."
    ),
    "link_list.refused": "{by} rejected this account.",
    "link_list.of_removed": "The user id belongs to a former person.",
    "link_list.not_active": "{person} is {state}.",
    "link_list.twice": "Another row names the same person or account.",
    "link_list.later": "The request ran out of time. Send the list again.",
    "link_list.changed": ("The result of the list has changed since you saw it. Check it again."),
}
