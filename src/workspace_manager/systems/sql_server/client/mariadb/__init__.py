"""MariaDB 10.4 or newer, by PyMySQL (docs/systems/sql-server.md)."""

import contextlib
from collections.abc import Iterator

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.sql_server.client.mariadb.answers import Meaning
from workspace_manager.systems.sql_server.client.mariadb.connection import Connection
from workspace_manager.systems.sql_server.client.mariadb.session import MariaDBSession
from workspace_manager.systems.sql_server.client.session import (
    Flavour,
    FlavourWords,
    SignInLocked,
    SignInRefused,
)
from workspace_manager.systems.sql_server.settings import Settings

_OF_A_PERSON: Meaning = {
    1045: SignInRefused,
    1698: SignInRefused,
    1044: SignInRefused,
    4151: SignInLocked,
}


class MariaDB(Flavour):
    """The flavour MariaDB."""

    words = FlavourWords(
        rights="SHOW GRANTS, SELECT FROM mysql.user, mysql.db",
        accounts="SELECT FROM mysql.user",
        accounts_and_sessions="SELECT FROM mysql.user, information_schema.PROCESSLIST",
        databases="SELECT FROM information_schema.SCHEMATA, mysql.db",
        grants="SELECT FROM mysql.db",
        on_any_host=True,
    )

    @contextlib.contextmanager
    def session(
        self, settings: Settings, policy: CallPolicy, *, kind: str, doing: Message
    ) -> Iterator[MariaDBSession]:
        """Sign in as the administrator. Raises Denied, Unavailable or Invalid."""
        with Connection(settings, policy, kind=kind, doing=doing) as connection:
            yield MariaDBSession(connection)

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
        with Connection(
            settings,
            policy,
            kind=kind,
            doing=doing,
            user=user,
            password=password,
            meaning=_OF_A_PERSON,
        ):
            pass
