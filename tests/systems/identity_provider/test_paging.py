"""Lists of the realm that come in short pages, as a directory with deleted entries gives them."""

from collections.abc import Callable
from typing import Any, cast

import httpx
import pytest

from tests.systems.identity_provider.wire import USERS, Server
from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.systems.identity_provider import SYSTEM, inventory
from workspace_manager.systems.identity_provider.client.administrators import AdministratorClient
from workspace_manager.systems.identity_provider.client.groups import GroupClient
from workspace_manager.systems.identity_provider.client.listing import ListingClient
from workspace_manager.systems.identity_provider.client.realm import RealmClient
from workspace_manager.systems.identity_provider.client.users import Wire

REALM = USERS.removesuffix("/users")
SIZE = 10
ROLES = f"{REALM}/clients/realm-management/roles"
Document = dict[str, Any]


def users(n: int) -> list[Document]:
    return [{"id": f"id-{i:03}", "username": f"ada{i:03}", "enabled": True} for i in range(n)]


def clients(n: int) -> list[Document]:
    mark = {"workspace.component": "mark"}
    return [{"id": f"c{i}", "clientId": f"stack{i:03}", "attributes": mark} for i in range(n)]


def groups(n: int) -> list[Document]:
    return [{"id": f"g{i}", "name": f"stack{i:03}-user"} for i in range(n)]


class Dripping:
    """A realm that counts these entries of each list off, and leaves some out of their pages."""

    def __init__(self, hidden: set[int] | None = None) -> None:
        self.hidden = hidden or set()
        self.lists: dict[str, list[Any]] = {}
        self.same = False
        """It answers each page with the first."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        path, query = request.url.raw_path.decode().partition("?")[0], request.url.params
        if path.endswith("/count"):
            n = len(self.lists[path.removesuffix("/count")])
            return httpx.Response(200, json={"count": n} if "/groups" in path else n)
        if path == ROLES:
            return httpx.Response(200, json=[{"name": "manage-users"}])
        if "clientId" in query:
            return httpx.Response(
                200, json=[{"id": query["clientId"], "clientId": query["clientId"]}]
            )
        first = 0 if self.same else int(query.get("first", 0))
        there = list(enumerate(self.lists.get(path, [])))[first : first + int(query["max"])]
        return httpx.Response(200, json=[one for n, one in there if n not in self.hidden])


class Connected:
    def __init__(self, realm: Dripping) -> None:
        self.server = Server(realm)
        self.wire: Wire = self.server.users.wire
        self.listing = ListingClient(self.wire)


def read(system: Connected, part: str) -> list[InventoryEntry]:
    """All of one part of what the realm holds."""
    lister = SYSTEM.lister()
    assert lister
    found: dict[str, InventoryEntry] = {}
    cursor = part
    for _ in range(100):
        page = lister(cast(System, system), cursor)
        found |= {one.name: one for one in page.listed}
        cursor = page.next
        if cursor.partition(":")[0] != part:
            return list(found.values())
    raise AssertionError("it has no end")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("USERS", "GROUPS", "CLIENTS"):
        monkeypatch.setattr(inventory, name, SIZE)


PARTS = {
    "users": (USERS, users),
    "groups": (f"{REALM}/groups", groups),
    "clients": (f"{REALM}/clients", clients),
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("hidden", [{3}, {3, 4, 15}], ids=["one", "three"])
def test_what_lies_behind_a_short_page_is_read(part: str, hidden: set[int]) -> None:
    path, make = PARTS[part]
    realm = Dripping(hidden)
    realm.lists[path] = make(47)
    assert len(read(Connected(realm), part)) == 47 - len(hidden)


@pytest.mark.parametrize("part", ["users", "groups"])
def test_what_is_counted_behind_an_empty_page_is_read(part: str) -> None:
    path, make = PARTS[part]
    realm = Dripping(set(range(8, 33)))
    realm.lists[path] = make(47)
    assert len(read(Connected(realm), part)) == 47 - 25


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("shown", [SIZE, SIZE - 1])
def test_a_page_that_brings_nothing_new_is_no_list(part: str, shown: int) -> None:
    """A proxy that keeps the first answer for all of them."""
    path, make = PARTS[part]
    realm = Dripping({shown})
    realm.lists[path] = make(47)
    realm.same = True
    with pytest.raises(Invalid, match="brings nothing new"):
        read(Connected(realm), part)


WHOLE: dict[str, tuple[str, Callable[[Wire], int]]] = {
    "members": (f"{REALM}/groups/g1/members", lambda wire: len(GroupClient(wire).members("g1"))),
    "clients": (f"{REALM}/clients", lambda wire: len(RealmClient(wire).all_clients())),
    "administrators": (
        f"{ROLES}/manage-users/users",
        lambda wire: len(AdministratorClient(wire).ids() or ()),
    ),
}


@pytest.mark.parametrize("listed", WHOLE)
def test_a_list_that_is_read_at_once_goes_on_behind_a_short_page(listed: str) -> None:
    path, read_it = WHOLE[listed]
    realm = Dripping({30})
    realm.lists[path] = clients(250) if listed == "clients" else users(250)
    assert read_it(Connected(realm).wire) == 249


@pytest.mark.parametrize("listed", WHOLE)
def test_a_list_that_is_read_at_once_and_repeats_itself_is_a_failure(listed: str) -> None:
    path, read_it = WHOLE[listed]
    realm = Dripping()
    realm.lists[path] = clients(250) if listed == "clients" else users(250)
    realm.same = True
    with pytest.raises(Invalid, match="brings nothing new"):
        read_it(Connected(realm).wire)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("odd", [{"id": "odd-one", "email": 7}, {"a": 1}, 7])
def test_one_odd_entry_is_named_and_hides_none_of_the_others(part: str, odd: Any) -> None:
    path, make = PARTS[part]
    realm = Dripping()
    realm.lists[path] = [*make(4), odd]
    found = read(Connected(realm), part)
    assert len(found) == 5
    (named,) = (one for one in found if one.kept and "unknown form" in one.kept.english)
    assert named.name == (odd["id"] if isinstance(odd, dict) and "id" in odd else "#5")


def test_a_reading_goes_on_in_another_process() -> None:
    realm = Dripping({3})
    realm.lists[USERS] = users(47)
    lister = SYSTEM.lister()
    assert lister
    found: set[str] = set()
    cursor = "users"
    while cursor.partition(":")[0] == "users":
        page = lister(cast(System, Connected(realm)), cursor)
        found |= {one.name for one in page.listed}
        cursor = page.next
    assert len(found) == 46
