"""The database beside another one, into which a snapshot is loaded before it replaces that one, and
other databases of a replacement. Their names are derived from the database's name.
"""

import contextlib
from typing import Final, Protocol

from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.sql_server import names
from workspace_manager.systems.sql_server.client import Session
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.snapshots.account import (
    LOADING,
    READING,
    SnapshotAccounts,
)

BESIDE: Final = "restored"
ALL: Final = (BESIDE, "old", "journal")


class Switching(Protocol):
    """A product's part in a replacement."""

    def switch(self, name: str, beside: str) -> None: ...

    def is_begun(self, name: str, doing: Message) -> bool: ...

    def reopen(self, name: str, doing: Message) -> None: ...


class Beside:
    """The databases beside one database. `product`: its server's way to replace it."""

    def __init__(self, accounts: SnapshotAccounts, product: Switching, database: str) -> None:
        self._accounts = accounts
        self._product = product
        self._database = database
        self.name = names.set_aside(database, BESIDE)
        self._all = [names.set_aside(database, purpose) for purpose in ALL]

    def exists(self) -> bool:
        """Return whether any of them exists."""
        with self._accounts.session(message("switching")) as session:
            return any(map(session.database_exists, self._all))

    def make(self) -> None:
        """Make the database, empty and closed, after an interrupted replacement was finished.
        Raises NotFound without the database that it belongs to.
        """
        doing = message("restoring")
        with self._accounts.session(doing) as session:
            if not session.database_exists(self._database):
                raise NotFound(
                    message("no_database_named", database=self._database),
                    kind=names.DATABASE_KIND,
                    doing=doing,
                    advice=message("dropped_meanwhile"),
                )
        if self._product.is_begun(self._database, doing):
            self._product.switch(self._database, self.name)
        self.discard()
        with self._accounts.session(doing) as session:
            session.create_database(self.name)

    def discard(self) -> None:
        """Delete all of them, and the accounts that loaded and counted the content."""
        doing = message("switching")
        for purpose in (LOADING, READING):
            self._accounts.remove(self.name, purpose, doing=doing)
        with self._accounts.session(doing) as session:
            for one in self._all:
                _drop(session, one)
        self._product.reopen(self._database, doing)


def _drop(session: Session, name: str) -> None:
    for grant in session.grants_on(name):
        with contextlib.suppress(NotFound):
            session.revoke(grant)
    if session.database_exists(name):
        session.end_sessions_in(name)
        with contextlib.suppress(NotFound):
            session.drop_database(name)
