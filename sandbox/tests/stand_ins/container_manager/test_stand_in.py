"""The stand-in answers as Portainer in front of podman did when it was recorded."""

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from workspace_sandbox.patience import PATIENCE_S
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

IDLE = ["/bin/sh", "-c", "trap 'exit 7' TERM; while :; do sleep 1; done"]
STUBBORN = ["/bin/sh", "-c", "trap '' TERM; while :; do sleep 1; done"]
COMPOSE = (
    "services:\n  web:\n    image: sandbox/notebook\n    environment: {A: '${A:-none}'}\n    "
    "volumes: ['data:/d']\nvolumes:\n  data: {}\n"
)
Ask = Callable[..., httpx.Response]


@pytest.fixture
def ask(stand_in: ContainerManagerStandIn, key: str) -> Ask:
    """Send a request to /api with the key."""

    def send(
        method: str, path: str, *, headers: dict[str, str] | None = None, **how: Any
    ) -> httpx.Response:
        used = {"X-API-Key": key} if headers is None else headers
        return httpx.request(method, f"{stand_in.url}/api{path}", headers=used, **how)

    return send


def docker(ask: Ask, method: str, path: str, **how: Any) -> httpx.Response:
    return ask(method, f"/endpoints/1/docker{path}", **how)


def wire(url: str, request: str) -> str:
    """Send bytes as they are: a client library would tidy the path. What was upgraded is read for a
    moment more.
    """
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as line:
        line.sendall(request.encode())
        found = b""
        try:
            while part := line.recv(4096):
                found += part
                if found.startswith(b"HTTP/1.1 101") and b"\r\n\r\n" in found:
                    line.settimeout(0.5)
        except TimeoutError:
            found += b"<still open>"
    return found.decode()


VALUE, FIELD = "Go value of type", "Go struct field"


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/auth", "[]", f'"[]" into {VALUE} auth.authenticatePayload'),
        ("/users", "5", f'"5" into {VALUE} users.userCreatePayload'),
        (
            "/auth",
            '{"username":5}',
            f'"5}}" into {FIELD} auth.authenticatePayload.username of type string',
        ),
    ],
)
def test_a_body_of_another_shape_is_refused_in_gos_words(
    ask: Ask, path: str, body: str, told: str
) -> None:
    answer = ask("POST", path, content=body, headers=None if path == "/users" else {})
    assert (answer.status_code, answer.json()) == (
        400,
        {"message": "Invalid request payload", "details": f"Json: cannot unmarshal {told}"},
    )


# --- keys and routes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headers", "status", "body"),
    [
        ({}, 401, {"message": "A valid authorization token is missing", "details": "Unauthorized"}),
        ({"X-API-Key": ""}, 401, {"message": "A valid authorization token is missing",
        "details": "Unauthorized"}),
        ({"X-API-Key": "wrong"}, 401, {"message": "Invalid JWT token", "details": "Unauthorized"}),
        ({"Authorization": "Bearer a.b.c"}, 401, {"message": "Invalid JWT token",
        "details": "Unauthorized"}),
        (
            {"X-API-Key": "x", "Authorization": "Bearer y"},
            403,
            {
                "message": "api key and auth header are not allowed at the same time",
                "details": "Api key and auth header are not allowed at the same time",
            },
        ),
    ],
)  # fmt: skip
def test_refused_keys(ask: Ask, headers: dict[str, str], status: int, body: dict[str, str]) -> None:
    answer = ask("GET", "/stacks", headers=headers)
    assert (answer.status_code, answer.json()) == (status, body)


def test_signing_in(stand_in: ContainerManagerStandIn, key: str) -> None:
    made = ContainerManagerStandIn(api_key=key, admin_password="correct-horse-1")
    with running(made), httpx.Client(base_url=made.url) as browser:
        wrong = browser.post("/api/auth", json={"username": "admin", "password": "x"})
        assert (wrong.status_code, wrong.json()["message"]) == (422, "Invalid credentials")
        token = browser.post(
            "/api/auth", json={"USERNAME": "admin", "password": "correct-horse-1"}
        ).json()["jwt"]
        stopping = browser.post("/api/endpoints/1/docker/containers/x/stop")
        assert (stopping.status_code, stopping.text.strip()) == (
            403,
            "Forbidden - CSRF token not found in request",
        )
        fresh = browser.get("/api/users/me").headers["X-Csrf-Token"]
        again = "/api/endpoints/1/docker/containers/x/stop"
        assert browser.post(again, headers={"X-CSRF-Token": fresh}).status_code == 404
        browser.cookies.clear()
        by_token = {"Authorization": f"Bearer {token}"}
        assert browser.get("/api/users/me", headers=by_token).status_code == 200


