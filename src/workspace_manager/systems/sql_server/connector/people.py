"""The connector of people's SQL accounts: made with a password, locked, dropped.

See docs/explanation/removal.md#the-seven-steps and
docs/systems/sql-server.md#sessions-definers-dropping.
"""

import contextlib
from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Result,
    Target,
)
from workspace_manager.contract.errors import Conflict, ConnectorError, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret, SecretResolver
from workspace_manager.systems.sql_server.client import (
    CALLS,
    SYSTEM,
    Account,
    Client,
    Session,
    SignIn,
)
from workspace_manager.systems.sql_server.connector.rights import require_rights
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.names import (
    RENEWED,
    USER_KIND,
    is_technical,
    is_user_name,
    technical,
)

PASSWORD, OLD_PASSWORD = "password", "old_password"
LOCKED_OUT: Facts = {"locked": True}
"""Nobody can sign in with the account: it is locked, or does not exist."""


class UserConnector:
    """The connector of one person's account. Its name may exist on several hosts: ours is on `%`,
    and all of them are dropped.
    """

    kind: ClassVar[str] = USER_KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: Client, secrets: SecretResolver) -> None:
        self._client = client
        self._secrets = secrets

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the account. `before`: {"exists": true}, and "locked" if that is wanted."""
        user = self._user(target, message("looking_at_account"))
        before: Facts | None = None
        with self._client.session(doing=message("looking_at_account"), kind=USER_KIND) as session:
            if session.accounts(user):
                before = {"exists": True}
                if want is not None and "locked" in want:
                    before["locked"] = session.is_locked(user)
        return Change(kind=USER_KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Make the account, set its password, lock or unlock it, as far as necessary. A password
        that replaces another one (`RENEWED`) also ends the sessions.

        If only a lock is wanted, a missing account fulfils it once our rights were proven. Raises
        Conflict for an account that cannot be ours, NotFound for other changes of a missing
        account, and Invalid for an empty password, with which anybody could use the account.
        """
        doing = message("changing_account")
        user = self._user(change.target, doing)
        password = self._password(change, doing)
        locked = (change.after or {}).get("locked")
        with self._client.session(doing=doing, kind=USER_KIND) as session:
            accounts = session.accounts(user)
            _refuse_privileged(accounts, doing)
            changed = False
            if password is not None:
                changed = self._set_password(session, user, accounts, password, doing)
                if _renews(change):
                    # Even if an earlier attempt set it and was killed before this point.
                    changed = session.end_sessions(user) > 0 or changed
            elif not accounts and change.after == LOCKED_OUT:
                require_rights(session, doing=doing, kind=USER_KIND)
            elif not accounts:
                raise _nobody(user, doing)
            if isinstance(locked, bool):
                changed = _set_lock(session, user, on=locked) or changed
        return CHANGED if changed else ALREADY

    def remove(self, change: Change) -> Outcome:
        """Lock the account, end its sessions, transfer what it owns, drop it, and end its sessions
        again, on every host.

        In this order, nobody signs in between the end of the sessions and the end of the account,
        and a session that was just signing in ends, too.
        """
        doing = message("dropping_account")
        user = self._user(change.target, doing)
        with self._client.session(doing=doing, kind=USER_KIND) as session:
            accounts = session.accounts(user)
            _refuse_privileged(accounts, doing)
            for account in accounts:
                with contextlib.suppress(NotFound):
                    session.lock(account, on=True)
            ended = session.end_sessions(user)
            by_hand = tuple(session.left_by_hand(user))
            session.release(user)
            for account in accounts:
                with contextlib.suppress(NotFound):
                    session.drop_account(account)
            if accounts:
                session.end_sessions(user)
        result = Result.CHANGED if accounts or ended else Result.ALREADY
        return Outcome(result=result, by_hand=by_hand)

    def verify(self, change: Change) -> Evidence | None:
        """Look again: the account on every host, its sessions, and whether a password of the change
        is accepted.
        """
        doing = message("looking_at_account")
        user = self._user(change.target, doing)
        with self._client.session(doing=doing, kind=USER_KIND) as session:
            accounts = session.accounts(user)
            if change.after is None:
                return (
                    None if accounts or session.count_sessions(user) else self._gone_evidence(user)
                )
            locked = change.after.get("locked")
            if not accounts and change.after == LOCKED_OUT:
                require_rights(session, doing=doing, kind=USER_KIND)
                return None if session.count_sessions(user) else self._gone_evidence(user)
            if not accounts:
                return None
            if isinstance(locked, bool) and session.is_locked(user) is not locked:
                return None
            if locked is True:
                require_rights(session, doing=doing, kind=USER_KIND)
                if session.count_sessions(user):
                    return None
        text = message("account_exists", user=user)
        if isinstance(locked, bool):
            text = message("account_locked" if locked else "account_not_locked", user=user)
        return self._with_password(change, user, text, doing)

    def _gone_evidence(self, user: str) -> Evidence:
        words = self._client.flavour.words
        return Evidence.now(
            SYSTEM,
            words.accounts_and_sessions,
            message("account_gone_everywhere" if words.on_any_host else "account_gone", user=user),
        )

    def _with_password(
        self, change: Change, user: str, text: Message, doing: Message
    ) -> Evidence | None:
        try:
            password = self._password(change, doing)
        except NotFound:
            # It is erased when its plan closes; then there is nothing left to compare.
            password = None
        asked = self._client.flavour.words.accounts
        if password is None:
            return Evidence.now(SYSTEM, asked, text)
        answer = self._client.sign_in(user, password, doing=doing, kind=USER_KIND)
        if answer is SignIn.REFUSED:
            return None
        said = "password_is_right"
        if _renews(change):
            old = self._old_password(change)
            said = "password_is_the_only" if old in {None, password} else "old_password_refused"
            if old and old != password:
                answer = self._client.sign_in(user, old, doing=doing, kind=USER_KIND)
                if answer is not SignIn.REFUSED:
                    return None
        return Evidence.now(
            SYSTEM, message("asked_and_signed_in", asked=asked), message(said, account=text)
        )

    def _old_password(self, change: Change) -> Secret | None:
        """Return the previous password, if it can be read: its store may be down, which must not
        stop this.
        """
        ref = change.secrets.get(OLD_PASSWORD)
        try:
            return self._secrets(ref) if ref is not None else None
        except ConnectorError:
            return None

    def _set_password(
        self,
        session: Session,
        user: str,
        accounts: list[Account],
        password: Secret,
        doing: Message,
    ) -> bool:
        """Make the account and set its password; return False if both were so already. A password
        cannot be read, so it is tried.
        """
        others = [account.shown for account in accounts if not account.ours]
        if others:
            raise Conflict(
                message("not_made_by_us", accounts=", ".join(others)),
                kind=USER_KIND,
                doing=doing,
                advice=message("drop_and_try_again"),
            )
        if accounts:
            answer = self._client.sign_in(user, password, doing=doing, kind=USER_KIND)
            if answer is not SignIn.REFUSED:
                return False
        # Creating does not change an existing account, not even one that a killed attempt has just
        # made, so the password is always set.
        session.create_account(user, password)
        session.set_password(user, password)
        return True

    def _password(self, change: Change, doing: Message) -> Secret | None:
        ref = change.secrets.get(PASSWORD)
        if ref is None:
            return None
        password = self._secrets(ref)
        if not password:
            raise Invalid(
                message("password_empty"),
                kind=USER_KIND,
                doing=doing,
                advice=message("give_new_password"),
            )
        return password

    def _user(self, target: Target, doing: Message) -> str:
        """Return the exact name. Raises Conflict for a technical account or our own, Invalid for
        one that would reach another's account.
        """
        user, flavour = target["user"], self._client.settings.flavour
        if is_technical(user, flavour) or user == self._client.settings.admin_username:
            raise technical(user, doing=doing)
        if not is_user_name(user, flavour):
            raise Invalid(
                message("taken_for_another"),
                kind=USER_KIND,
                doing=doing,
                advice=message("correct_or_by_hand"),
            )
        return user


def _renews(change: Change) -> bool:
    return RENEWED.items() <= (change.after or {}).items()


def _set_lock(session: Session, user: str, *, on: bool) -> bool:
    """Lock or unlock the account on every host; a lock also ends its sessions, which would
    continue. Return False if nothing changed.
    """
    accounts = session.accounts(user)
    changed = bool(accounts) and session.is_locked(user) is not on
    if changed:
        for account in accounts:
            session.lock(account, on=on)
    ended = session.end_sessions(user) if on else 0
    return changed or ended > 0


def _refuse_privileged(accounts: list[Account], doing: Message) -> None:
    for account in accounts:
        if account.server_wide:
            raise Conflict(
                message("has_server_privileges", shown=account.shown),
                kind=USER_KIND,
                doing=doing,
                advice=message("find_whose_account"),
            )


def _nobody(user: str, doing: Message) -> ConnectorError:
    return NotFound(
        message("nobody", user=user),
        kind=USER_KIND,
        doing=doing,
        advice=message("made_with_password"),
    )
