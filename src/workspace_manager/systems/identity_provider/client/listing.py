"""Calls that list the realm's users, groups and clients, a page at a time.

An empty page counts only after something was shown: an account that may query and not view gets
empty lists with 200 (docs/systems/identity-provider.md#listing-everything).
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from workspace_manager.contract.answer import Answer
from workspace_manager.systems.identity_provider.client.administrators import AdministratorClient
from workspace_manager.systems.identity_provider.client.answers import Odd, each_document
from workspace_manager.systems.identity_provider.client.groups import GROUP, GroupClient
from workspace_manager.systems.identity_provider.client.paging import PagedLists, Pages
from workspace_manager.systems.identity_provider.client.realm import (
    LISTING,
    REALM,
    RealmClient,
)
from workspace_manager.systems.identity_provider.client.users import USER, UserClient, Wire
from workspace_manager.systems.identity_provider.messages import message

Document = dict[str, Any]
Listed: TypeAlias = tuple[list[Document | Odd], int | None]
"""The entries of a page, and the start of the next one; None after the last."""
WHOLE: Final[Mapping[str, str]] = {"briefRepresentation": "false"}
"""With attributes, of which our mark is one."""


class ListingClient:
    """The calls that list everything."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self._administrators: list[frozenset[str] | None] = []
        self._parts = PagedLists()

    def administrators(self, *, again: bool) -> frozenset[str] | None:
        """Return the ids of the realm's administrators; None if they are hidden from us. They are
        read once, and `again` at the start of a listing.
        """
        if again or not self._administrators:
            self._administrators = [AdministratorClient(self.wire).ids()]
        return self._administrators[0]

    def users(self, first: int, most: int) -> Listed:
        """Return up to `most` users from the `first` on, by user name, with their attributes. Users
        of service accounts are never among them.
        """
        path, doing = self.wire.users, message("listing_users")
        pages = Pages(self.wire, path, doing, USER, query=WHOLE, counted=f"{path}/count")
        found = self._parts.page(pages, first, most, _users)
        if not found[0]:
            UserClient(self.wire).some_user()
        return found

    def groups(self, first: int, most: int) -> Listed:
        """Return up to `most` top groups, by name, with their attributes."""
        path, doing, top = f"{self.wire.realm}/groups", message("listing_groups"), {"top": "true"}
        count = f"{path}/count"
        pages = Pages(self.wire, path, doing, GROUP, query=WHOLE, counted=count, counting=top)
        found = self._parts.page(pages, first, most, _groups)
        if not found[0]:
            GroupClient(self.wire).some_group()
        return found

    def members(self, group_id: str) -> list[str]:
        """Return the ids of all members of a group."""
        return GroupClient(self.wire).members(group_id)

    def clients(self, first: int, most: int) -> Listed:
        """Return up to `most` clients, by client id. Raises Denied if none is shown to us: a realm
        has clients of its own.
        """
        pages = Pages(self.wire, f"{self.wire.realm}/clients", LISTING, REALM)
        found = self._parts.page(pages, first, most, _clients)
        if not found[0]:
            RealmClient(self.wire).some_client()
        return found


def _users(answer: Answer) -> list[Document | Odd]:
    return each_document(answer, "id", "username")


def _groups(answer: Answer) -> list[Document | Odd]:
    return each_document(answer, "id", "name")


def _clients(answer: Answer) -> list[Document | Odd]:
    return each_document(answer, "clientId")
