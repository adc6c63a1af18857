"""Calls about administrators of the realm, who have a role of their own or of a group. Composite
roles are not followed: a person who has a role only through another one is missed.
"""

from collections.abc import Iterator
from typing import Any

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import Denied
from workspace_manager.systems.identity_provider.client.answers import documents
from workspace_manager.systems.identity_provider.client.groups import GroupClient
from workspace_manager.systems.identity_provider.client.paging import Pages, read_whole_list
from workspace_manager.systems.identity_provider.client.realm import REALM, RealmClient
from workspace_manager.systems.identity_provider.client.users import Wire
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import MANAGEMENT, MASTER


class AdministratorClient:
    """The calls about who administers the realm."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._groups = GroupClient(wire)

    def ids(self) -> frozenset[str] | None:
        """Return their ids; None if they are hidden from us."""
        try:
            return frozenset(self._ids())
        except Denied:
            return None

    def _ids(self) -> Iterator[str]:
        for role in self._roles():
            yield from (str(user.get("id")) for user in self._all(f"{role}/users"))
            for group in self._all(f"{role}/groups"):
                yield from self._groups.members(str(group.get("id")))

    def _roles(self) -> Iterator[str]:
        """Yield the path of each administrative role."""
        realm, doing = self._wire.settings.realm, message("listing_administrators")
        if realm == MASTER:
            yield f"{self._wire.realm}/roles/admin"
        client = RealmClient(self._wire).find_client(
            f"{realm}-realm" if realm == MASTER else MANAGEMENT
        )
        if client is None:
            return
        owner = segment(str(client.get("id") or ""), kind=REALM, doing=doing)
        roles = f"{self._wire.realm}/clients/{owner}/roles"
        for role in documents(self._wire.send("GET", roles, doing=doing, kind=REALM)):
            yield f"{roles}/{segment(str(role.get('name') or ''), kind=REALM, doing=doing)}"

    def _all(self, path: str) -> Iterator[dict[str, Any]]:
        doing, brief = message("listing_administrators"), {"briefRepresentation": "true"}
        yield from read_whole_list(Pages(self._wire, path, doing, REALM, query=brief))
