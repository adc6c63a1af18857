"""The way to the SQL server. `dialect` the statements · `session` one method each · `answers` what the codes mean · `connection` the wire."""

import contextlib
from collections.abc import Iterator
from enum import StrEnum

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.answers import Meaning
from workspace_manager.systems.sql_server.client.connection import CALLS, SYSTEM, Connection
from workspace_manager.systems.sql_server.client.dialect import USING, as_pattern
from workspace_manager.systems.sql_server.client.privileges import lacking
from workspace_manager.systems.sql_server.client.session import ANY_HOST, Account, Grant, Session
from workspace_manager.systems.sql_server.settings import Settings

__all__ = [
    "ANY_HOST",
    "CALLS",
    "SYSTEM",
    "USING",
    "Account",
    "Client",
    "Grant",
    "Session",
    "SignIn",
    "as_pattern",
    "lacking",
]


class SignIn(StrEnum):
    """How the server answers somebody who signs in."""

    ACCEPTED = "accepted"
    LOCKED = "locked"
    """The password is right: the lock is looked at after it (observed, MariaDB 10.11)."""
    REFUSED = "refused"


class _Refused(Denied):
    """The person's sign-in was refused, not ours: no reason to pause the system."""


class _Locked(Denied):
    """The person's account is locked."""


_OF_A_PERSON: Meaning = {1045: _Refused, 1698: _Refused, 1044: _Refused, 4151: _Locked}


class Client:
    """Open sessions. Remembers nothing, keeps no connection: a kept one would break while nobody looks."""

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.settings = settings
        self.policy = policy

    @contextlib.contextmanager
    def session(self, *, doing: str, kind: str = SYSTEM) -> Iterator[Session]:
        """Sign in as the administrator for one piece of work. Raises Denied, Unavailable or Invalid."""
        with Connection(self.settings, self.policy, kind=kind, doing=doing) as connection:
            yield Session(connection)

    def sign_in(self, user: str, password: Secret, *, doing: str, kind: str = SYSTEM) -> SignIn:
        """Try a person's password. Raises Unavailable or Invalid, never Denied: it is not our account that is refused."""
        try:
            with Connection(
                self.settings,
                self.policy,
                kind=kind,
                doing=doing,
                user=user,
                password=password,
                meaning=_OF_A_PERSON,
            ):
                return SignIn.ACCEPTED
        except _Refused:
            return SignIn.REFUSED
        except _Locked:
            return SignIn.LOCKED

    def admin_tool_status(self) -> int:
        """The HTTP status of the SQL web tool's address; whatever it is, something answers. Raises Unavailable or Invalid."""
        http = HttpClient(self.settings.admin_tool_url, system=SYSTEM, policy=self.policy)
        return http.send("GET", "/", doing="looking at the SQL web tool", anonymous=True).status
