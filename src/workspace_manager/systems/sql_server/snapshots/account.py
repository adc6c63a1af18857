"""The account that reads one database for a snapshot, or loads it. It has rights on that database
only, and is dropped afterwards.

Code in a database may run as the account that reads or loads it, so the administrator never does.
The account always has the same name: it identifies leftovers of a killed process, and it alone
tells a half-loaded database from somebody's own.
"""

import contextlib
from collections.abc import Collection, Iterator

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.passwords import Passwords
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import Client, Session
from workspace_manager.systems.sql_server.client.login import Login
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import Settings

READING = "reading"
LOADING = "loading"
PAGE = 100
CALLS = CallPolicy(answer_s=120)
"""A server that many load at once takes long to drop an account."""


class SnapshotAccounts:
    """The accounts of snapshots: makes and removes them."""

    def __init__(self, settings: Settings, passwords: Passwords) -> None:
        self._settings = settings
        self._passwords = passwords
        self._client = Client(settings, policy=CALLS)

    @contextlib.contextmanager
    def session(self, doing: Message) -> Iterator[Session]:
        """Hold a session as the administrator for a few statements."""
        with self._client.session(doing=doing, kind=names.DATABASE_KIND) as session:
            yield session

    def exists(self, database: str, purpose: str, *, doing: Message) -> bool:
        """Return whether there is one, left by a killed process."""
        with self.session(doing) as session:
            return bool(session.accounts(names.snapshot_account(database, purpose)))

    @contextlib.contextmanager
    def make(self, database: str, purpose: str, *, use: str, doing: Message) -> Iterator[Login]:
        """Make the account, and remove it when the `with` block ends. `use`: of
        `Session.grant_use`, or "" for everything in that database. Raises NotFound without the
        database.
        """
        user = names.snapshot_account(database, purpose)
        password = self._passwords()
        with self.session(doing) as session:
            if not session.database_exists(database):
                raise NotFound(
                    message("no_database_named", database=database),
                    kind=names.DATABASE_KIND,
                    doing=doing,
                    advice=message("dropped_meanwhile"),
                )
            _remove(session, user, doing)
            session.create_account(user, password)
            session.set_password(user, password)
            if use:
                session.grant_use(database, user, use)
            else:
                session.grant(database, user)
        try:
            yield Login(self._settings, user, password, database)
        finally:
            self.remove(database, purpose, doing=doing)

    def find_all(self, *, doing: Message) -> list[str]:
        """Return every such account."""
        found: list[str] = []
        with self.session(doing) as session:
            after = names.SNAPSHOT
            while page := session.accounts_after(after, PAGE):
                ours = [one.user for one in page if one.user.startswith(names.SNAPSHOT)]
                found += ours
                if len(ours) < len(page):
                    break
                after = page[-1].user
        return found

    def remove_unused(self, users: Collection[str], *, doing: Message) -> int:
        """Remove these accounts, except those with open sessions; return their number."""
        count = 0
        with self.session(doing) as session:
            for user in sorted(users):
                if not session.count_sessions(user):
                    _remove(session, user, doing)
                    count += 1
        return count

    def remove(self, database: str, purpose: str, *, doing: Message) -> None:
        """Remove an account. Raises Conflict if it still exists afterwards."""
        user = names.snapshot_account(database, purpose)
        with self.session(doing) as session:
            _remove(session, user, doing)


def _remove(session: Session, user: str, doing: Message) -> None:
    accounts = session.accounts(user)
    for account in accounts:
        with contextlib.suppress(NotFound):
            session.lock(account, on=True)
    session.end_sessions(user)
    if accounts:
        session.release(user)
    for account in accounts:
        with contextlib.suppress(NotFound):
            session.drop_account(account)
    if accounts:
        session.end_sessions(user)
    if session.accounts(user) or session.count_sessions(user):
        raise Conflict(
            message("snapshot_account_left", account=user), kind=names.DATABASE_KIND, doing=doing
        )
