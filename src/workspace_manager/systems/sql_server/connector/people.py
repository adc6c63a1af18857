"""A person's SQL account: made with a password, locked, dropped.

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
"""Nobody signs in with it: true of an account that is locked, and of one that is not there."""


class UserConnector:
    """Drive one person's account. It may be known on several hosts: ours is on `%`, and all of them
    go.
    """

    kind: ClassVar[str] = USER_KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: Client, secrets: SecretResolver) -> None:
        self._client = client
        self._secrets = secrets

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the account. `before`: {"exists": true}, and "locked" where that is asked for."""
        user = self._user(target, message("looking_at_account"))
        before: Facts | None = None
        with self._client.session(doing=message("looking_at_account"), kind=USER_KIND) as session:
            if session.accounts(user):
                before = {"exists": True}
                if want is not None and "locked" in want:
                    before["locked"] = session.is_locked(user)
        return Change(kind=USER_KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Make it, give it its password, lock or unlock it: whatever of this is not so yet. A
        password that replaces another one (`RENEWED`) also ends the sessions.

        A wish for the lock alone is fulfilled where there is no account, once our rights were
        proven. Raises Conflict for an account that cannot be ours, NotFound when it shall be
        changed otherwise and is not there, Invalid for an empty password, which would make an
        account that anybody may use.
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
                    # Also when an earlier try set it, and was killed before it came here.
                    changed = session.end_sessions(user) > 0 or changed
            elif not accounts and change.after == LOCKED_OUT:
                require_rights(session, doing=doing, kind=USER_KIND)
            elif not accounts:
                raise _nobody(user, doing)
            if isinstance(locked, bool):
                changed = _set_lock(session, user, on=locked) or changed
        return CHANGED if changed else ALREADY

    def remove(self, change: Change) -> Outcome:
        """Lock it, end its sessions, take from it what it owns, drop it, end its sessions again: on
        every host.

        In this order nobody signs in between the end of the sessions and the end of the account,
        and a session that was just signing in ends too.
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
        """Look afresh: the account on every host, its sessions, and with a password in the change
        whether it is accepted.
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
            # It is erased when its plan closes; then there is nothing left to compare with.
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
        """Return the previous password, if it can be read: the place that keeps it may be down,
        which holds up nothing here.
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
        """Make the account and set its password; False when it was so. A password cannot be read,
        so it is tried.
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
        # Creating leaves an account that is there as it is, also one that a killed try has just
        # made: so it is always altered.
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
    """Lock or unlock it on every host; a lock also ends its sessions, which would go on. False when
    all was so.
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
