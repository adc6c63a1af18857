"""Portainer's stacks and regular users, as recorded: everything that bites."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from workspace_sandbox.children import free_port
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

COMPOSE = (
    "services:\n  web:\n    image: sandbox/notebook\n    environment: {A: '${A:-none}'}\n    "
    "volumes: ['data:/d']\nvolumes:\n  data: {}\n"
)
CREATE = "/stacks/create/standalone/string?endpointId=1"
Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(stand_in: ContainerManagerStandIn, key: str) -> Ask:
    def send(method: str, path: str, *, by: str = key, **how: Any) -> httpx.Response:
        headers = {"X-API-Key": by}
        return httpx.request(method, f"{stand_in.url}/api{path}", headers=headers, **how)

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
    gone = ask("DELETE", f"/stacks/{number}?endpointId=1")
    assert (gone.status_code, gone.content) == (204, b"")
    assert ask("DELETE", f"/stacks/{number}?endpointId=1").status_code == 404
    assert stand_in.what_exists()["volumes"] == ["ws_data"]
    assert containers(stand_in) == []


def test_a_failed_creation_destroys_a_foreign_project(
    ask: Ask, stand_in: ContainerManagerStandIn
) -> None:
    """Whatever Compose made under that name; what only bears the name stays."""
    labels = {"com.docker.compose.project": "foreign"}
    stand_in.run_container("theirs", Labels={**labels, "com.docker.compose.config-hash": "x"})
    stand_in.run_container("named-so", Labels=labels)
    assert create(ask, "foreign", "services: [").status_code == 500
    assert containers(stand_in) == ["named-so"]
    assert ask("GET", "/stacks").json() == []


def test_env_is_not_literal(ask: Ask) -> None:
    pair = {"name": "A", "value": 'p$a$$s\'s "q" #x'}
    create(ask, "ws", Env=[pair])
    shown = ask("GET", "/endpoints/1/docker/containers/ws-web-1/json").json()["Config"]["Env"]
    assert 'A=p$s\'s "q"' in shown


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


PUBLISHED = """
services:
  web: {{image: sandbox/notebook, ports: ["127.0.0.1:{port}:8080"], labels: ["a=b"]}}
  other: {{image: sandbox/notebook, networks: [inner]}}
