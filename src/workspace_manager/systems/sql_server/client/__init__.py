"""The client of the SQL server. `session`: its calls; `mariadb` and `postgresql`: each product.

In each of the two, `dialect` has the statements, `session` one method each, `answers` the meaning
of codes, and `connection` the wire.
"""

import contextlib
from collections.abc import Iterator, Mapping

from workspace_manager.contract import failure_reports, slots
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.mariadb import MariaDB
from workspace_manager.systems.sql_server.client.mariadb.session import MariaDBSession
from workspace_manager.systems.sql_server.client.postgresql import PostgreSQL
from workspace_manager.systems.sql_server.client.postgresql.session import PostgreSQLSession
from workspace_manager.systems.sql_server.client.session import (
    CALLS,
    DEFINE,
    READ,
    SYSTEM,
    WRITE,
    Account,
    Flavour,
    Grant,
    KnownAccount,
    KnownDatabase,
    Session,
    SignIn,
)
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import MARIADB, POSTGRESQL, Settings

__all__ = [
    "CALLS",
    "DEFINE",
    "READ",
    "SYSTEM",
    "WRITE",
    "Account",
    "Client",
    "Flavour",
    "Grant",
    "KnownAccount",
    "KnownDatabase",
    "MariaDBSession",
    "PostgreSQLSession",
    "Session",
    "SignIn",
]

FLAVOURS: Mapping[str, Flavour] = {MARIADB: MariaDB(), POSTGRESQL: PostgreSQL()}


class Client:
    """A client that opens sessions. It remembers nothing and keeps no connection, which could break
    unnoticed.
    """

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.settings = settings
        self.policy = policy
        self.flavour = FLAVOURS[settings.flavour]

    @contextlib.contextmanager
    def session(self, *, doing: Message, kind: str = SYSTEM) -> Iterator[Session]:
        """Hold a session as the administrator for one piece of work. Raises Denied, Unavailable or
        Invalid.
        """
        try:
            with (
                slots.hold_slot(SYSTEM, kind=kind, doing=doing),
                self.flavour.session(self.settings, self.policy, kind=kind, doing=doing) as session,
            ):
                yield session
        except slots.Busy:
            raise
        except Unavailable:
            failure_reports.report_failure(SYSTEM)
            raise

    def sign_in(self, user: str, password: Secret, *, doing: Message, kind: str = SYSTEM) -> SignIn:
        """Try a person's password. Raises Unavailable or Invalid, but never Denied, because our own
        account is not refused.
        """
        with slots.hold_slot(SYSTEM, kind=kind, doing=doing):
            return self.flavour.sign_in(
                self.settings, self.policy, user, password, kind=kind, doing=doing
            )

    def admin_tool_status(self) -> int:
        """Return the HTTP status of the SQL web tool's address; any status means that something
        answers. Raises Unavailable or Invalid.
        """
        http = HttpClient(self.settings.admin_tool_url, system=SYSTEM, policy=self.policy)
        return http.send("GET", "/", doing=message("looking_at_web_tool"), anonymous=True).status
