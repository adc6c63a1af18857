"""The connector of groups of knowledge stacks.

A group is ours by its mark, an attribute that names the component, never by its name. The wanted
members are complete: others are removed. See docs/systems/identity-provider.md#groups.
"""

from collections.abc import Callable
from typing import Any, ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.client.answers import OUR_FAULT
from workspace_manager.systems.identity_provider.client.groups import (
    GROUP,
    GroupClient,
    group_mark,
)
from workspace_manager.systems.identity_provider.client.token import SYSTEM
from workspace_manager.systems.identity_provider.client.users import UserClient
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import GROUP_MARK
from workspace_manager.systems.identity_provider.realm.profile import names_in


class GroupConnector:
    """The connector of one group. Target: `{"group", "mark"}`; state: `{"members": [sub, …]}`, or
    None (deleted).
    """

    kind: ClassVar[str] = GROUP
    calls: ClassVar[CallPolicy] = CallPolicy()

    def __init__(
        self, client: GroupClient, users: UserClient, prove_rights: Callable[[], Evidence]
    ) -> None:
        self._client = client
        self._users = users
        self._prove_rights = prove_rights

    # --- the four verbs ---------------------------------------------------------------------------

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the group. Raises Conflict if it has to be made and its name belongs to a group
        without our mark.
        """
        group = self._look(target, making=want is not None)
        before: Facts | None = None
        if group:
            before = {"members": [*self._members(group, want or {})]}
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Make the group unless it exists, then add and remove members."""
        wished = set(names_in(change.after or {}, "members"))
        group = self._look(change.target, making=True)
        group_id = str(group["id"]) if group else self._make(change.target)
        there = set(self._client.members(group_id))
        moved = [self._moved(self._client.join, sub, group_id) for sub in sorted(wished - there)]
        moved += [self._moved(self._client.leave, sub, group_id) for sub in sorted(there - wished)]
        return ALREADY if group and not any(moved) else CHANGED

    def remove(self, change: Change) -> Outcome:
        """Delete the group. One with this name but without our mark is somebody else's and
        stays.
        """
        group = self._look(change.target)
        if group is None:
            return ALREADY
        try:
            self._client.delete_group(str(group["id"]))
        except NotFound:
            if self._look(change.target) is None:
                return ALREADY
            raise _not_ours(message("deleting_group"), message("shown_and_not_there")) from None
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again: deleted, or with exactly these members."""
        group = self._look(change.target)
        asked = message("group_by_name")
        if change.after is None:
            return None if group else Evidence.now(SYSTEM, asked, message("no_such_group"))
        wished = names_in(change.after, "members")
        if group is None or self._members(group, change.after) != sorted(wished):
            return None
        return Evidence.now(
            SYSTEM, message("group_and_members"), message("members_as_wished", n=len(wished))
        )

    # --- looking ----------------------------------------------------------------------------------

    def _look(self, target: Target, *, making: bool = False) -> dict[str, Any] | None:
        """Return the group with this name *and* mark. `making`: a name without our mark is a
        Conflict.
        """
        name, mark = target["group"], target["mark"]
        if not mark or not name or "/" in name:
            # A slash separates the names of a path, so such a name means more than one group.
            raise Invalid(
                message("no_group_name"),
                kind=GROUP,
                doing=message("looking_for_group"),
                advice=OUR_FAULT,
            )
        group = self._client.find_group(name)
        if group is None or group_mark(group, GROUP_MARK) == mark:
            return group
        if making:
            raise _not_ours(message("creating_group"), message("group_without_mark"))
        return None

    def _members(self, group: dict[str, Any], want: Facts) -> list[str]:
        """Return the sorted members. A wanted member whose user is missing counts as present:
        nobody can add them, or sign in as them.
        """
        there = set(self._client.members(str(group["id"])))
        missing = set(names_in(want, "members")) - there
        gone = {sub for sub in missing if self._is_gone(sub)}
        if gone:
            self._prove_rights()
        return sorted(there | gone)

    def _is_gone(self, sub: str) -> bool:
        try:
            self._users.get_user(sub, kind=GROUP)
        except NotFound:
            return True
        return False

    # --- acting -----------------------------------------------------------------------------------

    def _make(self, target: Target) -> str:
        try:
            return self._client.create_group(target["group"], {GROUP_MARK: target["mark"]})
        except Conflict:
            # An earlier attempt of ours may have made it between our look and this call.
            if (group := self._look(target, making=True)) is None:
                raise
            return str(group["id"])

    def _moved(self, move: Callable[[str, str], None], sub: str, group_id: str) -> bool:
        """Return whether the move changed something. A missing user is in no group, once our rights
        were proven.
        """
        try:
            move(sub, group_id)
        except NotFound:
            self._prove_rights()
            return False
        return True


def _not_ours(doing: Message, detail: Message) -> Conflict:
    return Conflict(detail, kind=GROUP, doing=doing, advice=message("group_left_alone"))
