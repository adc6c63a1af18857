"""PostgreSQL 15 or newer, by psycopg (docs/systems/sql-server.md#postgresql).

An account is a role that may sign in. A database of ours has two roles without a sign-in. Members
of the role with its name may do everything there, and that role owns what they make, so that it
stays when one of them leaves. Members of the other role (`…+use`) read and write its data.
"""

import contextlib
from collections.abc import Iterator

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Denied, Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.postgresql import answers
from workspace_manager.systems.sql_server.client.postgresql.connection import Connection
from workspace_manager.systems.sql_server.client.postgresql.session import PostgreSQLSession
from workspace_manager.systems.sql_server.client.session import (
    Flavour,
    FlavourWords,
    SignInLocked,
    SignInRefused,
)
from workspace_manager.systems.sql_server.settings import Settings


class _DatabaseRefused(Denied):
    """The server accepted the sign-in and refused the database: the password was right."""


_OF_A_PERSON: answers.Meaning = {
    answers.REFUSED: SignInRefused,
    "28000": SignInRefused,
    answers.LOCKED: SignInLocked,
    answers.NOT_FROM_HERE: Invalid,
    answers.NOT_IN_THAT_DATABASE: _DatabaseRefused,
    answers.NO_SUCH_DATABASE: _DatabaseRefused,
}


class PostgreSQL(Flavour):
    """The flavour PostgreSQL."""

    words = FlavourWords(
        rights="SELECT FROM pg_roles, pg_database",
        accounts="SELECT FROM pg_roles",
        accounts_and_sessions="SELECT FROM pg_roles, pg_stat_activity",
        databases="SELECT FROM pg_database, pg_auth_members",
        grants="SELECT FROM pg_auth_members",
        on_any_host=False,
    )

    @contextlib.contextmanager
    def session(
        self, settings: Settings, policy: CallPolicy, *, kind: str, doing: Message
    ) -> Iterator[PostgreSQLSession]:
        """Sign in as the administrator. Raises Denied, Unavailable or Invalid."""
        with Connection(settings, policy, kind=kind, doing=doing) as connection:
            yield PostgreSQLSession(connection)

    def enter(
        self,
        settings: Settings,
        policy: CallPolicy,
        user: str,
        password: Secret,
        *,
        kind: str,
        doing: Message,
    ) -> None:
        """Sign in as a person and out again. Raises SignInRefused, SignInLocked, Unavailable or
        Invalid.
        """
        with (
            contextlib.suppress(_DatabaseRefused),
            Connection(
                settings,
                policy,
                kind=kind,
                doing=doing,
                user=user,
                password=password,
                meaning=_OF_A_PERSON,
            ),
        ):
            pass
