"""Behaviour of the real triplestore that the stand-in reproduces; each line was seen in a recorded
exchange.
"""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.systems.triplestore.conftest import ADMIN_PASSWORD
from workspace_sandbox.routes import NOT_SERVED
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.triplestore import TriplestoreStandIn

Send = Callable[..., httpx.Response]
NQUADS = """<http://ex.org/a> <http://ex.org/p> "default graph" .
<http://ex.org/a> <http://ex.org/p> "in g1" <http://ex.org/g1> .
<http://ex.org/b> <http://ex.org/p> "gr\\u00FC\\u00DFe"@de <http://ex.org/g2> .
_:b0 <http://ex.org/p> "12" <http://ex.org/g2> .
"""
PLAIN = {"password": "pw-1", "grantedAuthorities": ["ROLE_USER"]}


@pytest.fixture
def send(opengdb: TriplestoreStandIn) -> Send:
    """Send as the administrator unless told otherwise; `to` is the path."""

    def send(method: str, to: str, *, who: str = "admin", **more: Any) -> httpx.Response:
        secret = {"admin": ADMIN_PASSWORD}.get(who, "pw-1")
        basic = base64.b64encode(f"{who}:{secret}".encode()).decode()
        headers = {"Authorization": f"Basic {basic}"} if who else {}
        headers |= more.pop("headers", {})
        return httpx.request(method, opengdb.url + to, headers=headers, **more)

    return send


def rights(send: Send, *granted: str) -> list[str]:
    send("PUT", "/rest/security/users/alice", json={"grantedAuthorities": list(granted)})
    found = send("GET", "/rest/security/users/alice").json()["grantedAuthorities"]
    return [str(one) for one in found]


@pytest.fixture
def alice(send: Send) -> None:
    send("POST", "/rest/security/users/alice", json=PLAIN)
    send("POST", "/rest/repositories", json={"id": "ts-a", "title": "A"})


def test_without_the_right_one_is_sent_to_a_login_page(send: Send, alice: None) -> None:
    for who in ("", "alice"):
        found = send("DELETE", "/rest/security/users/x", who=who)
        assert found.status_code == 302
        assert found.headers["location"] == "/admin?next=/rest/security/users/x"


def test_wrong_credentials_are_refused_everywhere(send: Send) -> None:
    for path in ("/rest/security/users", "/rest/repositories", "/repositories/ts-none"):
        found = send("GET", path, headers={"Authorization": "Token 0"})
        assert (found.status_code, found.json()) == (401, {"detail": "Invalid token."})
        assert found.headers["www-authenticate"] == "Token"


def test_a_token_is_given_for_a_form_alone(send: Send) -> None:
    body = {"username": " admin ", "password": ADMIN_PASSWORD}
    found = send("POST", "/api-token-auth/", who="", data=body)
    assert len(found.json()["token"]) == 40
    refused = send("POST", "/api-token-auth/", who="", json=body)
    assert refused.json() == {field: ["This field is required."] for field in body}
    wrong = send("POST", "/api-token-auth/", who="", data=body | {"password": "x"})
    assert wrong.json() == {"non_field_errors": ["Unable to log in with provided credentials."]}


def test_a_user_is_created_once_and_half_made_by_an_error(send: Send) -> None:
    made = send("POST", "/rest/security/users/alice", json=PLAIN)
    assert (made.status_code, made.text) == (201, "")
    again = send("POST", "/rest/security/users/alice", json=PLAIN)
    assert (again.status_code, again.text) == (
        400,
        "An account with the given username already exists.",
    )
    half = send(
        "POST",
        "/rest/security/users/half",
        json={"password": "pw-1", "grantedAuthorities": ["FOO"]},
    )
    assert half.status_code == 500
    assert "Unknown authority" in half.json()["message"]
    assert send("GET", "/rest/security/users/half").json()["grantedAuthorities"] == ["ROLE_USER"]
    assert send("GET", "/rest/repositories", who="half").status_code == 401
    assert send("PUT", "/rest/security/users/half", json=PLAIN).status_code == 200
    assert send("GET", "/rest/repositories", who="half").status_code == 200


def test_rights_only_add_up_and_a_refused_change_takes_them(send: Send, alice: None) -> None:
    both = rights(send, "ROLE_USER", "READ_REPO_ts-a", "WRITE_REPO_ts-a")
    assert rights(send, "ROLE_USER", "READ_REPO_ts-a") == both
    trick = {"grantedAuthorities": ["ROLE_REPO_MANAGER"], "x-revoke": 1}
    assert send("PUT", "/rest/security/users/alice", json=trick).status_code == 400
    assert send("GET", "/rest/security/users/alice").json()["grantedAuthorities"] == ["ROLE_USER"]


