"""Groups in Keycloak's realm before an administrator's call, and who is in them."""

import re
from collections.abc import Iterator

from tests.recorded.prior_state_keycloak_caller import Prepare
from tests.recorded.prior_state_keycloak_realm import Doc, RealmBefore, shown_people
from tests.recorded.reading import Exchange
from tests.recorded.sending import Request


def groups_before(exchange: Exchange, tail: str) -> Iterator[tuple[str, Prepare]]:
    """The group of the path, or those that came back, with the people of the path or the answer."""
    person = re.match(r"/users/([^/]+)/groups", tail)
    group = re.search(r"/groups/([^/?]+)", tail) if exchange.status != 404 else None
    if person or group:
        yield "the group and its people as shown", _as_shown(exchange, person, group)
    yield "nothing in particular", lambda _before, request: request


def _as_shown(
    exchange: Exchange, person: re.Match[str] | None, group: re.Match[str] | None
) -> Prepare:
    found = exchange.json()
    shown = [one for one in found if "path" in one] if isinstance(found, list) else []
    groups: list[Doc] = [{"id": group[1], "name": "wiki"}] if group else shown
    people: list[Doc] = [{"id": person[1]}] if person else shown_people(exchange)

    def prepare(before: RealmBefore, request: Request) -> Request:
        members = [before.person(one)["id"] for one in people]
        for one in groups:
            before.realm.groups[one["id"]] = {
                "id": one["id"],
                "name": one["name"],
                "attributes": {},
                "members": members,
            }
        return request

    return prepare
