"""What people call the identity provider and its things: nouns without article, known before
anything is called.
"""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "identity provider",
    "user": "account at the identity provider",
    "attributes": "attributes at the identity provider",
    "credentials": "everything to sign in with at the identity provider",
    "realm": "part of the realm",
    "group": "group of a knowledge stack",
    "client": "sign-in client of a knowledge stack",
    "step.fence_identity": "Lock out the identity",
    "step.fence_identity.ended": "The identity is locked out, and no session is open.",
    "step.release_identity": "Let the identity back in",
    "step.release_identity.ended": "The identity can sign in again.",
}
