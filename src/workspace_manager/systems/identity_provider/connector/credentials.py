"""The connector of a user's credentials at the provider: password, one-time codes, keys.

The provider deletes credentials even if it refuses every change of the user. They are never made
again, so only a removal uses this (docs/explanation/removal.md#doors).
"""

import contextlib
from collections.abc import Callable
from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.systems.identity_provider.client.answers import OUR_FAULT
from workspace_manager.systems.identity_provider.client.credentials import (
    CREDENTIALS,
    CredentialClient,
)
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.messages import message


class CredentialsConnector:
    """The connector of `identity_provider.credentials`. Target: `sub`, `username`; its only state
    is None (removed).
    """

    kind: ClassVar[str] = CREDENTIALS
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(self, client: CredentialClient, prove_rights: Callable[[], Evidence]) -> None:
        self._client = client
        self._prove_rights = prove_rights

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at their number, never at the credentials."""
        found = self._look(target)
        before: Facts | None = {"credentials": len(found)} if found else None
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Return ALREADY if there are some. Raises Invalid otherwise, because a person sets
        them.
        """
        if self._look(change.target):
            return ALREADY
        raise Invalid(
            message("credentials_not_made_here"),
            kind=self.kind,
            doing=message("looking_at_credentials"),
            advice=OUR_FAULT,
        )

    def remove(self, change: Change) -> Outcome:
        """Delete every credential."""
        found = self._look(change.target)
        for credential in found or ():
            # Somebody else may have deleted it already.
            with contextlib.suppress(NotFound):
                self._client.delete(change.target["sub"], credential)
        return CHANGED if found else ALREADY

    def verify(self, change: Change) -> Evidence | None:
        """Look again. Without a user there are none, once our rights were proven."""
        found = self._look(change.target)
        if bool(found) is (change.after is None):
            return None
        if found is None:
            proof = self._prove_rights()
            text = message("no_user_no_credentials", proof=proof.message or proof.text)
            return Evidence.now(SYSTEM, message("user_by_id"), text)
        text = message("no_credential" if change.after is None else "there_enabled")
        return Evidence.now(SYSTEM, message("user_by_id_credentials"), text)

    def _look(self, target: Target) -> list[str] | None:
        try:
            return self._client.credential_ids(target["sub"])
        except NotFound:
            return None