def test_a_password_change_keeps_the_token_and_a_deletion_ends_it(send: Send, alice: None) -> None:
    form = {"username": "alice", "password": "pw-1"}
    token = send("POST", "/api-token-auth/", who="", data=form).json()["token"]
    headers = {"Authorization": f"Token {token}"}
    send("PUT", "/rest/security/users/alice", json={"password": "pw-2"})
    assert send("GET", "/rest/repositories", headers=headers).status_code == 200
    assert send("DELETE", "/rest/security/users/alice").status_code == 204
    assert send("GET", "/rest/repositories", headers=headers).status_code == 401
    missing = send("DELETE", "/rest/security/users/alice")
    assert (missing.status_code, missing.json()) == (
        404,
        {"detail": "No User matches the given query."},
    )


def test_creating_an_id_again_deletes_its_data_and_then_breaks_it(send: Send, alice: None) -> None:
    headers = {"Content-Type": "application/n-quads"}
    send("POST", "/repositories/ts-a/statements", content=NQUADS, headers=headers)
    again = {"id": "ts-a"}
    assert send("POST", "/rest/repositories", who="", json=again).status_code == 500
    lost = send("GET", "/repositories/ts-a/size")
    assert (lost.status_code, lost.text) == (404, "Unknown repository: ts-a")
    broken = send("POST", "/rest/repositories", json=again)
    assert "UNIQUE constraint failed" in broken.json()["error"]["message"]
    assert len(send("GET", "/rest/repositories").json()) == 2
    for method, path in (("GET", "/repositories/ts-a/size"), ("DELETE", "/rest/repositories/ts-a")):
        assert send(method, path).status_code == 500


def test_a_deletion_while_the_store_is_down_leaves_an_orphan(
    send: Send, opengdb: TriplestoreStandIn, alice: None
) -> None:
    opengdb.local.down = True
    assert send("DELETE", "/rest/repositories/ts-a", who="").status_code == 200
    opengdb.local.down = False
    assert send("GET", "/rest/repositories").json() == []
    assert "ts-a" in send("GET", "/repositories", who="").text
    assert send("GET", "/repositories/ts-a/size").json()["detail"].startswith("No Repository")
    assert send("POST", "/rest/repositories", json={"id": "ts-a"}).status_code == 500
    assert send("POST", "/rest/repositories", json={"id": "ts-a"}).status_code == 200


def test_data_is_shown_to_whoever_may_read_it(send: Send, alice: None) -> None:
    write = {"Content-Type": "application/n-quads"}
    path = "/repositories/ts-a/statements"
    for who in ("", "alice"):
        hidden = send("GET", path, who=who)
        assert (hidden.status_code, hidden.text) == (404, "")
    rights(send, "READ_REPO_ts-a")
    assert send("POST", path, who="alice", content=NQUADS, headers=write).status_code == 404
    assert send("POST", path, content=NQUADS, headers=write).status_code == 204
    dump = send("GET", path, who="alice", headers={"Accept": "application/n-quads"})
    assert dump.headers["content-type"] == "application/n-quads; charset=UTF-8"
    assert sorted(len(line.split(" <http://ex.org/g")) for line in dump.text.splitlines()) == [
        1,
        2,
        2,
        2,
    ]
    assert send("GET", "/repositories/ts-a/size", who="alice").text == "4"
    assert send("GET", "/repositories/ts-a/size?context=null", who="alice").text == "1"


def test_queries_see_the_union_of_all_graphs(send: Send, alice: None) -> None:
    write = {"Content-Type": "application/n-quads"}
    send("POST", "/repositories/ts-a/statements", content=NQUADS, headers=write)
    count = "SELECT (COUNT(*) AS ?n) {} WHERE {{ ?s ?p ?o }}"
    nil = "FROM <http://www.openrdf.org/schema/sesame#nil>"
    for source, expected in (("", "4"), (nil, "1"), ("FROM <http://ex.org/g1>", "1")):
        found = send(
            "POST",
            "/repositories/ts-a",
            content=count.format(source),
            headers={
                "Content-Type": "application/sparql-query",
                "Accept": "application/sparql-results+json",
            },
        )
        assert found.json()["results"]["bindings"][0]["n"]["value"] == expected
    wrong = send("GET", "/repositories/ts-a?query=SELEKT")
    assert wrong.status_code == 400
    assert wrong.text.startswith("MALFORMED QUERY: ")
    update = send(
        "POST", "/repositories/ts-a/statements", data={"update": "CLEAR GRAPH <http://ex.org/g2>"}
    )
    assert update.status_code == 204
    assert send("GET", "/repositories/ts-a/size").text == "2"


