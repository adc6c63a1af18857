"""The identity provider's wire: users, groups and clients of the realm, a page at a time.

An empty page is believed only after something was shown to us: to whoever may query and not view,
each list is empty with 200 (docs/systems/identity-provider.md#listing-everything).
"""

from collections.abc import Mapping
from typing import Any, Final

from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.client import USER, UserClient, Wire
from workspace_manager.systems.identity_provider.client_administrators import AdministratorClient
from workspace_manager.systems.identity_provider.client_answers import documents, user_document
from workspace_manager.systems.identity_provider.client_groups import GROUP, GroupClient
from workspace_manager.systems.identity_provider.client_realm import (
    LISTING,
    REALM,
    RealmClient,
)
from workspace_manager.systems.identity_provider.messages import message

Document = dict[str, Any]
WHOLE: Final[Mapping[str, str]] = {"briefRepresentation": "false"}
"""With attributes: our mark is one."""


class ListingClient:
    """The calls that list everything."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._administrators: list[frozenset[str] | None] = []

    def administrators(self, *, again: bool) -> frozenset[str] | None:
        """The ids of who administers the realm, None where that is not shown to us: read once, and
        `again` where a listing begins.
        """
        if again or not self._administrators:
            self._administrators = [AdministratorClient(self.wire).ids()]
        return self._administrators[0]

    def users(self, first: int, most: int) -> list[Document]:
        """Read up to `most` users from the `first` on, by user name, with their attributes. Those
        of service accounts are never among them.
        """
        doing = message("listing_users")
        answer = self._page(self.wire.users, first, most, doing, USER, WHOLE)
        users = [user_document(answer, one) for one in documents(answer)]
        if not users:
            UserClient(self.wire).some_user()
        return users

    def groups(self, first: int, most: int) -> list[Document]:
        """Read up to `most` top groups, by name, with their attributes."""
        doing = message("listing_groups")
        answer = self._page(f"{self.wire.realm}/groups", first, most, doing, GROUP, WHOLE)
        groups = documents(answer)
        if not groups:
            GroupClient(self.wire).some_group()
        return groups

    def members(self, group_id: str) -> list[str]:
        """The ids of everybody in a group."""
        return GroupClient(self.wire).members(group_id)

    def clients(self, first: int, most: int) -> list[Document]:
        """Read up to `most` clients, by client id. Raises Denied when none is shown to us: a realm
        has clients of its own.
        """
        answer = self._page(f"{self.wire.realm}/clients", first, most, LISTING, REALM, {})
        clients = documents(answer)
        if not clients:
            RealmClient(self.wire).some_client()
        return clients

    def _page(
        self,
        path: str,
        first: int,
        most: int,
        doing: Message,
        kind: str,
        more: Mapping[str, str],
    ) -> Any:
        query = {"first": str(first), "max": str(most), **more}
        return self.wire.send("GET", path, doing=doing, kind=kind, params=query)
