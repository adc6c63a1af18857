"""A storm of a few people, every time; `workspace-manager storm` plays the long one. And that its
judge is not blind.
"""

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from aiohttp import web

from tests.figures import report
from workspace_sandbox.fault_injection import KINDS, FaultInjection
from workspace_sandbox.patience import PATIENCE_S, eventually
from workspace_sandbox.server import StandIn, running
from workspace_sandbox.storm import ledgers
from workspace_sandbox.storm.ledgers import Observation
from workspace_sandbox.storm.run import Storm

ALICE = {
    "username": "alice",
    "sub": "sub-alice",
    "accounts": [["sql_server.user", "alice"], ["triplestore.user", "alice"]],
}
BOB = {"username": "bob", "sub": "sub-bob", "accounts": []}


@pytest.mark.thorough
def test_a_small_storm(request: pytest.FixtureRequest) -> None:
    outcome = Storm(3, seed=5, late=False, say=lambda _line: None).run()
    assert outcome.clean, "\n".join(outcome.lines())
    assert outcome.faults.total() > 0
    assert outcome.effects > 3 * 4
    report(request.node, "storm: " + "; ".join(outcome.lines()))


def make_observation() -> Observation:
    """Alice left, Bob stayed, Carla came."""
    users = [{"id": f"sub-{name}", "username": name, "enabled": True} for name in ("bob", "carla")]
    states: dict[str, Any] = {
        "identity_provider": {"realm": "r", "realms": {"r": {"users": users}}},
        "drive": {"accounts": [{"id": "sub-bob"}]},
        "sql_server": {"users": []},
        "triplestore": {"users": {}},
        "container_manager": {"containers": [{"name": "jupyter-alice", "running": False}]},
    }
    calls: dict[str, list[dict[str, Any]]] = {
        "sql_server": [_call("DROP", "DROP USER IF EXISTS ?@?")],
        "identity_provider": [
            _call("POST", "/admin/realms/r/users"),
            _call("DELETE", "/admin/realms/r/users/sub-alice"),
        ],
        "container_manager": [_call("POST", "/docker/containers/1/stop?t=10")],
    }
    return Observation(states, calls)


def _call(method: str, path: str, *, effect: bool = True) -> dict[str, Any]:
    return {"method": method, "path": path, "effect": effect}


def find_wrongs(found: Observation) -> dict[str, list[str]]:
    return ledgers.wrong(found, gone=[ALICE], stayed=[BOB], new=["carla"])


def test_the_judge_finds_nothing_where_nothing_is() -> None:
    assert find_wrongs(make_observation()) == {
        "lost": [],
        "falsely done": [],
        "repeated writes": [],
    }


@pytest.mark.parametrize(
    ("system", "change", "kind", "text"),
    [
        ("drive", {"accounts": []}, "lost", "bob: drive.account"),
        ("drive", {"accounts": [{"id": "sub-bob"}, {"id": "sub-alice"}]}, "falsely done",
        "alice: drive.account"),
        ("sql_server", {"users": ["alice@%"]}, "falsely done", "alice: sql_server.user"),
        ("triplestore", {"users": {"alice": {}}}, "falsely done", "alice: triplestore.user"),
        ("container_manager", {"containers": [{"name": "jupyter-alice", "running": True}]},
        "falsely done", "still runs"),
    ],
)  # fmt: skip
def test_the_judge_sees_what_is_there(
    system: str, change: dict[str, Any], kind: str, text: str
) -> None:
    found = make_observation()
    found.states[system] = change
    assert any(text in line for line in find_wrongs(found)[kind])


def test_the_judge_sees_who_was_let_in_twice_or_not_at_all_or_shut_out() -> None:
    found = make_observation()
    users = found.states["identity_provider"]["realms"]["r"]["users"]
    users.append(copy.deepcopy(users[1]))
    users[0]["enabled"] = False
    assert find_wrongs(found)["lost"] == [
        "carla: 2 users at the identity provider",
        "bob is shut out",
    ]
    del users[1:]
    assert "carla: 0 users at the identity provider" in find_wrongs(found)["lost"]


@pytest.mark.parametrize(
    ("system", "call", "text"),
    [
        ("identity_provider", _call("DELETE", "/admin/realms/r/users/sub-alice"), "2 times"),
        ("identity_provider", _call("POST", "/admin/realms/r/users"), "2 users made for 1"),
        ("container_manager", _call("POST", "/docker/containers/1/stop?t=3"), "2 times"),
        ("sql_server", _call("DROP", "drop user ?@?"), "2 times DROP USER"),
    ],
)
def test_the_judge_sees_a_write_that_was_repeated(
    system: str, call: dict[str, Any], text: str
) -> None:
    found = make_observation()
    found.calls[system].append({**call, "effect": False})
    assert find_wrongs(found)["repeated writes"] == []
    found.calls[system].append(call)
    assert any(text in line for line in find_wrongs(found)["repeated writes"])


def test_the_same_seed_draws_the_same_faults() -> None:
    one, same = (FaultInjection(seed=3, name="drive", rate=0.3) for _ in range(2))
    other = FaultInjection(seed=4, name="drive", rate=0.3)
    drawn = [one.draw() for _ in range(400)]
    assert drawn == [same.draw() for _ in range(400)]
    assert drawn != [other.draw() for _ in range(400)]
    assert set(one.met) == set(KINDS)
    assert 80 < one.met.total() < 160
    assert one.shown() == {"calls": 400, "faults": dict(one.met)}


class CountingStandIn(StandIn):
    """Something whose one call changes, and whose other looks."""

    name = "door"
    product = "Door"

    def seed(self) -> dict[str, Any]:
        return {"open": 0}

    def add_routes(self, app: web.Application) -> None:
        app.router.add_get("/", self._look)
        app.router.add_post("/", self._open)

    async def _look(self, _request: web.Request) -> web.Response:
        return web.json_response(self.state)

    async def _open(self, _request: web.Request) -> web.Response:
        self.state["open"] += 1
        self.changed()
        return web.json_response({})


def test_an_effect_is_that_call_s_and_not_its_neighbour_s() -> None:
    door = CountingStandIn()
    with running(door):
        delay = {"fault": "delay", "method": "GET", "seconds": 2}
        httpx.post(f"{door.control_url}/faults", json=delay)

        with ThreadPoolExecutor(1) as other:
            look = other.submit(httpx.get, door.url)
            eventually("it is held", lambda: not door.faults.waiting)
            httpx.post(door.url)
            look.result(PATIENCE_S)
        calls = httpx.get(f"{door.control_url}/calls").json()["items"]
    assert [(call["method"], call["effect"]) for call in calls] == [("POST", True), ("GET", False)]


def test_a_rate_of_nothing_ends_the_faults_and_keeps_its_figures() -> None:
    door = CountingStandIn()
    with running(door):
        httpx.post(f"{door.control_url}/weather", json={"seed": 1, "rate": 1, "longest_s": 0})
        for _ in range(20):
            try:
                httpx.get(door.url)
            except httpx.HTTPError:
                continue
        httpx.post(f"{door.control_url}/weather", json={"seed": 1, "rate": 0})
        assert all(httpx.get(door.url).json() == {"open": 0} for _ in range(20))
        shown = httpx.get(f"{door.control_url}/weather").json()
    assert sum(shown["faults"].values()) == 20
    assert shown["calls"] == 40
