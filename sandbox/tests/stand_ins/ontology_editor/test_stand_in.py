"""Behaviour of the real editor that the stand-in reproduces; each line was seen in a recorded
exchange.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.systems.ontology_editor.conftest import KEY
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn
from workspace_sandbox.stand_ins.ontology_editor.pages import jackson

Send = Callable[..., httpx.Response]
BODY = {"projectOwner": "alice", "displayName": "Pottery", "langTag": "EN-GB", "description": ""}
UNKNOWN = "00000000-0000-4000-8000-000000000000"


def sender(stand_in: OntologyEditorStandIn) -> Send:
    def send(method: str, path: str, *, key: str = KEY, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"apikey {key}"} if key else {}
        headers |= more.pop("headers", {})
        return httpx.request(method, stand_in.url + path, headers=headers, **more)

    return send


@pytest.fixture
def send(stand_in: OntologyEditorStandIn) -> Send:
    for user in ("alice", "bob", "carol", "t"):
        stand_in.add_key(f"key-of-{user}", user)
    return sender(stand_in)


@pytest.fixture
def project(send: Send) -> str:
    return str(send("POST", "/data/projects", json=BODY).json()["_id"])


def test_a_project_is_created_again_and_again(send: Send) -> None:
    one, two = (send("POST", "/data/projects", json=BODY) for _ in range(2))
    assert one.status_code == 201
    assert one.headers["location"].endswith(one.json()["_id"])
    assert one.json()["defaultLanguage"]["lang"] == "en-gb"
    assert one.json()["createdBy"] == "alice"
    assert one.json()["_id"] != two.json()["_id"]


@pytest.mark.parametrize(
    "value", ["Basic x", "Bearer " + KEY, KEY, f"apikey {KEY} x", "apikey key-of-t"]
)
def test_whoever_has_no_key_gets_a_page(send: Send, value: str) -> None:
    found = send("GET", "/data/projects", key="", headers={"Authorization": value})
    assert (found.status_code, found.headers["content-type"]) == (401, "text/html;charset=utf-8")
    assert "www-authenticate" not in found.headers


@pytest.mark.parametrize(
    ("body", "status", "kind", "said"),
    [
        ("", 400, "application/json", "Missing new project details in body of POST"),
        ("null", 400, "application/json", "Missing new project details in body of POST"),
        ("{", 400, "text/plain", "Unexpected end-of-input"),
        ("[]", 400, "text/plain", "START_ARRAY"),
        (
            '{"projectOwner": "a", "displayName": "b", "langTag": "en"}',
            400,
            "text/plain",
            "Null getProjectDescription",
        ),
        (
            '{"projectOwner": 7, "displayName": "b", "langTag": "en", "description": ""}',
            400,
            "text/plain",
            "UserId",
        ),
        (
            '{"projectOwner": {}, "displayName": 5, "langTag": "", "description": ""}{"x": 1}',
            201,
            "application/json",
            '"guest"',
        ),
    ],
)
def test_bodies_are_read_as_jackson_does(
    send: Send, body: str, status: int, kind: str, said: str
) -> None:
    found = send(
        "POST", "/data/projects", content=body, headers={"Content-Type": "application/json"}
    )
    assert (found.status_code, found.headers["content-type"]) == (status, kind)
    assert said in found.text


def test_creating_needs_the_role(send: Send) -> None:
    found = send("POST", "/data/projects", key="key-of-alice", json=BODY)
    assert found.status_code == 403
    assert found.json()["message"] == "You do not have permission for CreateEmptyProject"
    unreadable = send(
        "POST",
        "/data/projects",
        key="key-of-alice",
        content="{",
        headers={"Content-Type": "application/json"},
    )
    assert unreadable.status_code == 400


def test_routing_comes_before_the_key(send: Send, project: str) -> None:
    for method, path, status in (
        ("GET", "/data/projects/pottery", 404),
        ("GET", f"/data/projects/{project.upper()}", 404),
        ("GET", "/data/projects/..%2Fprojects", 400),
        ("DELETE", f"/data/projects/{project}", 401),
    ):
        found = send(method, path, key="")
        assert (found.status_code, "link" in found.headers) == (status, False)
    assert send("GET", "/data/projects", headers={"Accept": "text/html"}).status_code == 406
    assert (
        send(
            "POST", "/data/projects", content="{}", headers={"Content-Type": "text/plain"}
        ).status_code
        == 415
    )


def test_a_missing_project_has_a_link(send: Send) -> None:
    for method in ("GET", "DELETE"):
        found = send(method, f"/data/projects/{UNKNOWN}")
        assert found.status_code == 404
        assert found.headers["link"].endswith(f'/data/projects/{UNKNOWN}>; rel="self"')


def test_the_trash_keeps_everything(send: Send, project: str) -> None:
    assert send("DELETE", f"/data/projects/{project}", key="key-of-bob").status_code == 403
    for _ in range(2):
        assert send("DELETE", f"/data/projects/{project}", key="key-of-alice").status_code == 204
    assert send("GET", f"/data/projects/{project}").json()["inTrash"]
    assert [one["inTrash"] for one in send("GET", "/data/projects").json()] == [True]


def test_members_are_replaced_and_refused_in_order(send: Send, project: str) -> None:
    def put(name: str, body: Any, key: str = KEY, at: str = project) -> tuple[int, str]:
        found = send("PUT", f"/data/projects/{at}/collaborators/{name}", key=key, json=body)
        return found.status_code, found.json().get("message", "") if found.content[
            :1
        ] == b"{" else ""

    edit = {"permission": "EDIT"}
    assert put("bob", edit) == (204, "")
    assert put("bob", {"permission": 0}) == (204, "")
    assert put("bob", {}) == (400, "Missing permission in body of PUT")
    assert put("bob", {"permission": "edit"}) == (400, "")
    assert put("bob", edit, at=UNKNOWN)[0] == 404
    assert put("est", edit, "key-of-bob") == (
        403,
        "You do not have permission to edit sharing settings",
    )
    assert put("est", edit) == (400, "The guest user cannot be a collaborator")
    assert put("%20", edit) == (400, "Collaborator user name must not be empty")
    assert put("alice", edit) == (400, "Cannot change sharing settings for the project owner")
    assert send("GET", "/data/projects", key="key-of-bob").json()[0]["projectId"] == project
    for _ in range(2):
        assert send("DELETE", f"/data/projects/{project}/collaborators/bob").status_code == 204
    assert send("GET", "/data/projects", key="key-of-bob").json() == []


def test_the_owner_gets_roles_on_a_patched_server_alone(
    upstream: OntologyEditorStandIn, send: Send, project: str
) -> None:
    def may_download(ask: Send) -> list[bool]:
        listed = ask("GET", "/data/projects", key="key-of-alice").json()
        return [one["downloadable"] for one in listed]

    assert may_download(send) == [True]
    upstream.add_key("key-of-alice", "alice")
    ask = sender(upstream)
    other = ask("POST", "/data/projects", json=BODY).json()["_id"]
    assert may_download(ask) == [False]
    assert ask("DELETE", f"/data/projects/{other}").headers["allow"] == "GET,OPTIONS"
    member = f"/data/projects/{other}/collaborators/bob"
    assert ask("PUT", member, json={"permission": "EDIT"}).status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [("PUT", "axioms"), ("POST", "axioms"), ("GET", "revisions/1"), ("OPTIONS", "")],
)
def test_what_nobody_calls_is_not_imitated(
    send: Send, project: str, method: str, path: str
) -> None:
    answer = send(method, f"/data/projects/{project}/{path}")
    assert (answer.status_code, answer.json()["type"]) == (501, NOT_SERVED)


def test_trouble_is_a_page_that_blames_the_start(
    stand_in: OntologyEditorStandIn, send: Send
) -> None:
    httpx.post(f"{stand_in.control_url}/database", json={"state": "down"})
    assert send("GET", "/data/projects", key="").status_code == 401
    found = send("GET", "/data/projects")
    assert found.status_code == 500
    assert "Initialization Error" in found.text
    httpx.post(f"{stand_in.control_url}/database", json={"state": "gone"})
    assert send("GET", "/", key="").status_code == 500


def test_json_is_printed_as_jackson_prints_it() -> None:
    found = {"a": {}, "b": [], "c": [{"d": "ö\U0001f3fa\x00"}], "e": [1, True, None]}
    assert jackson(found) == (
        '{\n  "a" : { },\n  "b" : [ ],\n  "c" : [ {\n    "d" : '
        '"ö\\uD83C\\uDFFA\\u0000"\n  } ],\n  "e" : [ 1, true, null ]\n}'
    )


def test_everything_survives_a_kill(tmp_path: Path) -> None:
    first = OntologyEditorStandIn(data_dir=tmp_path, api_key=KEY)
    with running(first):
        made = sender(first)("POST", "/data/projects", json=BODY).json()["_id"]
    second = OntologyEditorStandIn(data_dir=tmp_path, api_key="another")
    with running(second):
        assert sender(second)("GET", f"/data/projects/{made}").status_code == 200
        assert httpx.get(f"{second.control_url}/state").json()["projects"][made]["owner"] == "alice"
    assert KEY not in (tmp_path / "ontology_editor.json").read_text()


def test_the_front_page_says_what_it_is(send: Send) -> None:
    assert "stand-in" in send("GET", "/", key="").text
