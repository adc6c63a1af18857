"""Labels of the triplestore and its things: nouns without article, known before anything is
called.
"""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "triplestore",
    "user": "triplestore user",
    "counted.account": ("account", "accounts"),
    "repository": "triplestore repository",
    "counted.repository": ("repository", "repositories"),
    "public": "public access",
    "password": "Triplestore password",
    "goes_on": (
        "Triplestore: the person's rights are recorded and revoked. Repositories stay, and people "
        "who share them continue to use them with their own accounts."
    ),
    "step.take_triplestore_rights": "Revoke the rights in the triplestore",
    "step.take_triplestore_rights.ended": (
        "The triplestore account has no rights. It can neither read nor write."
    ),
    "step.give_triplestore_rights": "Restore the rights in the triplestore",
    "step.give_triplestore_rights.ended": "The triplestore account has its rights again.",
    # What a change does, before the label of its thing.
    "action.renew": "Set a new password of",
    "action.revoke_rights": "Revoke the rights of",
    "action.restore_rights": "Restore the rights of",
    "action.grant": "Grant access to",
    "action.publish": "Make public",
    "action.unpublish": "Make private",
}
