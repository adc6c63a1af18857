"""Labels of the identity provider and its things: nouns without article, known before anything is
called.
"""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "identity provider",
    "user": "account at the identity provider",
    "counted.account": ("account", "accounts"),
    "attributes": "attributes at the identity provider",
    "credentials": "everything to sign in with at the identity provider",
    "realm": "part of the realm",
    "group": "group of a knowledge stack",
    "client": "sign-in client of a knowledge stack",
    "step.fence_identity": "Disable the account at the identity provider",
    "step.fence_identity.ended": (
        "The account at the identity provider is disabled and has no open session."
    ),
    "step.release_identity": "Enable the account at the identity provider",
    "step.release_identity.ended": "The account at the identity provider can sign in again.",
    # What a change does, before the label of its thing.
    "action.enable": "Enable",
    "action.disable": "Disable",
    "action.sign_out": "Sign out",
    "action.confirm": "Confirm the e-mail address of",
}
