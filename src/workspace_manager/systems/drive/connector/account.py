"""The calm connector of drive accounts: removal, disabling and enabling.

Accounts are made at the first sign-in, so this connector makes none. A disabled account keeps its
files, shares and app passwords and opens nothing; enabling it gives back exactly that. It touches
only an account with an id derived from the person's `sub`, or one that the drive itself assigns to
its OpenID Connect app; it never trusts an attribute that somebody could have edited
(docs/explanation/removal.md#never-on-somebodys-word).
"""

import contextlib
from collections.abc import Callable
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
from workspace_manager.contract.message import Message
from workspace_manager.systems.drive.client import DELETE_S, Account, DriveClient
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_ids
from workspace_manager.systems.drive.settings import Settings

OIDC_BACKEND = "user_oidc"


class AccountConnector:
    """The connector of `drive.account`. Target: `account_id`, `sub`; states: None (removed) and
    {"enabled": bool}.
    """

    kind: ClassVar[str] = "drive.account"
    calls: ClassVar[CallPolicy] = CallPolicy(answer_s=DELETE_S)

    def __init__(
        self, client: DriveClient, settings: Settings, prove_rights: Callable[[], Evidence]
    ) -> None:
        self._client = client
        self._settings = settings
        self._prove_rights = prove_rights

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
        """Enable or disable an account. For any other state, an existing account is ALREADY. Raises
        Invalid otherwise, because this connector makes no accounts.
        """
        enabled = (change.after or {}).get("enabled")
        if isinstance(enabled, bool):
            outcome = self._set_enabled(change.target, on=enabled)
            if enabled:
                # Its app password was refused while the account was disabled, and works again.
                self._client.refusals.forget()
            return outcome
        if self._client.admin is not None and self._look(change.target):
            return ALREADY
        raise Invalid(
            message("accounts_not_made_here"),
            kind=self.kind,
            doing=message("making"),
            advice=message("account_appears"),
        )

    def _set_enabled(self, target: Target, *, on: bool) -> Outcome:
        """Enable or disable an account. A missing account counts as disabled, because an
        administrator would see it. Raises NotFound for enabling it.
        """
        account_id = target["account_id"]
        if self._client.admin is None:
            text = message("enable_by_hand" if on else "disable_by_hand", account_id=account_id)
            return Outcome(result=Result.ALREADY, by_hand=(text,))
        doing = message("enabling_account" if on else "disabling_account")
        account = self._look(target)
        if account is None:
            return self._nothing_to_set(on=on, doing=doing)
        self._refuse_foreign(account, target, doing)
        if account.enabled is on:
            return ALREADY
        try:
            self._client.set_enabled(account.id, on=on)
        except Conflict:
            if self._look(target) is None:
                return self._nothing_to_set(on=on, doing=doing)
            raise
        return CHANGED

    def _nothing_to_set(self, *, on: bool, doing: Message) -> Outcome:
        if on:
            raise NotFound(
                message("no_account_to_enable"),
                kind=self.kind,
                doing=doing,
                advice=message("appears_again"),
            )
        self._prove_rights()
        return ALREADY

    def remove(self, change: Change) -> Outcome:
        """Disable the account, then delete it with its files. Without an administrator, return
        ALREADY with the manual work.

        Disabling comes first because some back-ends keep their accounts; such an account then opens
        nothing. Raises Conflict for it.
        """
        account_id = change.target["account_id"]
        if self._client.admin is None:
            text = message("delete_by_hand", account_id=account_id)
            return Outcome(result=Result.ALREADY, by_hand=(text,))
        account = self._look(change.target)
        if account is None:
            return ALREADY
        self._refuse_foreign(account, change.target, message("removing_account"))
        if account.enabled is not False:
            # The refusal also comes for our own account; the deletion is tried anyway.
            with contextlib.suppress(Conflict):
                self._client.set_enabled(account.id, on=False)
        try:
            self._client.delete_user(account.id)
        except Conflict as refused:
            left = self._look(change.target)
            if left is None:
                return ALREADY
            raise self._kept_conflict(refused, left) from None
        except NotFound:
            if self._look(change.target) is None:
                return ALREADY
            raise self._conflict(
                message("shown_but_not_there"),
                message("make_full_administrator"),
            ) from None
        except Unavailable:
            # A large home takes longer than any time limit, and an internal error may have done the
            # work, so the account is looked at.
            if self._look(change.target) is None:
                return CHANGED
            raise
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look at the account again; without an administrator, return evidence that it could not be
        asked.
        """
        account_id = change.target["account_id"]
        if self._client.admin is None:
            return Evidence.now(
                "drive",
                message("asked_nothing"),
                message("could_not_be_asked", account_id=account_id),
            )
        account = self._look(change.target)
        method = f"GET /ocs/v2.php/cloud/users/{account_id}"
        if change.after is None and account is None:
            return Evidence.now(
                "drive", method, message("asked_account_gone", account_id=account_id)
            )
        enabled = (change.after or {}).get("enabled")
        if isinstance(enabled, bool):
            return self._account_evidence(account, enabled, method, account_id)
        if change.after is not None and account is not None:
            return Evidence.now(
                "drive", method, message("asked_account_there", account_id=account_id)
            )
        return None

    def _account_evidence(
        self, account: Account | None, enabled: bool, method: str, account_id: str
    ) -> Evidence | None:
        if account is None and not enabled:
            self._prove_rights()
            found = message("asked_account_gone", account_id=account_id)
            return Evidence.now("drive", method, found)
        if account is None or account.enabled is not enabled:
            return None
        words = "asked_account_enabled" if enabled else "asked_account_disabled"
        return Evidence.now("drive", method, message(words, account_id=account_id))

    def _look(self, target: Target) -> Account | None:
        try:
            account = self._client.user(target["account_id"])
        except NotFound:
            return None
        if account.id != target["account_id"]:
            raise self._conflict(
                message("other_id"),
                message("decide_by_hand"),
            )
        return account

    def _refuse_foreign(self, account: Account, target: Target, doing: Message) -> None:
        if account.id in account_ids(self._settings, target.get("sub", "")):
            return
        if account.backend != OIDC_BACKEND:
            raise self._conflict(
                message("other_backend"),
                message("look_whose_account"),
                doing,
            )

    def _kept_conflict(self, refused: Conflict, left: Account) -> Conflict:
        """Return the refusal, with what became of the account."""
        if left.enabled is not False:
            return refused
        return self._conflict(
            message("kept_disabled", refusal=refused.message),
            message("delete_in_its_directory"),
            message("deleting_account"),
        )

    def _conflict(self, detail: Message, advice: Message, doing: Message | None = None) -> Conflict:
        doing = doing or message("looking_at_account")
        return Conflict(detail, kind=self.kind, doing=doing, advice=advice)
