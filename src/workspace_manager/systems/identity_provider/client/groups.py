"""Calls about groups and their members.

A group is found by its exact name among the top groups: a search also shows the parents of groups
with that name (docs/systems/identity-provider.md#groups).
"""

from typing import Any, Final

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.client.answers import (
    GROUP_ABSENT,
    USER_ABSENT,
    document,
    documents,
    new_id,
    unexpected,
)
from workspace_manager.systems.identity_provider.client.paging import Pages, read_whole_list
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import Wire, attribute
from workspace_manager.systems.identity_provider.messages import message

GROUP: Final = f"{SYSTEM}.group"


class GroupClient:
    """The calls about groups."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def find_group(self, name: str) -> dict[str, Any] | None:
        """Return the top group with exactly this name, with its attributes. Raises Denied if there
        are groups and none is shown to us.

        The request has no pages: a search counts groups before it puts subgroups into their
        parents.
        """
        doing = message("looking_for_group")
        query = {"search": name, "exact": "true", "briefRepresentation": "false"}
        groups = self._groups("", query, doing)
        found = next((group for group in groups if group.get("name") == name), None)
        if found is None:
            self.some_group()
        return found

    def some_group(self) -> dict[str, Any] | None:
        """Return any group, as proof that we see them. Raises Denied if there are some and none is
        shown: with query-groups alone a list is empty and the count is not (seen on Keycloak
        26.7.3).
        """
        doing = message("looking_for_group")
        if groups := self._groups("", {"first": "0", "max": "1"}, doing):
            return groups[0]
        counted = self.wire.send("GET", f"{self.wire.realm}/groups/count", doing=doing, kind=GROUP)
        count = document(counted).get("count")
        if count == 0:
            return None
        if not isinstance(count, int):
            raise unexpected(counted, message("expected_number", shape=counted.shape))
        advice = message("give_view_users", client=self.wire.settings.roles_of)
        raise counted.error(Denied, message("no_group_shown"), advice=advice)

    def create_group(self, name: str, attributes: dict[str, str]) -> str:
        """Make a group and return its id. Raises Conflict for a taken name."""
        body = {"name": name, "attributes": {key: [value] for key, value in attributes.items()}}
        return new_id(
            self.wire.send(
                "POST",
                f"{self.wire.realm}/groups",
                doing=message("creating_group"),
                kind=GROUP,
                ok=(201,),
                body=body,
            )
        )

    def delete_group(self, group_id: str) -> None:
        """Delete a group; its members stay. Raises NotFound the second time."""
        doing = message("deleting_group")
        path = f"{self.wire.realm}/groups/{segment(group_id, kind=GROUP, doing=doing)}"
        self.wire.send("DELETE", path, doing=doing, kind=GROUP, ok=(204,), absent=GROUP_ABSENT)

    def members(self, group_id: str) -> list[str]:
        """Return the ids of all members of a group, page by page, without names and attributes."""
        doing = message("reading_members")
        path = f"{self.wire.realm}/groups/{segment(group_id, kind=GROUP, doing=doing)}/members"
        brief = {"briefRepresentation": "true"}
        everybody = Pages(self.wire, path, doing, GROUP, absent=GROUP_ABSENT, query=brief)
        return sorted(str(user.get("id")) for user in read_whole_list(everybody))

    def join(self, sub: str, group_id: str) -> None:
        """Add a user to a group; a member stays one. Raises NotFound for a missing user."""
        self._membership("PUT", sub, group_id, message("joining_group"))

    def leave(self, sub: str, group_id: str) -> None:
        """Remove a user from a group; others stay out. Raises NotFound for a missing user."""
        self._membership("DELETE", sub, group_id, message("leaving_group"))

    def _membership(self, method: str, sub: str, group_id: str, doing: Message) -> None:
        user, group = (segment(one, kind=GROUP, doing=doing) for one in (sub, group_id))
        path = f"{self.wire.users}/{user}/groups/{group}"
        self.wire.send(method, path, doing=doing, kind=GROUP, ok=(204,), absent=USER_ABSENT)

    def _groups(self, tail: str, query: dict[str, str], doing: Message) -> list[dict[str, Any]]:
        path = f"{self.wire.realm}/groups{tail}"
        answer = self.wire.send(
            "GET", path, doing=doing, kind=GROUP, absent=GROUP_ABSENT, params=query
        )
        return documents(answer)


def group_mark(group: dict[str, Any], name: str) -> str:
    """Return a group's attribute with our mark, or ""."""
    return attribute(group, name) or ""
