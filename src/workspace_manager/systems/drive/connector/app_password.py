"""The connector of stored app passwords, which revokes them."""

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
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.drive.client import Account, DriveClient, Shares
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_ids
from workspace_manager.systems.drive.settings import Settings


class AppPasswordConnector:
    """The connector of `drive.app_password`. Target: `login_name`, `sub`, `app_password_ref`;
    secret: `app_password`; its only state is None (revoked).
    """

    kind: ClassVar[str] = "drive.app_password"
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(self, client: DriveClient, settings: Settings, secrets: SecretResolver) -> None:
        self._client = client
        self._settings = settings
        self._secrets = secrets

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Try the app password as bearer, which never counts as a failed sign-in."""
        ref = target["app_password_ref"]
        account = self._look(target, self._read_stored(ref))
        return Change(
            kind=self.kind,
            subject="",
            target=dict(target),
            before={"account_id": account.id} if account else None,
            after=want,
            secrets={"app_password": ref},
        )

    def foretell(self, change: Change) -> Message | None:
        """Return what other people lose with the account, read with the person's stored app
        password; a general remark if it cannot be read.
        """
        app_password = self._read_stored(self._ref(change))
        try:
            if self._look(change.target, app_password) is None or app_password is None:
                return message("shares_not_told")
            found = self._client.shares_of(app_password)
        except ConnectorError:
            return message("shares_not_told")
        return _shares_lost(found)

    def apply(self, change: Change) -> Outcome:
        """Return ALREADY for a working app password. Raises Invalid otherwise, because the person's
        connection to the drive makes app passwords.
        """
        if self._look(change.target, self._read_stored(self._ref(change))):
            return ALREADY
        raise Invalid(
            message("app_passwords_not_made_here"),
            kind=self.kind,
            doing=message("making"),
            advice=message("person_connects"),
        )

    def remove(self, change: Change) -> Outcome:
        """Revoke the app password, after checking that it is the person's."""
        app_password = self._read_stored(self._ref(change))
        account = self._look(change.target, app_password)
        if app_password is None or account is None:
            return ALREADY
        try:
            self._client.revoke_app_password(app_password)
        except Denied:
            if self._client.whoami(app_password) is None:
                return ALREADY
            raise
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Try the app password again: evidence if the drive says that it is nobody's."""
        app_password = self._read_stored(self._ref(change))
        if app_password is None:
            text = message("nothing_to_revoke")
            return (
                Evidence.now("drive", message("asked_nothing"), text)
                if change.after is None
                else None
            )
        account = self._look(change.target, app_password)
        method = "GET /ocs/v2.php/cloud/user"
        if change.after is None and account is None:
            return Evidence.now(
                "drive",
                method,
                message("signs_nobody_in"),
            )
        if change.after is not None and account is not None:
            return Evidence.now("drive", method, message("signs_in", id=account.id))
        return None

    def _ref(self, change: Change) -> str:
        return change.secrets.get("app_password") or change.target["app_password_ref"]

    def _read_stored(self, ref: str) -> Secret | None:
        try:
            return self._secrets(ref) or None
        except NotFound:
            return None

    def _look(self, target: Target, app_password: Secret | None) -> Account | None:
        account = self._client.whoami(app_password) if app_password else None
        if account is None:
            return None
        ours = {target["login_name"].casefold()}
        ours.update(i.casefold() for i in account_ids(self._settings, target.get("sub", "")))
        if account.id.casefold() not in ours:
            raise Conflict(
                message("signs_in_another"),
                kind=self.kind,
                doing=message("looking_at_app_password"),
                advice=message("look_whose_app_password"),
            )
        return account


def _shares_lost(found: Shares) -> Message:
    """Return a message with existing shares only: those with groups and other servers have no
    person.
    """
    shares, links = message("shares", n=found.shares), message("links", n=found.links)
    if found.people and found.links:
        people = message("people", n=found.people)
        return message("shares_end", shares=shares, people=people, links=links)
    if found.people:
        people = message("people", n=found.people)
        return message("shares_with_people_end", shares=shares, people=people)
    if found.shares and found.links:
        return message("shares_and_links_end", shares=shares, links=links)
    if found.shares or found.links:
        return message("shared_alone_ends", what=shares if found.shares else links)
    return message("nothing_shared")
