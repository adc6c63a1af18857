"""Calls about people of a directory (LDAP).

A deleted user of a directory is imported again at the next look-up, enabled and under another id. A
disabled one stays disabled (docs/systems/identity-provider.md#people-of-a-directory).
"""

from collections.abc import Mapping
from typing import Any, Final

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import Denied, NotFound
from workspace_manager.systems.identity_provider.client.answers import document, documents
from workspace_manager.systems.identity_provider.client.users import USER, UserClient, attribute
from workspace_manager.systems.identity_provider.messages import message

ENTRY_ATTRIBUTE: Final = "LDAP_ID"
"""The attribute with the directory's own id of the entry."""
COMPONENT_ABSENT: Final = "Could not find component"
COMPONENT: Final = "org.keycloak.storage.UserStorageProvider"
READ_ONLY: Final = "READ_ONLY"


def directory_of(user: Mapping[str, Any]) -> str:
    """Return the id of the directory that the user was imported from; "" for a user of the
    realm.
    """
    link = user.get("federationLink")
    return link if isinstance(link, str) else ""


def entry_of(user: Mapping[str, Any]) -> dict[str, str]:
    """Return the identity of a directory's entry: the directory, and its own id of the entry. {} if
    unknown.
    """
    directory, entry = directory_of(user), attribute(user, ENTRY_ATTRIBUTE)
    return {"directory": directory, "entry": entry} if directory and entry else {}


def is_read_only(component: Mapping[str, Any]) -> bool:
    """Return whether neither a directory nor the realm stores what is written about its people."""
    config = component.get("config") or {}
    return config.get("editMode") == [READ_ONLY] and config.get("enabled") != ["false"]


class DirectoryClient:
    """The calls about people of a directory."""

    def __init__(self, users: UserClient) -> None:
        self._users = users
        self.wire = users.wire

    def name_of(self, directory: str) -> str:
        """Return the realm's name of a directory; its id if the name is hidden from us."""
        return str(self._shown(directory).get("name") or directory)

    def is_read_only(self, directory: str) -> bool:
        """Return whether nothing about its people can be written, as far as that is shown to us."""
        return is_read_only(self._shown(directory))

    def directories(self) -> list[dict[str, Any]]:
        """Return the directories that the realm takes people from."""
        doing = message("looking_at_directory")
        path = f"{self.wire.realm}/components"
        answer = self.wire.send("GET", path, doing=doing, kind=USER, params={"type": COMPONENT})
        return documents(answer)

    def _shown(self, directory: str) -> dict[str, Any]:
        doing = message("looking_at_directory")
        path = f"{self.wire.realm}/components/{segment(directory, kind=USER, doing=doing)}"
        try:
            answer = self.wire.send("GET", path, doing=doing, kind=USER, absent=COMPONENT_ABSENT)
        except (Denied, NotFound):
            return {}
        return document(answer)

    def find_again(self, username: str, entry: Mapping[str, str]) -> dict[str, Any] | None:
        """Return the user with this name and exactly that entry, imported again under another id;
        the name alone proves nothing.
        """
        user = self._users.find_user(username) if entry.get("entry") else None
        same = user is not None and entry_of(user).items() <= dict(entry).items()
        return user if user and entry_of(user) and same else None
