"""Calls about a user's credentials; their content is never read."""

from typing import Final

from workspace_manager.contract.answer import segment
from workspace_manager.systems.identity_provider.client.answers import documents
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import Wire
from workspace_manager.systems.identity_provider.messages import message

CREDENTIALS: Final = f"{SYSTEM}.credentials"
CREDENTIAL_ABSENT: Final = "Credential not found"


class CredentialClient:
    """The calls about a user's credentials."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def credential_ids(self, sub: str) -> list[str]:
        """Return the ids of a user's credentials. Raises NotFound without such a user."""
        doing = message("looking_at_credentials")
        answer = self.wire.send("GET", self._path(sub), doing=doing, kind=CREDENTIALS)
        found = [one.get("id") for one in documents(answer)]
        return [one for one in found if isinstance(one, str)]

    def delete(self, sub: str, credential: str) -> None:
        """Delete a credential. Raises NotFound the second time."""
        doing = message("deleting_credential")
        path = f"{self._path(sub)}/{segment(credential, kind=CREDENTIALS, doing=doing)}"
        self.wire.send(
            "DELETE", path, doing=doing, kind=CREDENTIALS, ok=(204,), absent=CREDENTIAL_ABSENT
        )

    def _path(self, sub: str) -> str:
        doing = message("looking_at_credentials")
        return f"{self.wire.users}/{segment(sub, kind=CREDENTIALS, doing=doing)}/credentials"
