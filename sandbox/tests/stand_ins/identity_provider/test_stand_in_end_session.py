"""Signing out at the stand-in: with a hint, with a question, by an administrator, and who
is told.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from aiohttp import web

from tests.systems.identity_provider.stand_in_wire import (
    BACK,
    BYE,
    DRIVE,
    Browser,
    Wire,
    claims,
    clients,
    error_of,
    read_refusal,
    sent_back,
)
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.stand_ins.identity_provider import IdentityProviderStandIn


class Listener(StandIn):
    """A client's back channel: it keeps what it is told."""

    name = "listener"
    product = "Listener"

    def seed(self) -> dict[str, Any]:
        return {"heard": []}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_post("/logout", self._heard)

    async def _heard(self, request: web.Request) -> web.Response:
        form = await request.post()
        self.state["heard"].append(str(form["logout_token"]))
        return web.Response()


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    one = Listener()
    with running(one):
        yield one


@pytest.fixture(scope="module")
def wire(listener: Listener) -> Iterator[Wire]:
    stand_in = IdentityProviderStandIn(clients=clients(f"{listener.url}/logout"))
    with running(stand_in):
        yield Wire(stand_in)


@pytest.fixture
def browser(wire: Wire) -> Browser:
    return Browser(wire)


def logout(browser: Browser, **query: str) -> Any:
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return browser.send("GET", f"/realms/workspace/protocol/openid-connect/logout?{text}")


def test_a_hint_signs_out_at_once_and_the_clients_are_told(
    wire: Wire, browser: Browser, listener: Listener
) -> None:
    user = wire.make("outgoing")
    tokens = browser.exchange(sent_back(browser.sign_in("outgoing"))["code"]).json()
    listener.state["heard"].clear()
    answer = logout(
        browser, id_token_hint=tokens["id_token"], post_logout_redirect_uri=BYE, state="s"
    )
    assert (answer.status_code, answer.headers["location"]) == (302, f"{BYE}?state=s")
    assert "KEYCLOAK_IDENTITY" not in browser.jar
    (heard,) = [claims(token) for token in listener.state["heard"]]
    assert (heard["typ"], heard["sub"], heard["sid"]) == ("Logout", user, tokens["session_state"])
    assert heard["events"] == {"http://schemas.openid.net/event/backchannel-logout": {}}
    assert "nonce" not in heard
    assert read_refusal(wire.refresh(tokens["refresh_token"]))[2] == "Session not active"


def test_without_a_hint_a_person_is_asked(wire: Wire, browser: Browser) -> None:
    wire.make("asked")
    tokens = browser.exchange(sent_back(browser.sign_in("asked"))["code"]).json()
    page = logout(
        browser, client_id="https://manager.example", post_logout_redirect_uri=BYE, state="s"
    )
    assert (page.status_code, error_of(page)) == (200, "Do you want to log out?")
    assert wire.refresh(tokens["refresh_token"]).status_code == 200
    answer = browser.fill(page, confirmLogout="Logout")
    assert (answer.status_code, answer.headers["location"]) == (302, f"{BYE}?state=s")
    assert read_refusal(wire.refresh(tokens["refresh_token"]))[2] == "Session not active"


@pytest.mark.parametrize(
    ("query", "status", "text"),
    [
        ({"post_logout_redirect_uri": BYE}, 400, "Missing parameters: id_token_hint"),
        (
            {"client_id": DRIVE, "post_logout_redirect_uri": "http://evil.example/"},
            400,
            "Invalid redirect uri",
        ),
        ({"client_id": "nobody", "post_logout_redirect_uri": BYE}, 400, "Invalid redirect uri"),
        (
            {"id_token_hint": "x.y.z", "post_logout_redirect_uri": BYE},
            400,
            "Invalid parameter: id_token_hint",
        ),
        ({"client_id": DRIVE}, 200, "Do you want to log out?"),
    ],
)
def test_sign_outs_nobody_vouches_for(
    browser: Browser, query: dict[str, str], status: int, text: str
) -> None:
    page = logout(browser, **query)
    assert (page.status_code, error_of(page)) == (status, text)


def test_without_a_session_a_registered_address_is_reached_at_once(browser: Browser) -> None:
    answer = logout(browser, client_id=DRIVE, post_logout_redirect_uri=f"{BACK}/drive/x", state="s")
    assert (answer.status_code, answer.headers["location"]) == (302, f"{BACK}/drive/x?state=s")


def test_an_administrators_logout_tells_the_clients_and_a_deletion_tells_nobody(
    wire: Wire, browser: Browser, listener: Listener
) -> None:
    user = wire.make("ended")
    wire.password("ended")
    listener.state["heard"].clear()
    wire.admin("POST", f"users/{user}/logout")
    assert len(listener.state["heard"]) == 1
    wire.password("ended")
    wire.admin("DELETE", f"users/{user}")
    assert len(listener.state["heard"]) == 1


def test_whoever_asks_for_json_gets_no_page(wire: Wire) -> None:
    asked = {"client_id": "nosuch", "post_logout_redirect_uri": "http://elsewhere.example/"}
    answer = wire.oidc("GET", "logout", params=asked, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()) == (400, {"error": "Invalid redirect uri"})
    page = wire.oidc("GET", "logout", params=asked, headers={"Accept": "*/*"})
    assert page.headers["content-type"] == "text/html;charset=utf-8"
