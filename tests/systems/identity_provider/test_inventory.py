"""The realm's inventory: at the stand-in, and from answers that are no list."""

from typing import Any, cast

import httpx
import pytest

from tests.systems.identity_provider.life_of_inventory import InventoryLife
from tests.systems.identity_provider.provider_under_test import name
from tests.systems.identity_provider.test_life import provider, stand_in
from tests.systems.identity_provider.wire import HTML, SETTINGS, SUB, Server, says
from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Invalid, Unavailable
from workspace_manager.systems.identity_provider import SYSTEM
from workspace_manager.systems.identity_provider.client.administrators import AdministratorClient
from workspace_manager.systems.identity_provider.client.listing import ListingClient

__all__ = ["name", "provider", "stand_in"]


class TestStandIn(InventoryLife):
    """A realm that was set up."""


class Answering:
    """A connected system that has nothing but its list."""

    def __init__(self, answer: httpx.Response) -> None:
        self.server = Server(answer)
        self.listing = ListingClient(self.server.users.wire)


def read(system: Answering, cursor: str = "") -> Any:
    lister = SYSTEM.lister()
    assert lister
    return lister(cast(System, system), cursor)


@pytest.mark.parametrize("cursor", ["", "users:500", "groups", "clients:100"])
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (HTML, Invalid),
        (httpx.Response(200), Invalid),
        (httpx.Response(200, json={}), Invalid),
        (httpx.Response(200, json=[1]), Invalid),
        (says(503), Unavailable),
    ],
)
def test_an_answer_that_is_no_list_is_never_nothing(
    cursor: str, answer: httpx.Response, error: type[Exception]
) -> None:
    with pytest.raises(error):
        read(Answering(answer), cursor)


def test_whom_we_sign_in_as_is_kept() -> None:
    admin = {"id": SUB, "username": SETTINGS.admin_username, "enabled": True}
    (only,) = read(Answering(httpx.Response(200, json=[admin]))).listed
    assert only.kept
    assert (only.email, only.email_confirmed, only.full_name) == ("", False, "")


def test_a_cursor_of_another_version_begins_again() -> None:
    system = Answering(httpx.Response(200, json=[{"id": SUB, "username": "ada"}]))
    assert [one.username for one in read(system, "people:7").listed] == ["ada"]
    assert dict(system.server.calls[0].url.params)["first"] == "0"


def test_a_realm_that_does_not_show_its_administrators_says_so_and_is_read_on() -> None:
    system = Answering(httpx.Response(200, json=[{"id": SUB, "username": "ada", "enabled": True}]))
    system.listing.administrators = lambda *, again: None  # type: ignore[method-assign]
    (only,) = read(system).listed
    assert only.kept is None
    assert "does not show who" in only.seen.english


def test_a_refusal_is_no_list_without_administrators() -> None:
    assert AdministratorClient(Server(says(403)).users.wire).ids() is None