def test_a_graph_without_statements_is_none(send: Send, alice: None) -> None:
    """RDF4J keeps statements, not graphs: emptying an absent one is no error, and an emptied one is
    listed no more.
    """
    path = "/repositories/ts-a"
    write = {"Content-Type": "text/x-nquads"}
    assert send("PUT", f"{path}/statements", content=NQUADS, headers=write).status_code == 204
    for graph in ("http://ex.org/g2", "http://ex.org/absent"):
        for verb in ("CLEAR", "DROP"):
            update = {"update": f"{verb} GRAPH <{graph}>"}
            assert send("POST", f"{path}/statements", data=update).status_code == 204
    asked = {"query": "SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }"}
    shown = send("GET", path, params=asked, headers={"Accept": "application/sparql-results+json"})
    names = [row["g"]["value"] for row in shown.json()["results"]["bindings"]]
    assert "http://ex.org/g1" in names
    assert not {"http://ex.org/g2", "http://ex.org/absent"} & set(names)


def test_a_restore_replaces_and_a_broken_one_changes_nothing(send: Send, alice: None) -> None:
    path, write = "/repositories/ts-a/statements", {"Content-Type": "text/x-nquads"}
    for _ in range(2):
        assert send("PUT", path, content=NQUADS, headers=write).status_code == 204
    assert send("PUT", path, content="nonsense", headers=write).status_code == 400
    assert send("GET", "/repositories/ts-a/size").text == "4"
    assert send("PUT", path, content="", headers=write).status_code == 204
    assert send("GET", "/repositories/ts-a/size").text == "0"
    assert send("POST", path, content="x").text == "Unsupported MIME type: null"


REPOSITORY = "/rest/repositories/ts-a"
QUERY = "/repositories/ts-a"


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "/rest/security", {"headers": {"Authorization": "Token 0"}}, 404),
        ("PUT", REPOSITORY, {"json": []}, 204),
        ("PUT", REPOSITORY, {"json": "x"}, 204),
        ("PUT", REPOSITORY, {"json": ["title"]}, 500),
        ("PUT", REPOSITORY, {"json": 5}, 500),
        ("POST", QUERY, {"content": "ASK {}"}, 500),
        ("POST", QUERY, {"content": "ASK {}", "headers": {"Content-Type": ""}}, 415),
        ("POST", "/rest/repositories", {"json": {"id": "x" * 256}}, 500),
        ("POST", "/rest/repositories", {"json": {"id": "\u00fc" * 128}}, 500),
        ("POST", "/rest/repositories", {"json": {"id": "x" * 255}}, 200),
    ],
)
def test_what_it_says_to_odd_calls(
    send: Send, alice: None, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    """A path nobody serves asks for no credentials; a list or a text is asked for keys as a
    document is; an id has to do as the name of a folder.
    """
    assert send(method, path, **more).status_code == status
    listed = [one["id"] for one in send("GET", "/rest/repositories").json()]
    assert ("ts-a" in listed, len(listed)) == (True, 2 if status == 200 else 1)


def test_everything_survives_a_kill(tmp_path: Path) -> None:
    first = TriplestoreStandIn(data_dir=tmp_path, admin_password=ADMIN_PASSWORD)
    with running(first):
        admin = ("admin", ADMIN_PASSWORD)
        httpx.post(f"{first.url}/rest/repositories", json={"id": "ts-a"})
        headers = {"Content-Type": "application/n-quads"}
        path = "/repositories/ts-a/statements"
        httpx.post(first.url + path, content=NQUADS, headers=headers, auth=admin)
    second = TriplestoreStandIn(data_dir=tmp_path, admin_password="another")
    with running(second):
        again = ("admin", "another")
        assert httpx.get(f"{second.url}/repositories/ts-a/size", auth=again).text == "4"
        assert httpx.post(f"{second.control_url}/reset").status_code == 200
        assert httpx.get(f"{second.control_url}/state").json()["stored"] == {}
    assert ADMIN_PASSWORD not in json.dumps(second.state)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/repositories/ts-a/config"),
        ("DELETE", "/repositories/ts-a/statements"),
        ("PATCH", "/rest/security/users/alice"),
        ("GET", "/admin/"),
    ],
)
def test_what_nobody_calls_is_not_imitated(send: Send, method: str, path: str) -> None:
    answer = send(method, path)
    assert (answer.status_code, answer.json()["type"]) == (501, NOT_SERVED)


def test_the_front_page_says_what_it_is(send: Send) -> None:
    assert "stand-in" in send("GET", "/", who="").text


@pytest.mark.parametrize(("status", "title"), [(502, "Bad Gateway"), (504, "Gateway Time-out")])
def test_the_proxy_answers_for_an_application_that_is_down(
    send: Send, opengdb: TriplestoreStandIn, status: int, title: str
) -> None:
    httpx.post(f"{opengdb.control_url}/storage", json={"proxy_status": status})
    answer = send("DELETE", "/rest/security/users/alice")
    assert (answer.status_code, answer.headers["content-type"]) == (status, "text/html")
    assert f"<h1>{status} {title}</h1>" in answer.text
    httpx.post(f"{opengdb.control_url}/storage", json={})
    assert send("DELETE", "/rest/security/users/alice").status_code == 404
