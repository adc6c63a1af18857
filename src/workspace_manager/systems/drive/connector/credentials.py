"""A person's connection to the drive: makes an app password, by token or in the browser, and checks
whether a stored one still works.

The story that connects the drive uses it (docs/explanation/drive-connection.md). It stores nothing:
the caller writes the pair to the identity provider, and revokes it if that fails.
"""

import logging
from typing import NamedTuple

from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.errors import Conflict, ConnectorError, Denied, Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.drive.client import (
    APP_PASSWORD,
    Account,
    DriveClient,
    TokenSession,
)
from workspace_manager.systems.drive.command_line import add_app_password, end_temporary_tokens
from workspace_manager.systems.drive.messages import message
from workspace_manager.systems.drive.names import account_ids
from workspace_manager.systems.drive.settings import Settings

log = logging.getLogger(__name__)


class IssuedPassword(NamedTuple):
    """The app password made with a person's token. `session_left`: the session of that token could
    not be ended and remains as a temporary token of the account.
    """

    login_name: str
    app_password: Secret
    session_left: bool = False


class NotMade(Invalid):
    """An Invalid, not a sixth error: the drive accepted the token, and neither it nor its
    command-line tool made an app password.
    """

    def __init__(self, why: ConnectorError) -> None:
        super().__init__(
            why.message, kind=why.kind, doing=why.doing_message, advice=why.advice_message
        )


class Credentials:
    """The drive's base class: calls with a person's token, app password or login flow."""

    def __init__(
        self, client: DriveClient, settings: Settings, containers: ContainerEngine | None
    ) -> None:
        self._client = client
        self._settings = settings
        self._containers = containers

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def client(self) -> DriveClient:
        """Return the client, for a check with a person's token."""
        return self._client

    @property
    def has_command_line(self) -> bool:
        """Return whether the command-line tool can be run if a token gets no app password."""
        return self._containers is not None and bool(self._settings.container_name)

    def account_ids(self, sub: str) -> tuple[str, ...]:
        """Return the person's login names: the configured form, and the legacy form if there is
        one.
        """
        return account_ids(self._settings, sub)

    def ensure_app_password(self, bearer: Secret, sub: str) -> IssuedPassword:
        """Make an app password with the person's own token, and end the session that the token
        opened there.

        The token makes the account if there is none. If the drive does not offer app passwords, its
        command-line tool makes one, in the container
        (docs/explanation/drive-connection.md#when-the-drive-offers-none). Each call makes another
        app password. Raises Denied for a rejected token, Conflict if the token belongs to another
        account than `sub`, and NotMade if neither of the two makes one.
        """
        doing = message("making_with_token")
        if not self._settings.use_bearer_token:
            raise Invalid(
                message("tokens_switched_off"),
                kind=APP_PASSWORD,
                doing=doing,
                advice=message("connect_in_browser"),
            )
        session = self._client.with_token(bearer)
        try:
            issued = self._issue(session, sub, doing)
        except ConnectorError:
            self._end(session)
            raise
        if self._end(session):
            return issued
        return issued._replace(session_left=not self.end_sessions(sub))

    def _issue(self, session: TokenSession, sub: str, doing: Message) -> IssuedPassword:
        account = session.whoami()
        if account is None:
            raise Denied(
                message("rejected_token"),
                kind=APP_PASSWORD,
                doing=doing,
                advice=message("check_audience"),
            )
        self._refuse_other(account, sub, doing)
        app_password = session.create_app_password()
        if app_password is None:
            app_password = self._by_command_line(account.id)
        return IssuedPassword(account.id, app_password)

    def _end(self, session: TokenSession) -> bool:
        """Return whether no session of this token is left; False if the drive cannot be asked."""
        try:
            return session.end()
        except ConnectorError as error:
            log.log(logging.WARNING, "a session at the drive could not be ended: %s", error)
            return False

    def end_sessions(self, sub: str) -> bool:
        """End every temporary token that our calls left in this person's accounts, with the
        command-line tool; return whether that was possible.
        """
        if self._containers is None or not self._settings.container_name:
            return False
        try:
            for account_id in self.account_ids(sub):
                end_temporary_tokens(self._containers, self._settings.container_name, account_id)
        except ConnectorError as error:
            log.log(logging.WARNING, "temporary tokens at the drive could not be ended: %s", error)
            return False
        return True

    def _by_command_line(self, account_id: str) -> Secret:
        """Return an app password of the command-line tool. Raises NotMade with the reason; the log
        names the tool, because administrators look there.
        """
        try:
            if self._containers is None or not self._settings.container_name:
                raise Invalid(
                    message("no_way_to_app_password"),
                    kind=APP_PASSWORD,
                    doing=message("making_app_password"),
                    advice=message("update_or_name_container"),
                )
            return add_app_password(self._containers, self._settings.container_name, account_id)
        except ConnectorError as error:
            log.error(
                "SSO app password creation failed for %s: %s %s", account_id, error, error.advice
            )
            raise NotMade(error) from error

    def start_login_flow(self) -> tuple[str, Secret]:
        """Start a login flow; return the address for the person, and the handle to poll with, which
        is a secret.
        """
        flow = self._client.login_flows.start()
        return flow.login_url, flow.handle

    def poll_login_flow(self, handle: Secret) -> tuple[str, Secret] | None:
        """Return login name, as typed, and app password once the person has granted access; None
        before. They are given only once.

        The caller compares the name with `account_ids(sub)`, and revokes the app password if it is
        another person's. Raises NotFound for an expired flow.
        """
        return self._client.login_flows.poll(handle)

    def account_of(self, credential: Secret) -> str | None:
        """Return the account id of a token or app password; None if the drive itself refuses it."""
        session = self._client.with_token(credential)
        try:
            account = session.whoami()
        finally:
            self._end(session)
        return account.id if account else None

    def credentials_work(self, login_name: str, app_password: Secret, sub: str) -> bool:
        """Return whether a stored pair works; False only for the drive's own 401. Raises an error
        if that is uncertain.

        Conflict: the pair belongs to somebody else, or to another login name. Never delete stored
        credentials after another error.
        """
        account = self._client.whoami(app_password, login_name)
        if account is None:
            return False
        doing = message("asking_whether_it_works")
        self._refuse_other(account, sub, doing)
        if account.id != login_name:
            raise Conflict(
                message("works_under_other_name"),
                kind=APP_PASSWORD,
                doing=doing,
                advice=message("connect_again"),
            )
        return True

    def revoke_app_password(self, app_password: Secret) -> bool:
        """Revoke an app password that could not be stored; return False if it no longer worked."""
        if self._client.whoami(app_password) is None:
            return False
        self._client.revoke_app_password(app_password)
        return True

    def _refuse_other(self, account: Account, sub: str, doing: Message) -> None:
        if account.id not in self.account_ids(sub):
            raise Conflict(
                message("signs_in_somebody_else"),
                kind=APP_PASSWORD,
                doing=doing,
                advice=message("check_prefix"),
            )
