"""The triplestore as one system: accounts, repositories, public access, and its check."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from workspace_manager.contract.connector import CallPolicy, Connector, Evidence, Finding
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.triplestore import checks
from workspace_manager.systems.triplestore.client.calls import CALLS, TriplestoreClient
from workspace_manager.systems.triplestore.connector.public import PublicConnector
from workspace_manager.systems.triplestore.connector.repositories import RepositoryConnector
from workspace_manager.systems.triplestore.connector.user import SYSTEM, UserConnector
from workspace_manager.systems.triplestore.messages import message
from workspace_manager.systems.triplestore.settings import Settings


class Triplestore:
    """The connected triplestore (`contract.connector.System`)."""

    name = SYSTEM

    def __init__(self, settings: Settings, secrets: SecretResolver, calls: CallPolicy) -> None:
        self._settings = settings
        self._client = TriplestoreClient(settings, policy=calls)
        public = PublicConnector(self._client)
        self.extent = public.extent
        self.connectors: Mapping[str, Connector] = {
            UserConnector.kind: UserConnector(self._client, secrets),
            RepositoryConnector.kind: RepositoryConnector(self._client),
            PublicConnector.kind: public,
        }

    @property
    def client(self) -> TriplestoreClient:
        return self._client

    def address(self, repository: str) -> str:
        """Return the SPARQL address of a repository for people and knowledge stacks."""
        return f"{self._client.url}/repositories/{quote(repository, safe='')}"

    def check(self) -> Sequence[Finding]:
        return checks.check(self._settings, self._client)

    def try_again(self) -> None:
        """Do nothing: no refusal is remembered."""

    def prove_credential(self) -> None:
        """Try our own password like any account's; this needs no right."""
        self._client.prove_password()

    def prove_rights(self) -> Evidence:
        """List the accounts: OpenGDB shows them only to superusers, so an account that is not
        listed does not exist.
        """
        count = len(self._client.accounts())
        text = message("listed_all_accounts", username=self._client.username, count=count)
        return Evidence.now(SYSTEM, message("list_accounts"), text)


def connect(
    settings: Settings, secrets: SecretResolver, *, calls: CallPolicy = CALLS
) -> Triplestore:
    """Return the connected triplestore. No call is made. `calls`: other time limits, for tests."""
    return Triplestore(settings, secrets, calls)