def test_whoever_signs_in_too_often_is_shut_out(stand_in: ContainerManagerStandIn) -> None:
    """Right or wrong; a key works on."""
    wrong = {"username": "admin", "password": "x"}
    answers = [httpx.post(f"{stand_in.url}/api/auth", json=wrong) for _ in range(40)]
    statuses = [answer.status_code for answer in answers]
    shut = statuses.index(403)
    assert set(statuses[:shut]) == {422}
    assert set(statuses[shut:]) == {403}
    assert shut >= 10
    assert answers[-1].json() == {
        "message": "Access denied",
        "details": "Access denied to resource",
    }


def test_the_kinds_of_404(ask: Ask) -> None:
    missing = docker(ask, "POST", "/containers/jupyter-nobody/stop?t=5")
    assert set(missing.json()) == {"cause", "message", "response"}
    for path in ("/endpoints/99/docker/containers/x/stop", "/stacks/7?endpointId=1", "/stacks/7"):
        answer = ask("POST" if "stop" in path else "DELETE", path)
        assert (answer.status_code, set(answer.json())) == (404, {"message", "details"})
    stack = ask(
        "POST",
        "/stacks/create/standalone/string?endpointId=1",
        json={"Name": "a", "StackFileContent": COMPOSE},
    )
    nowhere = ask("DELETE", f"/stacks/{stack.json()['Id']}")
    assert nowhere.json()["message"].startswith(
        "Unable to find the endpoint associated to the stack"
    )


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/api/endpoints/1/docker/containers/%2e%2e/json", "/1/docker/json"),
    ],
)
def test_paths_are_cleaned_by_a_redirect(
    stand_in: ContainerManagerStandIn, key: str, path: str, location: str
) -> None:
    answer = wire(
        stand_in.url,
        f"GET {path} HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nConnection: close\r\n\r\n",
    )
    assert answer.startswith("HTTP/1.1 301")
    assert f"Location: {location}\r\n" in answer


# --- the engine -----------------------------------------------------------------------------------


def created(ask: Ask, name: str, command: list[str] = IDLE, **body: Any) -> str:
    sent = {"Image": "sandbox/notebook", "Cmd": command, **body}
    made = docker(ask, "POST", f"/containers/create?name={name}", json=sent)
    assert made.status_code == 200
    assert made.json()["Portainer"]["ResourceControl"]["UserAccesses"] == [
        {"UserId": 1, "AccessLevel": 1}
    ]
    return str(made.json()["Id"])


def test_stop_start_remove(ask: Ask) -> None:
    number = created(ask, "jupyter-alice")
    assert docker(ask, "POST", "/containers/jupyter-alice/stop?t=5").status_code == 204
    assert docker(ask, "POST", f"/containers/{number}/start").status_code == 204
    assert docker(ask, "POST", f"/containers/{number}/start").status_code == 304
    assert docker(ask, "DELETE", "/containers/jupyter-alice").status_code == 500
    assert docker(ask, "POST", "/containers/jupyter-alice/stop?t=abc").status_code == 400
    assert docker(ask, "POST", "/containers/jupyter-alice/stop?t=5").status_code == 204
    assert docker(ask, "POST", "/containers/jupyter-alice/stop?t=5").status_code == 304
    state = docker(ask, "GET", "/containers/jupyter-alice/json").json()["State"]
    assert (state["Status"], state["ExitCode"], state["Pid"]) == ("exited", 7, 0)
    assert docker(ask, "DELETE", "/containers/jupyter-alice").status_code == 204
    assert docker(ask, "DELETE", "/containers/jupyter-alice").status_code == 404


