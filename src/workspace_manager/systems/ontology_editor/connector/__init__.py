"""The ontology editor as one system: projects, their members, and its check."""

from collections.abc import Mapping, Sequence

from workspace_manager.contract.connector import CallPolicy, Connector, Evidence, Finding
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.ontology_editor import checks, names
from workspace_manager.systems.ontology_editor.client.calls import CALLS, OntologyEditorClient
from workspace_manager.systems.ontology_editor.connector.membership import MembershipConnector
from workspace_manager.systems.ontology_editor.connector.project import SYSTEM, ProjectConnector
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.settings import Settings


class OntologyEditor:
    """The connected ontology editor (`contract.connector.System`)."""

    name = SYSTEM

    def __init__(self, settings: Settings, calls: CallPolicy) -> None:
        self._settings = settings
        self._client = OntologyEditorClient(settings, policy=calls)
        self.connectors: Mapping[str, Connector] = {
            ProjectConnector.kind: ProjectConnector(self._client),
            MembershipConnector.kind: MembershipConnector(self._client, settings.service_account),
        }

    @property
    def client(self) -> OntologyEditorClient:
        return self._client

    def address(self, project_id: str) -> str:
        """Return the link that opens a project in the browser."""
        return names.project_address(self._settings.host, project_id, self._settings.perspective_id)

    def list_address(self) -> str:
        """Return the link that opens the list of projects in the browser."""
        return names.list_address(self._settings.host)

    def left_of(self, username: str) -> tuple[Message, ...]:
        """Return the projects of a name: the editor knows people only by name, and the next holder
        of the name would own them.

        Projects in the trash do not count, because no interface can empty it. Raises the five
        errors.
        """
        account = names.account_name(username, username)
        return tuple(
            message("project_left", id=one.id, account=account)
            for one in self._client.projects()
            if one.owner == account and not one.in_trash
        )

    def check(self) -> Sequence[Finding]:
        return checks.check(self._settings, self._client)

    def try_again(self) -> None:
        """Do nothing: no refusal is remembered."""

    def prove_credential(self) -> None:
        """List the projects that our key can see, which needs no permission."""
        self._client.projects()

    def prove_rights(self) -> Evidence:
        """List the projects with our key: it is known, and reading a project needs nothing more."""
        count = len(self._client.projects())
        return Evidence.now(SYSTEM, message("list_projects"), message("key_known", count=count))


def connect(
    settings: Settings, _secrets: SecretResolver, *, calls: CallPolicy = CALLS
) -> OntologyEditor:
    """Return the connected editor. No call is made, and no secret except the key in the settings is
    needed. `calls`: other time limits, for tests.
    """
    return OntologyEditor(settings, calls)
