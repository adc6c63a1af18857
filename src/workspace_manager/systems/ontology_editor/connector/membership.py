"""The connector of members of ontology projects. The editor changes members and never lists them,
so nothing can be read back.

Therefore a look is UNKNOWN, and a wanted change is always sent: it replaces, and a repetition is
harmless. This process remembers the last accepted change for a while; `verify` has no other
evidence.
"""

import threading
import time
from collections import defaultdict
from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    UNKNOWN,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
    Unknown,
)
from workspace_manager.contract.errors import Conflict, Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.ontology_editor import names
from workspace_manager.systems.ontology_editor.client.calls import (
    CALLS,
    KIND_MEMBERSHIP,
    OntologyEditorClient,
)
from workspace_manager.systems.ontology_editor.messages import message
from workspace_manager.systems.ontology_editor.shapes import Project

REMEMBERED_S = 600.0
"""Seconds for which an accepted change is its own evidence; older ones are made again."""

Key = tuple[str, str, str]
_accepted: dict[Key, tuple[float, str | None]] = {}
_locks: defaultdict[Key, threading.Lock] = defaultdict(threading.Lock)
"""One writer per person and project: the editor deletes and inserts, and two at once end in 500.

See docs/systems/ontology-editor.md#trash-and-members.
"""


class MembershipConnector:
    """The connector of access to projects. Target: {"project_id", "user"}; state: {"permission":
    "EDIT"} or None. The owner is never changed.
    """

    kind: ClassVar[str] = KIND_MEMBERSHIP
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, client: OntologyEditorClient, own: str = "") -> None:
        """`own`: the account of our key, if known."""
        self._client = client
        self._own = own

    def plan(self, target: Target, want: Facts | None) -> Change:
        found = self._look(target)
        before: Facts | None | Unknown = UNKNOWN
        if found is None:
            before = None
        elif found.owner == target["user"]:
            # The owner's access cannot be changed there, so every wanted state is fulfilled.
            before = want
        return Change(kind=self.kind, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Give the permission. The owner has all permissions already."""
        target, permission = change.target, _permission(change.after)
        self._refuse_own(target["user"], message("giving_access"))
        found = self._look(target)
        if found is None:
            raise NotFound(
                message("project_not_there"),
                kind=self.kind,
                doing=message("giving_access"),
                advice=_ADVICE_UNLINK,
            )
        if found.owner == target["user"]:
            return ALREADY
        if found.in_trash:
            raise Conflict(
                message("project_in_trash"),
                kind=self.kind,
                doing=message("giving_access"),
                advice=_ADVICE_UNLINK,
            )
        self._refuse_guests(target["user"])
        with _locks[self._key(target)]:
            self._client.grant(target["project_id"], target["user"], permission)
            return self._remember(target, permission)

    def remove(self, change: Change) -> Outcome:
        """Remove the permission, even in the trash: a project there can still be used and
        restored.
        """
        target = change.target
        self._refuse_own(target["user"], message("taking_access"))
        found = self._look(target)
        if found is None or found.owner == target["user"] or names.is_guest_like(target["user"]):
            return ALREADY
        with _locks[self._key(target)]:
            try:
                self._client.revoke(target["project_id"], target["user"])
            except NotFound as gone:
                if self._look(target) is None:
                    return ALREADY
                raise Conflict(
                    message("members_not_changed"),
                    kind=self.kind,
                    doing=message("taking_access"),
                    advice=message("files_were_removed"),
                ) from gone
            return self._remember(target, None)

    def verify(self, change: Change) -> Evidence | None:
        target = change.target
        found = self._look(target)
        if found is None:
            if change.after is not None:
                return None
            return _evidence(message("no_project_no_member", project_id=target["project_id"]))
        if found.owner == target["user"]:
            return _evidence(message("owns_project", user=target["user"]))
        if change.after is None and names.is_guest_like(target["user"]):
            return _evidence(message("guest_is_no_member", user=target["user"]))
        wished = _permission(change.after) if change.after is not None else None
        at, accepted = _accepted.get(self._key(target), (float("-inf"), None))
        if time.monotonic() - at > REMEMBERED_S or accepted != wished:
            return None
        if wished:
            done = message("accepted_giving", user=target["user"], permission=wished)
        else:
            done = message("accepted_taking", user=target["user"])
        return _evidence(done)

    # --- parts ------------------------------------------------------------------------------------

    def _look(self, target: Target) -> Project | None:
        try:
            return self._client.project(target["project_id"])
        except NotFound:
            return None

    def _key(self, target: Target) -> Key:
        return (self._client.url, target["project_id"], target["user"])

    def _remember(self, target: Target, permission: str | None) -> Outcome:
        """Remember an accepted change. A repetition is ALREADY, although it was sent, because
        nobody can see whether it was needed.
        """
        now, key = time.monotonic(), self._key(target)
        for old in [old for old, (at, _) in _accepted.items() if now - at > REMEMBERED_S]:
            del _accepted[old]
        again = key in _accepted and _accepted[key][1] == permission
        _accepted[key] = (now, permission)
        return ALREADY if again else CHANGED

    def _refuse_own(self, account: str, doing: Message) -> None:
        """Raise Conflict for our own account: without its rights we lose access to the project."""
        if self._own and account == names.account_name(self._own, ""):
            raise Conflict(
                message("own_account", account=account),
                kind=self.kind,
                doing=doing,
                advice=message("own_account.advice"),
            )

    def _refuse_guests(self, account: str) -> None:
        if names.is_guest_like(account) or account != account.strip():
            raise Conflict(
                message("guest_cannot_be_member", account=account),
                kind=self.kind,
                doing=message("giving_access"),
                advice=message("needs_other_name"),
            )


_ADVICE_UNLINK = message("unlink_or_restore")


def _permission(want: Facts | None) -> str:
    """Return the wanted permission. Raises Invalid: the editor would accept a number.

    See docs/systems/ontology-editor.md#trash-and-members.
    """
    permission = (want or {}).get("permission")
    if permission not in names.PERMISSIONS:
        raise Invalid(
            message("not_a_permission", permissions=", ".join(names.PERMISSIONS)),
            kind=KIND_MEMBERSHIP,
            doing=message("reading_wish"),
        )
    return str(permission)


def _evidence(text: Message) -> Evidence:
    return Evidence.now("ontology_editor", message("read_project"), text)
