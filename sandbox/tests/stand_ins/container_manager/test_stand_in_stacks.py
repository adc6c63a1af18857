"""Portainer's stacks and regular users, as recorded: everything that bites."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

COMPOSE = "services:\n  web:\n    image: sandbox/notebook\n    environment: {A: '${A:-none}'}\n    volumes: ['data:/d']\nvolumes:\n  data: {}\n"
CREATE = "/stacks/create/standalone/string?endpointId=1"
Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(stand_in: ContainerManagerStandIn, key: str) -> Ask:
    def send(method: str, path: str, *, by: str = key, **how: Any) -> httpx.Response:
        headers = {"X-API-Key": by}
        return httpx.request(
            method, f"{stand_in.url}/api{path}", headers=headers, timeout=20, **how
        )

    return send


def create(ask: Ask, name: str, file: str = COMPOSE, **more: Any) -> httpx.Response:
    return ask("POST", CREATE, json={"Name": name, "StackFileContent": file, **more})


def containers(stand_in: ContainerManagerStandIn) -> list[str]:
    return [c["name"] for c in stand_in.what_exists()["containers"]]


def test_names_are_normalised_and_unique(ask: Ask) -> None:
    assert create(ask, "Ws.Bob Smith").json()["Name"] == "wsbobsmith"
    again = create(ask, "wsbobsmith")
    message = "A stack with the normalized name 'wsbobsmith' already exists"
    assert (again.status_code, again.json()) == (409, {"message": message, "details": message})
    without = ask(
        "POST", "/stacks/create/standalone/string", json={"Name": "x", "StackFileContent": COMPOSE}
    )
    assert (without.status_code, without.json()["message"]) == (
        400,
        "Invalid query parameter: endpointId",
    )


def test_delete_keeps_volumes(ask: Ask, stand_in: ContainerManagerStandIn) -> None:
    number = create(ask, "ws").json()["Id"]
    assert containers(stand_in) == ["ws-web-1"]
    assert ask("DELETE", f"/stacks/{number}?endpointId=99").status_code == 404
    assert ask("DELETE", f"/stacks/{number}?endpointId=1&external=true").status_code == 500
    gone = ask("DELETE", f"/stacks/{number}?endpointId=1")
    assert (gone.status_code, gone.content) == (204, b"")
    assert ask("DELETE", f"/stacks/{number}?endpointId=1").status_code == 404
    assert stand_in.what_exists()["volumes"] == ["ws_data"]
    assert containers(stand_in) == []


def test_stop_deletes_containers(ask: Ask, stand_in: ContainerManagerStandIn) -> None:
    number = create(ask, "ws").json()["Id"]
    assert ask("POST", f"/stacks/{number}/start?endpointId=1").status_code == 409
    assert ask("POST", f"/stacks/{number}/stop?endpointId=1").json()["Status"] == 2
    assert containers(stand_in) == []
    assert ask("POST", f"/stacks/{number}/stop?endpointId=1").status_code == 400
    assert ask("POST", f"/stacks/{number}/start?endpointId=1").json()["Status"] == 1
    assert containers(stand_in) == ["ws-web-1"]


def test_a_failed_creation_destroys_a_foreign_project(
    ask: Ask, stand_in: ContainerManagerStandIn
) -> None:
    stand_in.run_container("theirs", Labels={"com.docker.compose.project": "foreign"})
    assert create(ask, "foreign", "services: [").status_code == 500
    assert containers(stand_in) == []
    assert ask("GET", "/stacks").json() == []


def test_a_failed_update_takes_the_stack_down_and_keeps_the_file(
    ask: Ask, stand_in: ContainerManagerStandIn
) -> None:
    number = create(ask, "ws").json()["Id"]
    broken = COMPOSE.replace("sandbox/notebook", "nope")
    sent = {"StackFileContent": broken, "Env": []}
    assert ask("PUT", f"/stacks/{number}?endpointId=1", json=sent).status_code == 500
    assert containers(stand_in) == []
    assert ask("GET", f"/stacks/{number}/file").json() == {"StackFileContent": COMPOSE}
    assert ask("GET", f"/stacks/{number}").json()["Status"] == 1


def test_env_is_replaced_and_not_literal(ask: Ask, stand_in: ContainerManagerStandIn) -> None:
    pair = {"name": "A", "value": 'p$a$$s\'s "q" #x'}
    number = create(ask, "ws", Env=[pair]).json()["Id"]
    shown = ask("GET", "/endpoints/1/docker/containers/ws-web-1/json").json()["Config"]["Env"]
    assert 'A=p$s\'s "q"' in shown
    updated = ask("PUT", f"/stacks/{number}?endpointId=1", json={"StackFileContent": COMPOSE})
    assert updated.json()["Env"] is None


@pytest.mark.parametrize(
    ("name", "status"),
    [("", 400), ("@@@", 200), ("-zoe", 500)],
    ids=["empty", "all forbidden", "dash"],
)
def test_strange_names(ask: Ask, name: str, status: int) -> None:
    made = create(ask, name)
    assert made.status_code == status
    if status == 200:
        assert made.json()["Name"] == ""
        assert ask("DELETE", f"/stacks/{made.json()['Id']}?endpointId=1").status_code == 500


def test_git(ask: Ask, stand_in: ContainerManagerStandIn) -> None:
    url = "http://127.0.0.1:22010/ws.git"
    repositories = {url: {"file": COMPOSE, "password": "secret-1"}}
    httpx.post(stand_in.control_url + "/settings", json={"repositories": repositories})
    path = "/stacks/create/standalone/repository?endpointId=1"

    def clone(**more: Any) -> httpx.Response:
        return ask("POST", path, json={"Name": "ws", "RepositoryURL": url, **more})

    assert clone(RepositoryURL="no url").status_code == 400
    assert clone(RepositoryURL="http://127.0.0.1:9/x.git").status_code == 500
    assert clone().json()["message"] == "Invalid git credential"
    made = clone(
        RepositoryAuthentication=True, RepositoryUsername="u", RepositoryPassword="secret-1"
    )
    assert made.json()["GitConfig"]["Authentication"]["Password"] == ""
    changed = ask(
        "PUT", f"/stacks/{made.json()['Id']}?endpointId=1", json={"StackFileContent": COMPOSE}
    )
    assert changed.json()["GitConfig"] is None


# --- regular users -----------------------------------------------------------------------------------------------------


@pytest.fixture
def carla(ask: Ask, stand_in: ContainerManagerStandIn) -> str:
    """A regular user's key, with access to the environment."""
    ask("POST", "/users", json={"Username": "carla", "Password": "throw-away-1", "Role": 2})
    token = httpx.post(
        f"{stand_in.url}/api/auth", json={"username": "carla", "password": "throw-away-1"}
    ).json()["jwt"]
    made = httpx.post(
        f"{stand_in.url}/api/users/2/tokens",
        json={"password": "throw-away-1", "description": "carla"},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert made.status_code == 201
    return str(made.json()["rawAPIKey"])


def test_a_user_without_access_to_the_environment(ask: Ask, carla: str) -> None:
    assert ask("GET", "/endpoints", by=carla).json() == []
    refused = ask("GET", "/endpoints/1/docker/containers/json", by=carla)
    assert (refused.status_code, refused.json()["details"]) == (403, "Access denied to environment")
    assert ask("POST", "/users", by=carla, json={}).status_code == 403


def test_a_user_sees_and_touches_own_containers_only(
    ask: Ask, stand_in: ContainerManagerStandIn, carla: str
) -> None:
    ask("PUT", "/endpoints/1", json={"UserAccessPolicies": {"2": {"RoleId": 0}}})
    box = "/endpoints/1/docker/containers"
    ask("POST", f"{box}/create?name=jupyter-alice", json={"Image": "sandbox/notebook"})
    own = ask(
        "POST", f"{box}/create?name=carla-box", by=carla, json={"Image": "sandbox/notebook"}
    ).json()["Id"]
    assert [c["Id"] for c in ask("GET", f"{box}/json?all=1", by=carla).json()] == [own]
    assert ask("GET", f"{box}/jupyter-alice/json", by=carla).status_code == 403
    assert ask("POST", f"{box}/{own}/start", by=carla).status_code == 204
    for path in ("jupyter-alice/stop", "carla-box/stop", "jupyter-nobody/stop", "prune"):
        refused = ask("POST", f"{box}/{path}", by=carla)
        assert refused.status_code == 500
        assert refused.json()["message"] == "Unable to proxy the request via the Docker socket"
    assert create(lambda *a, **k: ask(*a, by=carla, **k), "ws-carla").status_code == 200
    other = create(ask, "ws-admin").json()["Id"]
    assert ask("GET", f"/stacks/{other}", by=carla).status_code == 403
    assert [s["Name"] for s in ask("GET", "/stacks", by=carla).json()] == ["ws-carla"]
