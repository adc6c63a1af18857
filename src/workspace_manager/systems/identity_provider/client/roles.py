"""Calls about a client's service account and its roles of realm-management.

See docs/systems/identity-provider.md#a-service-account.
"""

from collections.abc import Iterable
from typing import Any

from workspace_manager.contract.answer import segment
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.client.answers import (
    CLIENT_ABSENT,
    OUR_FAULT,
    document,
    documents,
)
from workspace_manager.systems.identity_provider.client.realm import REALM, RealmClient
from workspace_manager.systems.identity_provider.client.users import Wire
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import MANAGEMENT


class RoleClient:
    """The calls about the roles of a service account."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._realm = RealmClient(wire)

    def held_roles(self, internal_id: str) -> list[str]:
        """Return the names of the administrative roles of the client's service account. Raises
        NotFound without a service account.
        """
        doing = message("reading_roles")
        answer = self._wire.send("GET", self._mappings(internal_id, doing), doing=doing, kind=REALM)
        return sorted(str(role.get("name")) for role in documents(answer))

    def give_roles(self, internal_id: str, names: Iterable[str]) -> None:
        """Add administrative roles to the client's service account; its other roles stay. Raises
        Invalid for unknown ones.
        """
        doing = message("giving_roles")
        path = f"{self._wire.realm}/clients/{self._management(doing)}/roles"
        known = {
            str(role.get("name")): role
            for role in documents(self._wire.send("GET", path, doing=doing, kind=REALM))
        }
        wanted = list(names)
        if missing := [name for name in wanted if name not in known]:
            raise Invalid(
                message("no_such_roles", missing=", ".join(missing)),
                kind=REALM,
                doing=doing,
                advice=OUR_FAULT,
            )
        self._wire.send(
            "POST", self._mappings(internal_id, doing), doing=doing, kind=REALM, ok=(204,),
            body=[known[name] for name in wanted],
        )  # fmt: skip

    def _mappings(self, internal_id: str, doing: Message) -> str:
        tail = segment(internal_id, kind=REALM, doing=doing)
        path = f"{self._wire.realm}/clients/{tail}/service-account-user"
        user: dict[str, Any] = document(
            self._wire.send("GET", path, doing=doing, kind=REALM, absent=CLIENT_ABSENT)
        )
        who = segment(str(user.get("id") or ""), kind=REALM, doing=doing)
        return f"{self._wire.users}/{who}/role-mappings/clients/{self._management(doing)}"

    def _management(self, doing: Message) -> str:
        client = self._realm.find_client(MANAGEMENT)
        return segment(str((client or {}).get("id") or ""), kind=REALM, doing=doing)
