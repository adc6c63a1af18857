"""The documents that the drive's check reads, as a drive gives them, each with its table."""

from collections.abc import Iterator
from typing import Any

from workspace_manager.contract.containers import ContainerEngine
from workspace_manager.contract.members import MemberTable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.drive.client import DriveClient, understand
from workspace_manager.systems.drive.command_line import configuration
from workspace_manager.systems.drive.members.account import ACCOUNT
from workspace_manager.systems.drive.members.app import APP
from workspace_manager.systems.drive.members.capabilities import CAPABILITIES
from workspace_manager.systems.drive.members.file import FILE, OF_THE_APP
from workspace_manager.systems.drive.members.provider import PROVIDER
from workspace_manager.systems.drive.members.status import STATUS

Document = dict[str, Any]


def documents(
    client: DriveClient, engine: ContainerEngine, container: str
) -> Iterator[tuple[MemberTable, Document]]:
    """Each as the whole of what is answered, not what the client takes of it."""

    def as_administrator(path: str) -> Document:
        answer = client._as_admin("GET", f"/ocs/v2.php{path}", doing=quote_words("reading"))
        found = understand(answer).data
        assert isinstance(found, dict)
        return found

    yield STATUS, client.status()
    public = client._http.send(
        "GET",
        "/ocs/v2.php/cloud/capabilities",
        doing=quote_words("reading"),
        params={"format": "json"},
        anonymous=True,
    )
    yield CAPABILITIES, understand(public).data
    yield ACCOUNT, as_administrator("/cloud/user")
    yield APP, as_administrator("/cloud/apps/user_oidc")
    for provider in client.providers():
        yield PROVIDER, provider
    in_file = configuration(engine, container)
    yield FILE, in_file
    of_app = in_file.get("user_oidc", {})
    assert isinstance(of_app, dict)
    yield OF_THE_APP, of_app
