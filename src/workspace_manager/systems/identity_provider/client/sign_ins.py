"""Calls about a user's sessions, offline tokens and consents.

A logout ends sessions, and revokes offline tokens that were issued before its second. One of the
very same second stays valid, so offline tokens are revoked by client
(docs/systems/identity-provider.md#disabling-signing-out-deleting).
"""

from typing import Final
from urllib.parse import quote

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.client.answers import documents
from workspace_manager.systems.identity_provider.client.users import USER, UserClient
from workspace_manager.systems.identity_provider.messages import message

NOTHING_AGREED: Final = "Consent nor offline token not found"


class SignInClient:
    """The calls about sessions, offline tokens and consents of one user."""

    def __init__(self, users: UserClient) -> None:
        self._users = users
        self.wire = users.wire

    def count(self, sub: str) -> int:
        """Return the number of sessions, and of clients with an offline token or a consent.
        Sessions of a disabled user are listed until they are ended.
        """
        return self.sessions(sub) + len(self.consents(sub))

    def end(self, sub: str) -> None:
        """End every session of a user and notify the clients (back-channel); revoke every offline
        token and consent. Nothing to end is no error.
        """
        self._users.log_out(sub)
        for client_id in self.consents(sub):
            self.revoke(sub, client_id)

    def sessions(self, sub: str) -> int:
        doing = message("looking_at_sessions")
        path = f"{self._of(sub, doing)}/sessions"
        return len(documents(self.wire.send("GET", path, doing=doing, kind=USER)))

    def consents(self, sub: str) -> list[str]:
        """Return the clients with a consent or an offline token of the user."""
        doing = message("looking_at_consents")
        path = f"{self._of(sub, doing)}/consents"
        answer = self.wire.send("GET", path, doing=doing, kind=USER)
        return [str(one.get("clientId") or "") for one in documents(answer)]

    def revoke(self, sub: str, client_id: str) -> None:
        """Revoke a user's consent to a client, with the client's offline tokens. Nothing to revoke
        is no error.
        """
        doing = message("revoking_consents")
        # A client id may be an address, whose slashes the server accepts quoted.
        is_address = "//" in client_id
        client = (
            quote(client_id, safe="") if is_address else segment(client_id, kind=USER, doing=doing)
        )
        path = f"{self._of(sub, doing)}/consents/{client}"
        try:
            self.wire.send("DELETE", path, doing=doing, kind=USER, ok=(204,), absent=NOTHING_AGREED)
        except NotFound:
            return

    def _of(self, sub: str, doing: Message) -> str:
        return f"{self.wire.users}/{segment(sub, kind=USER, doing=doing)}"