networks: {{inner: {{labels: {{c: d}}}}}}
"""


def test_behind_a_published_port_is_a_page_while_it_runs(
    ask: Ask, stand_in: ContainerManagerStandIn
) -> None:
    port = free_port()
    number = create(ask, "ws", PUBLISHED.format(port=port)).json()["Id"]
    page = httpx.get(f"http://127.0.0.1:{port}/health")
    assert (page.status_code, "ok" in page.text, "ws" in page.text) == (200, True, True)
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"http://127.0.0.2:{port}/", timeout=1)
    taken = create(ask, "ws-two", PUBLISHED.format(port=port))
    assert taken.status_code == 500
    assert "address already in use" in taken.json()["message"]
    assert containers(stand_in) == ["ws-web-1", "ws-other-1"]
    ask("DELETE", f"/stacks/{number}?endpointId=1")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/")


def test_networks_carry_labels_and_go_with_their_stack(
    ask: Ask, stand_in: ContainerManagerStandIn
) -> None:
    number = create(ask, "ws", PUBLISHED.format(port=free_port())).json()["Id"]
    filters = {"filters": '{"label":["com.docker.compose.project=ws"]}'}
    found = ask("GET", "/endpoints/1/docker/networks", params=filters).json()
    assert sorted(one["Name"] for one in found) == ["ws_default", "ws_inner"]
    assert [one["Labels"].get("c") for one in found if one["Name"] == "ws_inner"] == ["d"]
    assert ask("GET", f"/stacks/{number}/file").json()["StackFileContent"].startswith("\nservices")
    ask("DELETE", f"/stacks/{number}?endpointId=1")
    assert stand_in.state["engine"]["networks"] == {}


def test_a_network_of_that_name_that_is_not_the_stacks(ask: Ask) -> None:
    body = {"Name": "ws_default"}
    assert ask("POST", "/endpoints/1/docker/networks/create", json=body).status_code == 200
    refused = create(ask, "ws")
    assert refused.status_code == 500
    assert "incorrect label" in refused.json()["message"]


def test_a_paused_stack_cannot_be_taken_down(ask: Ask, stand_in: ContainerManagerStandIn) -> None:
    number = create(ask, "ws").json()["Id"]
    box = "/endpoints/1/docker/containers/ws-web-1"
    ask("POST", f"{box}/pause")
    refused = ask("DELETE", f"/stacks/{number}?endpointId=1")
    assert (refused.status_code, "paused" in refused.json()["message"]) == (500, True)
    ask("POST", f"{box}/unpause")
    assert ask("DELETE", f"/stacks/{number}?endpointId=1").status_code == 204
    assert containers(stand_in) == []


# --- regular users --------------------------------------------------------------------------------


@pytest.fixture
def carla(ask: Ask, stand_in: ContainerManagerStandIn) -> str:
    """A regular user's key."""
    user = {"Username": "carla", "Password": "throw-away-1", "Role": 2}
    number = ask("POST", "/users", json=user).json()["Id"]
    token = httpx.post(
        f"{stand_in.url}/api/auth", json={"username": "carla", "password": "throw-away-1"}
    ).json()["jwt"]
    made = httpx.post(
        f"{stand_in.url}/api/users/{number}/tokens",
        json={"password": "throw-away-1", "description": "carla"},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert made.status_code == 201
    return str(made.json()["rawAPIKey"])


def test_a_user_without_access_to_the_environment(ask: Ask, carla: str) -> None:
    refused = ask("GET", "/endpoints/1/docker/containers/json", by=carla)
    assert (refused.status_code, refused.json()["details"]) == (403, "Access denied to environment")
    assert ask("POST", "/users", by=carla, json={}).status_code == 403
    stack = create(ask, "ws-admin").json()["Id"]
    looking = ask("GET", f"/stacks/{stack}", by=carla)
    assert looking.json()["message"] == "Permission denied to access environment"
    ending = ask("DELETE", f"/stacks/{stack}?endpointId=1", by=carla)
    assert ending.json()["message"] == "Permission denied to access endpoint"
    assert (looking.status_code, ending.status_code) == (403, 403)
    assert ask("GET", f"/stacks/{stack}").status_code == 200


def test_a_user_sees_and_touches_own_containers_only(
    ask: Ask, stand_in: ContainerManagerStandIn, carla: str
) -> None:
    number = ask("GET", "/users/me", by=carla).json()["Id"]
    ask("PUT", "/endpoints/1", json={"UserAccessPolicies": {str(number): {"RoleId": 0}}})
    box = "/endpoints/1/docker/containers"
    ask("POST", f"{box}/create?name=jupyter-alice", json={"Image": "sandbox/notebook"})
    own = ask(
        "POST", f"{box}/create?name=carla-box", by=carla, json={"Image": "sandbox/notebook"}
    ).json()["Id"]
    assert [c["Id"] for c in ask("GET", f"{box}/json?all=1", by=carla).json()] == [own]
    assert ask("GET", f"{box}/jupyter-alice/json", by=carla).status_code == 403
    assert ask("POST", f"{box}/{own}/start", by=carla).status_code == 204
    for path in ("jupyter-alice/stop", "carla-box/stop", "jupyter-nobody/stop"):
        refused = ask("POST", f"{box}/{path}", by=carla)
        assert refused.status_code == 500
        assert refused.json()["message"] == "Unable to proxy the request via the Docker socket"
    assert create(lambda *a, **k: ask(*a, by=carla, **k), "ws-carla").status_code == 200
    other = create(ask, "ws-admin").json()["Id"]
    assert ask("GET", f"/stacks/{other}", by=carla).status_code == 403
    assert [s["Name"] for s in ask("GET", "/stacks", by=carla).json()] == ["ws-carla"]


@pytest.fixture
def by_tcp() -> int:
    """The number of an environment whose engine is reached by TCP."""
    return 2


def test_refusals_by_tcp_say_nothing(ask: Ask, carla: str, by_tcp: int) -> None:
    number = ask("GET", "/users/me", by=carla).json()["Id"]
    ask("PUT", f"/endpoints/{by_tcp}", json={"UserAccessPolicies": {str(number): {"RoleId": 0}}})
    engine = f"/endpoints/{by_tcp}/docker"
    made = ask(
        "POST", f"{engine}/containers/create?name=theirs", json={"Image": "sandbox/notebook"}
    )
    theirs = made.json()["Id"]
    ask("POST", f"{engine}/volumes/create", json={"Name": "taken"})
    for path in (f"containers/{theirs}/stop", "containers/theirs/stop", "containers/nobody/stop"):
        refused = ask("POST", f"{engine}/{path}", by=carla)
        assert (refused.status_code, refused.text) == (502, "")
        assert "content-type" not in refused.headers
    looking = ask("GET", f"{engine}/containers/{theirs}/json", by=carla)
    assert looking.status_code == 403
    assert ask("GET", f"{engine}/containers/json?all=1", by=carla).json() == []
