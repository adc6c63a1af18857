"""The hub's stand-in: sign-in starts a container, a refused identity starts none, the API answers
as JupyterHub's.
"""

import asyncio
import threading
from typing import Any

import httpx
import pytest

from workspace_sandbox.routes import NOT_SERVED

CONTAINER = "jupyter-john-2edoe"
TOKEN = {"Authorization": "token canary-token-77"}


def browser_of(world: Any) -> httpx.Client:
    return httpx.Client(base_url=world.hub.url, follow_redirects=True)


def test_signing_in_starts_the_notebook(world: Any) -> None:
    with browser_of(world) as browser:
        page = browser.get("/")
    assert page.status_code == 200
    assert "runs in container" in page.text
    assert "stand-in" in page.text
    assert world.status(CONTAINER) == "running"
    found = [c for c in world.manager.what_exists()["containers"] if c["name"] == CONTAINER]
    assert found[0]["image"] == "localhost/sandbox/notebook:latest"
    assert found[0]["labels"]["hub.user"] == "john.doe"


def test_a_refused_identity_starts_no_server(world: Any) -> None:
    with browser_of(world) as browser:
        browser.get("/")
        httpx.delete(f"{world.hub.url}/hub/api/users/john.doe/server", headers=TOKEN)
        world.provider.state["removed"] = True
        page = browser.get("/hub/spawn")
        assert page.status_code == 403
        assert world.status(CONTAINER) == "exited"
        assert browser.get("/hub/spawn").status_code == 403


def test_a_stopped_container_is_started_again_as_it_was(world: Any) -> None:
    with browser_of(world) as browser:
        browser.get("/")
        before = world.manager.what_exists()["containers"][0]["id"]
        httpx.delete(f"{world.hub.url}/hub/api/users/john.doe/server", headers=TOKEN)
        assert browser.get("/user/john.doe/").status_code == 503
        assert "runs in container" in browser.get("/hub/spawn").text
    assert world.manager.what_exists()["containers"][0]["id"] == before


def test_a_strange_state_is_refused(world: Any) -> None:
    page = httpx.get(f"{world.hub.url}/hub/oauth_callback?state=x&code=code-1")
    assert page.status_code == 403
    assert world.status(CONTAINER) is None


def test_somebody_elses_notebook_is_not_shown(world: Any) -> None:
    with browser_of(world) as browser:
        browser.get("/")
        assert browser.get("/user/alice/").status_code == 403


def test_a_dead_container_manager_is_said(world: Any) -> None:
    httpx.post(world.manager.control_url + "/settings", json={"engine": "down"})
    with browser_of(world) as browser:
        page = browser.get("/")
    assert page.status_code == 500
    assert "did not start" in page.text


def api(
    world: Any, method: str, path: str, headers: dict[str, str] | None = None
) -> httpx.Response:
    headers = TOKEN if headers is None else headers
    return httpx.request(method, f"{world.hub.url}/hub/api{path}", headers=headers)


@pytest.mark.parametrize("headers", [{}, {"Authorization": "token wrong"}])
def test_api_without_a_good_token(world: Any, headers: dict[str, str]) -> None:
    answer = api(world, "GET", "/users/alice", headers)
    assert (answer.status_code, answer.json()) == (
        403,
        {"status": 403, "message": "Missing or invalid credentials."},
    )
    assert api(world, "GET", "/", headers).json() == {"version": "6.1.1"}


def test_api_scopes(world: Any) -> None:
    world.hub.scopes = ("read:users",)
    world.hub.add_user("alice")
    answer = api(world, "DELETE", "/users/alice/server")
    assert answer.status_code == 403
    assert answer.json()["message"].startswith(
        "Action is not authorized with current scopes; requires any of [delete:servers"
    )


def test_api_users_and_servers(world: Any) -> None:
    with browser_of(world) as browser:
        browser.get("/")
    assert api(world, "GET", "/users/nobody").json() == {"status": 404, "message": None}
    model = api(world, "GET", "/users/john.doe").json()
    assert model["servers"][""]["ready"] is True
    assert api(world, "DELETE", "/users/john.doe/server").status_code == 204
    assert api(world, "DELETE", "/users/john.doe/server").status_code == 204
    assert api(world, "GET", "/users/john.doe").json()["servers"] == {}


def test_a_slow_stop_is_202_then_done(world: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with browser_of(world) as browser:
        browser.get("/")
    released, stop = threading.Event(), world.hub.stop_server

    async def stop_when_released(name: str, server: str) -> None:
        await asyncio.to_thread(released.wait)
        await stop(name, server)

    monkeypatch.setattr(world.hub, "stop_server", stop_when_released)
    world.hub.slow_stop_s = 0
    assert api(world, "DELETE", "/users/john.doe/server").status_code == 202
    assert api(world, "GET", "/users/john.doe").json()["pending"] == "stop"
    released.set()
    while api(world, "GET", "/users/john.doe").json()["pending"]:
        pass
    assert world.status(CONTAINER) == "exited"


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/hub/api/users/alice/server"), ("GET", "/hub/token")]
)
def test_what_nobody_calls_is_not_imitated(world: Any, method: str, path: str) -> None:
    answer = httpx.request(method, world.hub.url + path, headers=TOKEN)
    assert (answer.status_code, answer.json()["type"]) == (501, NOT_SERVED)
