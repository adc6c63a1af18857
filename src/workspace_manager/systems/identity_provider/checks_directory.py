"""Checks of directories that store nothing about their people: the workspace cannot store a
person's values there.

See docs/systems/identity-provider.md#people-of-a-directory.
"""

from collections.abc import Iterator

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.systems.identity_provider.checks_clients import finding
from workspace_manager.systems.identity_provider.client.directory import (
    DirectoryClient,
    is_read_only,
)
from workspace_manager.systems.identity_provider.client.users import UserClient
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.realm.wants import RealmWants


def directory_findings(users: UserClient, wants: RealmWants) -> Iterator[Finding]:
    """Yield a finding for each. If they are hidden, another check reports that already."""
    try:
        found = DirectoryClient(users).directories()
    except ConnectorError:
        return
    kept = (wants.login_name_attribute, *wants.secret_attributes)
    for one in filter(is_read_only, found):
        name = str(one.get("name") or one.get("id"))
        yield finding(
            message("check_directory", directory=name),
            Severity.FAILING,
            message("directory_keeps_nothing", directory=name, names=", ".join(kept)),
            message("set_unsynced"),
        )
