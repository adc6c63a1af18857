"""The SQL server as one system: its three kinds of things, its check, and the proof of our
rights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from workspace_manager.contract.connector import CallPolicy, Connector, Evidence, Finding
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.passwords import Passwords, new_password
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.sql_server import checks, checks_password_policy
from workspace_manager.systems.sql_server.client import CALLS, SYSTEM, Client
from workspace_manager.systems.sql_server.connector.databases import DatabaseConnector
from workspace_manager.systems.sql_server.connector.grants import GrantConnector
from workspace_manager.systems.sql_server.connector.people import UserConnector
from workspace_manager.systems.sql_server.connector.rights import require_rights
from workspace_manager.systems.sql_server.messages import message
from workspace_manager.systems.sql_server.settings import Settings


@dataclass(frozen=True)
class SqlServer:
    """The connected SQL server."""

    settings: Settings
    client: Client
    connectors: Mapping[str, Connector]
    passwords: Passwords = new_password
    name: str = SYSTEM

    def check(self) -> Sequence[Finding]:
        return checks.check(self.settings, self.client, self.passwords())

    def trial(self) -> Sequence[Finding]:
        """Try whether the server accepts our passwords, which only an attempt shows."""
        return list(checks_password_policy.try_policy(self.client, self.passwords()))

    def try_again(self) -> None:
        """Do nothing: no refusal is remembered."""

    def prove_credential(self) -> None:
        """Sign in and run nothing."""
        with self.client.session(doing=message("proving_credential")):
            pass

    def prove_rights(self) -> Evidence:
        """Prove that accounts, sessions, databases and grants are shown to us. Raises Denied or
        Unavailable if not.

        A server or proxy that answers every question with an empty list would prove that everything
        is gone, so our own account must be found.
        """
        doing = message("proving_rights")
        with self.client.session(doing=doing) as session:
            account = require_rights(session, doing=doing)
            session.grants_too_wide()
            count = session.count_accounts()
            if not session.accounts(session.own_account().name):
                raise Denied(
                    message("own_account_not_shown", account=account, count=count),
                    kind=SYSTEM,
                    doing=doing,
                    advice=message("connect_to_server_itself"),
                )
        return Evidence.now(
            SYSTEM,
            self.client.flavour.words.rights,
            message("sees_all_accounts", account=account, count=count),
        )


def connect(
    settings: Settings,
    secrets: SecretResolver,
    passwords: Passwords | None = None,
    *,
    calls: CallPolicy = CALLS,
) -> SqlServer:
    """Return the system with these settings; no call is made. `passwords`: makes those of accounts.
    `calls`: other time limits, for tests.
    """
    client = Client(settings, policy=calls)
    kinds: tuple[Connector, ...] = (
        UserConnector(client, secrets),
        DatabaseConnector(client),
        GrantConnector(client),
    )
    by_kind = {connector.kind: connector for connector in kinds}
    return SqlServer(settings, client, by_kind, passwords or new_password)
