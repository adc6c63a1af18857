"""The calm connector of a drive account that shall be gone.

Accounts appear by themselves at the first sign-in, so there is nothing to apply. What may be deleted is decided here: an id derived
from the person's `sub`, or one that the drive itself says its OpenID Connect app owns; never on the word of an attribute that
somebody could have edited (blueprint, section 4).
"""

from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    UNKNOWN,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quoted
from workspace_manager.systems.drive.client import DELETE_S, Account, DriveClient
from workspace_manager.systems.drive.names import account_ids
from workspace_manager.systems.drive.settings import Settings

OIDC_BACKEND = "user_oidc"


class AccountConnector:
    """`drive.account`: target `account_id`, `sub`; the only wish is None, gone."""

    kind: ClassVar[str] = "drive.account"
    calls: ClassVar[CallPolicy] = CallPolicy(answer_s=DELETE_S)

    def __init__(self, client: DriveClient, settings: Settings) -> None:
        self._client = client
        self._settings = settings

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the account as administrator; without one, `before` is unknown."""
        before: Facts | None = None
        if self._client.admin is None:
            return Change(
                kind=self.kind, subject="", target=dict(target), before=UNKNOWN, after=want
            )
        if account := self._look(target):
            before = {"account_id": account.id, "backend": account.backend}
            if account.enabled is not None:
                before["enabled"] = account.enabled
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Answer ALREADY for an account that exists; raise Invalid otherwise, since none is made here."""
        if self._client.admin is not None and self._look(change.target):
            return ALREADY
        raise Invalid(
            "accounts cannot be made here",
            kind=self.kind,
            doing="making",
            advice="They appear when the person signs in to the drive.",
        )

    def remove(self, change: Change) -> Outcome:
        """Delete the account with its files. Without an administrator: ALREADY, and by hand what is left."""
        account_id = change.target["account_id"]
        if self._client.admin is None:
            text = f"Delete the drive account {account_id}: no administrator of the drive is configured."
            return Outcome(result=Result.ALREADY, by_hand=(quoted(text),))
        account = self._look(change.target)
        if account is None:
            return ALREADY
        self._refuse_foreign(account, change.target)
        try:
            self._client.delete_user(account.id)
        except NotFound:
            if self._look(change.target) is None:
                return ALREADY
            raise self._conflict(
                "the account is shown to us, but the deletion says it is not there",
                "Our administrator may lack the right to delete it: make it a full administrator.",
            ) from None
        except Unavailable:
            # A large home outlasts any timeout, and an internal error may have done the work: the account itself tells.
            if self._look(change.target) is None:
                return CHANGED
            raise
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Ask the drive for the account afresh; without an administrator say that it could not be asked."""
        account_id = change.target["account_id"]
        if self._client.admin is None:
            return Evidence.now(
                "drive",
                "none",
                f"could not be asked whether account {account_id} exists: no administrator of the drive is configured",
            )
        account = self._look(change.target)
        method = f"GET /ocs/v2.php/cloud/users/{account_id}"
        if change.after is None and account is None:
            return Evidence.now(
                "drive", method, f"asked for account {account_id}: it does not exist"
            )
        if change.after is not None and account is not None:
            return Evidence.now("drive", method, f"asked for account {account_id}: it exists")
        return None

    def _look(self, target: Target) -> Account | None:
        try:
            account = self._client.user(target["account_id"])
        except NotFound:
            return None
        if account.id != target["account_id"]:
            raise self._conflict(
                "the drive answers with an account whose id differs from ours",
                "The drive ignores case in ids: deleting ours would delete the other one. Decide by hand.",
            )
        return account

    def _refuse_foreign(self, account: Account, target: Target) -> None:
        if account.id in account_ids(self._settings, target.get("sub", "")):
            return
        if account.backend != OIDC_BACKEND:
            raise self._conflict(
                "the account is not derived from the person's subject, and the drive says that another back-end owns it",
                "Look whose account it is; delete it by hand if it is really this person's.",
            )

    def _conflict(self, detail: str, advice: str) -> Conflict:
        return Conflict(detail, kind=self.kind, doing="removing the account", advice=advice)
