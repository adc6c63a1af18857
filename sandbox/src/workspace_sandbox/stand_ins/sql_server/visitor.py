"""Somebody who is signed in: who it is, what was allowed at sign-in, which database is current; and
what an answer is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from workspace_sandbox.stand_ins.sql_server import refusals
from workspace_sandbox.stand_ins.sql_server.accounts import CLIENT_HOST, Accounts


@dataclass
class Answer:
    """Rows under names, or without names the count of what was concerned."""

    rows: Sequence[Sequence[Any]] = ()
    columns: Sequence[str] = ()
    affected: int = 0
    warnings: int = 0


@dataclass
class Visitor:
    """One open session. What it may do server-wide was settled at sign-in, and in its current
    database when it went there.

    So a session goes on after DROP USER and REVOKE as it was, until it ends or changes its
    database.
    """

    number: int
    name: str
    user: str
    host: str
    server_wide: set[str]
    database: str = ""
    in_database: set[str] = field(default_factory=set)
    running: str = ""

    @property
    def account(self) -> str:
        return f"{self.user}@{self.host}"

    def may(self, accounts: Accounts, name: str, database: str) -> bool:
        return name in self.rights(accounts, database)

    def rights(self, accounts: Accounts, database: str) -> set[str]:
        """Everything it may do in a database."""
        if database == self.database:
            return self.server_wide | self.in_database
        return self.server_wide | accounts.on_database(self.user, self.host, database)

    def sees(self, accounts: Accounts, database: str) -> bool:
        """Return whether the database is listed for it: with any right on it, or with SHOW
        DATABASES.
        """
        rights = self.rights(accounts, database) & {"SHOW DATABASES", *_ANY}
        return bool(rights)

    def require(self, *names: str) -> None:
        """Raises SqlError 1227 unless it has one of these on the whole server."""
        if not self.server_wide & set(names):
            raise refusals.privilege(" OR ".join(names))

    def require_in(self, accounts: Accounts, name: str, database: str) -> None:
        """Raises SqlError 1044 unless it may do this in the database."""
        if not self.may(accounts, name, database):
            raise refusals.on_database(self.user, self.host, database)

    def require_on(self, accounts: Accounts, name: str, database: str, table: str) -> None:
        """Raises SqlError 1142 unless it may do this with the table."""
        rights = self.rights(accounts, database)
        if name not in rights | accounts.on_table(self.user, self.host, database, table):
            raise refusals.on_table(name, self.user, CLIENT_HOST, database, table)

    def go_to(self, accounts: Accounts, database: str) -> None:
        """Make a database current. That it exists was looked at before. Raises SqlError 1044."""
        rights = accounts.on_database(self.user, self.host, database)
        if not (self.server_wide | rights) & _ANY:
            raise refusals.on_database(self.user, self.host, database)
        self.database, self.in_database = database, rights


_ANY = frozenset(
    {"SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "DROP", "ALTER", "INDEX", "EXECUTE"}
)
"""Rights that open a database."""
