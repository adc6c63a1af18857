"""The meanings of answers, in Docker's and podman's words, and the stack calls."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import (
    Conflict,
    ConnectorError,
    Denied,
    Invalid,
    NotFound,
    Unavailable,
)
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client.answers import Thing, meaning
from workspace_manager.systems.container_manager.client.frames import demultiplex
from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

JSON, TEXT = "application/json", "text/plain; charset=utf-8"
COMPOSE = (
    "services:\n  web:\n    image: sandbox/notebook\n    volumes: ['data:/d']\nvolumes:\n  "
    "data: {}\n"
)
ENVIRONMENT = "Unable to find an environment with the specified identifier inside the database"
STACK = "Unable to find a stack with the specified identifier inside the database"
ENDPOINT = "Unable to find the endpoint associated to the stack inside the database"
PROXY = "Unable to proxy the request via the Docker socket"


def answer(status: int, body: Any, content_type: str = JSON, **headers: str) -> Answer:
    content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
    sent = httpx.Headers({"content-type": content_type, **headers})
    return Answer(
        "GET", "/x", status, sent, content, "container_manager.container", quote_words("looking")
    )


@pytest.mark.parametrize(
    ("thing", "given_answer", "error"),
    [
        ("container", answer(404, {"message": "No such container: x"}), NotFound),
        ("container", answer(404, {"cause": "no such container",
        "message": 'no container with name or ID "x" found: no such container', "response": 404}),
        NotFound),
        ("exec", answer(404, {"message": "No such exec instance: deadbeef"}), NotFound),
        ("volume", answer(404, {"message": "get n: no such volume"}), NotFound),
        ("stack", answer(404, {"message": STACK, "details": "Object not found"}), NotFound),
        ("container", answer(404, {"message": ENVIRONMENT, "details": "Object not found"}),
        Invalid),
        ("stack", answer(404, {"message": ENVIRONMENT, "details": "Object not found"}), Invalid),
        ("stack", answer(404, {"message": ENDPOINT, "details": "Object not found"}), Invalid),
        ("container", answer(404, {"message": STACK, "details": "Object not found"}), Invalid),
        ("container", answer(404, {"message": "no such image: x: image not known"}), Invalid),
        ("container", answer(404, "404 page not found\n", TEXT), Invalid),
        ("container", answer(404, "Not Found\n", TEXT), Invalid),
        ("container", answer(404, {"message": "page not found"}), Invalid),
        ("container", answer(404, "no such container", "text/html"), Invalid),
        ("", answer(404, {"message": "No such container: x"}), Invalid),
        ("container", answer(401, {"message": "Invalid JWT token", "details": "Unauthorized"}),
        Denied),
        ("container", answer(403, {"message": "access denied to resource"}), Denied),
        ("container", answer(403, "Forbidden - CSRF token not found in request\n", TEXT), Denied),
        ("container", answer(422, {"message": "Invalid credentials", "details": "Unauthorized"}),
        Denied),
        ("container", answer(409, {"message": "Container x is not running"}), Unavailable),
        ("container", answer(409,
        {"message": "cannot create exec session as container x is paused"}), Unavailable),
        ("volume", answer(409, {"message": "remove n: volume is in use - [x]"}), Conflict),
        ("container", answer(500, {"message": PROXY, "details": "Mime: no media type"}),
        Unavailable),
        ("container", answer(500, {"message": PROXY, "details": "Dial unix /var/run/docker.sock"}),
        Unavailable),
        ("container", answer(502, "", ""), Unavailable),
        ("container", answer(303, {"message": "x"}, **{"redirect-reason": "AdminInitTimeout"}),
        Invalid),
        ("container", answer(301, "", "", location="/1/docker/info"), Invalid),
        ("container", answer(400, {"message": "bad"}), Invalid),
        ("container", answer(405, "", ""), Invalid),
    ],
)  # fmt: skip
def test_what_an_answer_means(
    thing: Thing, given_answer: Answer, error: type[ConnectorError]
) -> None:
    found = meaning(given_answer, thing)
    assert found.reaction is error
    assert found.advice or error is NotFound


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=40))))
def test_frames_come_apart_as_they_were_put_together(parts: list[tuple[int, bytes]]) -> None:
    stream = b"".join(bytes([k, 0, 0, 0]) + len(d).to_bytes(4, "big") + d for k, d in parts)
    out, err = demultiplex(stream)
    assert out == b"".join(d for k, d in parts if k == 1).decode(errors="replace")
    assert err == b"".join(d for k, d in parts if k == 2).decode(errors="replace")


@pytest.mark.parametrize(
    "stream", [b"plain text", b"\1\0\0\0", b"\1\0\0\0\0\0\0\5abc", b"\7\0\0\0\0\0\0\0"]
)
def test_a_broken_stream_is_not_output(stream: bytes) -> None:
    with pytest.raises(ValueError, match="frame"):
        demultiplex(stream)


# --- stacks ---------------------------------------------------------------------------------------


def test_a_stacks_life(system: ContainerManager, stand_in: ContainerManagerStandIn) -> None:
    client = system.client
    stack = client.create_stack("ws-alice", COMPOSE, {"A": Secret("one")})
    assert client.list_stacks() == [stack] == [client.get_stack(stack.id)]
    assert client.inspect("ws-alice-web-1").status == "running"
    with pytest.raises(Conflict):
        client.create_stack("ws-alice", COMPOSE, {})
    client.delete_stack(stack.id)
    with pytest.raises(NotFound):
        client.delete_stack(stack.id)
    with pytest.raises(NotFound):
        client.get_stack(stack.id)
    assert client.project_volumes("ws-alice") == ["ws-alice_data"]
    client.remove_volume("ws-alice_data")
    with pytest.raises(NotFound):
        client.remove_volume("ws-alice_data")


def test_a_strangers_project_is_never_endangered(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    number = stand_in.run_container("theirs", Labels={"com.docker.compose.project": "foreign"})
    with pytest.raises(Conflict):
        system.client.create_stack("foreign", "services: [", {})
    assert system.client.project_containers("foreign") == [number]


@pytest.mark.parametrize("name", ["", "Ws-Alice", "-zoe", "@@@"])
def test_names_that_would_change_are_refused(system: ContainerManager, name: str) -> None:
    with pytest.raises(Invalid):
        system.client.create_stack(name, COMPOSE, {})


def test_a_file_that_fails_leaves_nothing(
    system: ContainerManager, stand_in: ContainerManagerStandIn
) -> None:
    broken = "services:\n  a:\n    image: sandbox/notebook\n  b:\n    image: nope\n"
    with pytest.raises(Unavailable):
        system.client.create_stack("ws-bad", broken, {})
    assert system.client.list_stacks() == []
    assert system.client.project_containers("ws-bad") == []


def test_a_volume_in_use_stays(system: ContainerManager, stand_in: ContainerManagerStandIn) -> None:
    stand_in.run_container("user", HostConfig={"Binds": ["vol:/d"]})
    with pytest.raises(Conflict):
        system.client.remove_volume("vol")


def test_an_engine_has_no_stacks(
    stand_in: ContainerManagerStandIn, connected: Callable[..., ContainerManager]
) -> None:
    direct = connected(stand_in, url=stand_in.url.replace("http://", "docker://"), api_key=None)
    with pytest.raises(Invalid):
        direct.client.list_stacks()
    assert direct.containers.list_names() == []
    assert "engine" in direct.prove_rights().text
    assert direct.settings.missing == []
