"""The hub's list of users is read to its end, or said not to be."""

from typing import Any

import pytest

from tests.systems.notebook_hub.test_checks import find_finding
from tests.systems.notebook_hub.test_named_servers import spawned
from tests.systems.whole_inventory import everything
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.errors import Invalid
from workspace_manager.systems.notebook_hub import SYSTEM
from workspace_manager.systems.notebook_hub.client import users as client_users
from workspace_manager.systems.notebook_hub.client.calls import Client
from workspace_manager.systems.notebook_hub.client.users import all_users

KIND = "notebook_hub.container"
NAMES = [f"user-{n}" for n in range(7)]


class Listing:
    """A hub that gives these pages, by where each begins, and this count."""

    def __init__(self, pages: dict[int, list[Any]], total: int) -> None:
        self.pages, self.total, self.asked = pages, total, list[int]()

    def users(self, offset: int) -> tuple[list[object], int]:
        self.asked.append(offset)
        return self.pages.get(offset, []), self.total


def read(monkeypatch: pytest.MonkeyPatch, listing: Listing, size: int = 3) -> tuple[list[str], Any]:
    monkeypatch.setattr(client_users, "PAGE", size)
    client = Client("http://hub/hub/api", None)
    monkeypatch.setattr(client, "users", listing.users)
    users, odd = all_users(client)
    return [one.name for one in users], odd


def rows(*names: str) -> list[Any]:
    return [{"name": name, "servers": {}} for name in names]


def test_a_page_that_is_shorter_than_asked_for_is_not_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The hub has a limit of its own, and leaves out users whom it cannot show."""
    listing = Listing({0: rows("a", "b"), 2: rows("c"), 3: rows("d", "e", "f"), 6: rows("g")}, 7)
    assert read(monkeypatch, listing) == (list("abcdefg"), [])


def test_a_page_that_brings_nothing_new_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    listing = Listing(dict.fromkeys(range(100), rows("a", "b", "c")), 30)
    with pytest.raises(Invalid):
        read(monkeypatch, listing)
    assert len(listing.asked) < 12


def test_one_odd_entry_is_named_and_the_rest_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    odd: list[Any] = [*rows("a"), {"name": 7}, *rows("c")]
    assert read(monkeypatch, Listing({0: odd, 3: rows("d")}, 4)) == (["a", "c", "d"], [2])


def test_all_users_are_counted_by_the_check_page_by_page(world: Any) -> None:
    world.hub.api.page_size = 2
    for name in NAMES:
        world.hub.add_user(name)
    assert "7 users" in find_finding(world, "users of the hub").text
    world.hub.add_user("Bob")
    finding = find_finding(world, "users of the hub")
    assert finding.severity is Severity.WARNING
    assert "Bob" in finding.text


def test_an_odd_user_is_a_warning_that_says_where(
    world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "users", Listing({0: [7, *rows("ada")]}, 2).users)
    finding = find_finding(world, "users of the hub")
    assert finding.severity is Severity.WARNING
    assert "place 1" in finding.text
    kept = everything(SYSTEM, world.connected())[KIND, "/hub/api/users#1"].kept
    assert kept
    assert "all others were compared" in kept.english


def test_servers_under_other_names_are_listed_by_the_hub(world: Any) -> None:
    world.hub.api.page_size = 1
    spawned(world, "seen", "ada")
    world.hub.prefix = "nb-"
    elsewhere = [spawned(world, "lab", name) for name in ("anna", "Bob")]
    listed = everything(SYSTEM, world.connected())
    anna, bob = (listed[KIND, name] for name in elsewhere)
    assert (anna.username, anna.open, anna.kept) == ("anna", True, None)
    assert bob.username == ""
    assert bob.kept, "no sign-in leads there"
    assert listed[KIND, "jupyter-ada--seen"].username == "ada"


@pytest.mark.parametrize(
    ("scopes", "name", "severity", "said"),
    [
        (("delete:servers", "read:servers"), "users of the hub", Severity.WARNING, "may not list"),
        # notebook_hub.servers_are_not_shown
        (("delete:servers",), "servers of each person", Severity.FAILING, "does not show"),
        (("read:servers!group=a",), "servers of each person", Severity.FAILING, "some users only"),
        (("delete:servers!user=a",), "token", Severity.FAILING, "some users only"),
    ],
)
def test_what_the_token_does_not_show_is_said(
    world: Any, scopes: tuple[str, ...], name: str, severity: Severity, said: str
) -> None:
    world.hub.scopes = scopes
    finding = find_finding(world, name)
    assert finding.severity is severity
    assert said in finding.text
    assert finding.remedy


def test_what_is_not_seen_without_token_or_engine_is_said(world: Any) -> None:
    assert "is not found" in find_finding(world, "servers of each person", with_api=False).text
    finding = find_finding(world, "container manager", with_engine=False)
    assert finding.severity is Severity.WARNING
    assert "has forgotten" in finding.text


def test_containers_that_would_only_be_shown_are_found_before(world: Any) -> None:
    spawned(world, "lab", image="our-own:1")
    finding = find_finding(world, "owners of containers")
    assert finding.severity is Severity.FAILING
    assert "our-own:1" in finding.text
    assert (
        find_finding(world, "owners of containers", notebook_images="our-own").severity
        is Severity.OK
    )


def test_a_variable_alone_proposes_nobody(world: Any) -> None:
    """Whoever makes a container could have somebody's removal stop another one's."""
    spawned(
        world, "lab", "ada", image="sandbox/notebook", Labels={"workspace.manager.component": "x"}
    )
    listed = everything(SYSTEM, world.connected(with_api=False))[KIND, "jupyter-ada--lab"]
    assert listed.username == ""
    assert listed.kept