def test_a_process_that_ignores_the_signal(
    ask: Ask, stand_in: ContainerManagerStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given as long as it was asked for, and runs all the while."""
    containers, waited = stand_in._api.containers, []

    async def nobody_ends_it(record: dict[str, Any], seconds: float) -> bool:
        waited.append((seconds, record["status"]))
        return False

    monkeypatch.setattr(containers, "ends_within", nobody_ends_it)
    number = created(ask, "stub", STUBBORN)
    docker(ask, "POST", f"/containers/{number}/start")
    assert docker(ask, "POST", f"/containers/{number}/stop?t=7").status_code == 204
    assert waited == [(7, "stopping")]
    assert docker(ask, "GET", f"/containers/{number}/json").json()["State"]["ExitCode"] == 137


def test_finding_containers(ask: Ask) -> None:
    number = created(ask, "jupyter-alice", Labels={"ws.user": "alice"})
    created(ask, "jupyter-albert")

    def names(**filters: Any) -> list[str]:
        query = {"all": "1", "filters": json.dumps(filters)}
        return [
            n
            for c in docker(ask, "GET", "/containers/json", params=query).json()
            for n in c["Names"]
        ]

    assert sorted(names(name=["jupyter-al"])) == ["/jupyter-albert", "/jupyter-alice"]
    assert names(name=["^/?jupyter-alice$"]) == ["/jupyter-alice"]
    assert names(name=["^/jupyter-alice$"]) == []
    assert (
        names(label=["ws.user=alice"]) == names(label={"ws.user=alice": True}) == ["/jupyter-alice"]
    )
    assert docker(ask, "GET", "/containers/json").json() == []
    assert docker(ask, "GET", f"/containers/{number[:6]}/json").json()["Name"] == "/jupyter-alice"
    assert docker(ask, "GET", "/containers/Jupyter-Alice/json").status_code == 404
    assert docker(ask, "GET", "/containers/json?filters=%7Bbro").status_code == 500


def test_names_and_images_are_checked(ask: Ask) -> None:
    created(ask, "taken")
    for name, image, status in (
        ("taken", "sandbox/notebook", 500),
        ("a b", "sandbox/notebook", 500),
        ("x", "nope", 404),
    ):
        made = docker(
            ask, "POST", "/containers/create", params={"name": name}, json={"Image": image}
        )
        assert made.status_code == status
        assert made.json()["response"] == status


def exec_id(ask: Ask, container: str, **body: Any) -> str:
    sent = {"AttachStdout": True, "AttachStderr": True, "Tty": False, **body}
    made = docker(ask, "POST", f"/containers/{container}/exec", json=sent)
    assert made.status_code == 201
    return str(made.json()["Id"])


def test_commands(ask: Ask) -> None:
    number = created(ask, "tool")
    stopped = docker(ask, "POST", f"/containers/{number}/exec", json={"Cmd": ["/bin/true"]})
    assert stopped.status_code == 500
    docker(ask, "POST", f"/containers/{number}/start")
    one = exec_id(ask, "tool", Cmd=["/bin/sh", "-c", "echo out; echo err >&2; exit 3"])
    before = docker(ask, "GET", f"/exec/{one}/json").json()
    assert (before["Running"], before["ExitCode"], before["CanRemove"]) == (False, 0, False)
    output = docker(ask, "POST", f"/exec/{one}/start", json={"Detach": False, "Tty": False})
    assert output.headers["Content-Type"] == "application/vnd.docker.raw-stream"
    assert output.content == b"\1\0\0\0\0\0\0\4out\n\2\0\0\0\0\0\0\4err\n"
    assert docker(ask, "GET", f"/exec/{one}/json").json()["ExitCode"] == 3
    assert docker(ask, "POST", f"/exec/{one}/start", json={"Detach": False}).status_code == 500
    assert docker(ask, "POST", f"/exec/{one}/start").status_code == 400
    detached = exec_id(ask, "tool", Cmd=["/bin/false"])
    assert docker(ask, "POST", f"/exec/{detached}/start", json={"Detach": True}).status_code == 200
    assert docker(ask, "GET", f"/exec/{detached}/json").json()["CanRemove"] is False


def test_an_upgrade_through_a_socket_gives_nothing(
    ask: Ask, stand_in: ContainerManagerStandIn, key: str
) -> None:
    number = created(ask, "tool")
    docker(ask, "POST", f"/containers/{number}/start")
    one = exec_id(ask, "tool", Cmd=["/bin/true"])
    body = '{"Detach": false, "Tty": false}'
    upgrade = (
        f"HTTP/1.1\r\nHost: x\r\nX-API-Key: {key}\r\nConnection: Upgrade\r\nUpgrade: "
        f"tcp\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    )
    through = wire(stand_in.url, f"POST /api/endpoints/1/docker/exec/{one}/start {upgrade}")
    assert through.startswith("HTTP/1.1 101")
    assert through.endswith("\r\n\r\n<still open>")
    assert docker(ask, "GET", f"/exec/{one}/json").json()["CanRemove"] is True


def test_volumes(ask: Ask) -> None:
    for labels in ({"a": "b"}, {"other": "x"}):
        made = docker(ask, "POST", "/volumes/create", json={"Name": "vol", "Labels": labels})
        assert (made.status_code, made.json()["Labels"]) == (200, {"a": "b"})
    again = docker(ask, "POST", "/volumes/create", json={"Name": "vol"}, headers=None)
    assert again.status_code == 200
    created(ask, "user", HostConfig={"Binds": ["vol:/d"]})
    assert docker(ask, "DELETE", "/volumes/vol?force=1").status_code == 409
    docker(ask, "DELETE", "/containers/user")
    assert [docker(ask, "DELETE", "/volumes/vol").status_code for _ in range(2)] == [204, 404]
    assert docker(ask, "DELETE", "/volumes/vol?force=1").status_code == 204


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/endpoints"),
        ("PUT", "/api/stacks/1"),
        ("POST", "/api/endpoints/1/docker/containers/a/kill"),
        ("GET", "/v1.41/containers/a/logs"),
        ("GET", "/images/json"),
    ],
)
def test_what_nobody_calls_is_not_imitated(
    stand_in: ContainerManagerStandIn, key: str, method: str, path: str
) -> None:
    answer = httpx.request(method, stand_in.url + path, headers={"X-API-Key": key})
    assert (answer.status_code, answer.json()["type"]) == (501, NOT_SERVED)


# --- the engine is away ---------------------------------------------------------------------------


@pytest.mark.parametrize("mood", ["down", "no-socket"])
def test_a_dead_engine(ask: Ask, stand_in: ContainerManagerStandIn, mood: str) -> None:
    httpx.post(stand_in.control_url + "/settings", json={"engine": mood}).raise_for_status()
    answer = docker(ask, "GET", "/version")
    assert answer.status_code == 500
    assert answer.json()["details"].startswith("Dial unix /var/run/docker.sock: connect: ")
    by_tcp = ask("GET", "/endpoints/2/docker/version")
    assert (by_tcp.status_code, by_tcp.content) == (502, b"")
    assert ask("GET", "/endpoints/1").json()["Status"] == 1


def test_settings_and_faults_of_the_sandbox(stand_in: ContainerManagerStandIn, ask: Ask) -> None:
    assert httpx.post(stand_in.control_url + "/settings", json={"nonsense": 1}).status_code == 400
    httpx.post(stand_in.control_url + "/settings", json={"init_timeout": True}).raise_for_status()
    locked = ask("GET", "/stacks")
    assert (locked.status_code, locked.headers["Redirect-Reason"]) == (303, "AdminInitTimeout")
    assert ask("GET", "/status").status_code == 200
    httpx.post(stand_in.control_url + "/reset").raise_for_status()
    assert ask("GET", "/stacks").status_code == 200
    assert "stand-in" in httpx.get(stand_in.url).text


def test_state_survives_a_kill(tmp_path: Path, key: str) -> None:
    first = ContainerManagerStandIn(api_key=key, data_dir=tmp_path)
    first.run_container("jupyter-alice")
    again = ContainerManagerStandIn(api_key=key, data_dir=tmp_path)
    assert [c["name"] for c in again.what_exists()["containers"]] == ["jupyter-alice"]
    assert key not in (tmp_path / "container_manager.json").read_text()
