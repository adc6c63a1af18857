"""Bad requests get a problem document with the right status, never HTML and never our fault."""

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import RequestFactory

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.contract.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.web.api.gate import LARGEST_BODY, gate
from workspace_manager.web.api.router import api

NOT_THERE = uuid.UUID(int=7)


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/people/", "/people/a/b", "/registrations/x/approve/y", "/%00"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_an_unknown_route_is_not_found(as_nobody: Visitor, method: str, path: str) -> None:
    problem(as_nobody.ask(method, path), 404)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/people", "GET, HEAD"),
        ("PUT", "/me/tokens", "GET, HEAD, POST"),
        ("HEAD", "/tombstones/nobody/release", "POST"),
        ("OPTIONS", "/components", "GET, HEAD, POST"),
        ("TRACE", f"/components/{NOT_THERE}", "DELETE, GET, HEAD, PATCH"),
        ("GARBAGE", "/me", "GET, HEAD"),
    ],
)
def test_an_unknown_method_is_told_the_known_ones(
    as_alice: Visitor, method: str, path: str, allowed: str
) -> None:
    response = as_alice.ask(method, path)
    assert response.headers["Allow"] == allowed
    problem(response, 405) if method != "HEAD" else None


@pytest.mark.parametrize(
    "path",
    [
        "/registrations/nothing",
        "/registrations/1e400",
        f"/registrations/{NOT_THERE}",
        f"/plans/{NOT_THERE}",
        "/plans/%F0%9F%92%A3",
        f"/components/{'9' * 5000}",
        "/people/nobody-of-this-name",
        "/people/%00",
        "/people/%ED%A0%80",
        f"/people/{'a' * 5000}",
        "/systems/coffee_machine",
        f"/projects/{NOT_THERE}/members/bob",
        "/snapshots/../people",
    ],
)
def test_what_is_not_there_or_cannot_be_is_not_found(as_administrator: Visitor, path: str) -> None:
    problem(as_administrator.ask("GET", path), 404)


@pytest.mark.parametrize("n", ["0", "-1", "x", "1.5", "99", "9" * 30])
def test_a_step_that_cannot_be_is_not_found(as_administrator: Visitor, n: str) -> None:
    problem(as_administrator.ask("POST", f"/plans/{NOT_THERE}/steps/{n}/retry"), 404)


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=",
        "limit=ten",
        "limit=1.5",
        f"limit={'9' * 5000}",
        "offset=10001",
        "offset=-1",
        f"offset={2**63}",
        "offset=%00",
        "offset=%ED%A0%80",
        "status=approved&offset=NaN",
        "status=nonsense",
    ],
)
def test_lists_are_bounded(as_administrator: Visitor, query: str) -> None:
    problem(as_administrator.ask("GET", f"/registrations?{query}"), 422)


def test_the_furthest_page_of_a_list_is_empty(as_administrator: Visitor) -> None:
    for path in ("/people", "/plans", "/registrations", "/systems", "/components", "/projects"):
        answer = as_administrator.ask("GET", f"{path}?limit=200&offset=10000")
        assert answer.status_code == 200
        assert answer.json()["items"] == []


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"name": "\xff"}',
        b'{"name": NaN}',
        b'{"name": -Infinity}',
        b"[" * 30_000,
        b"1" * 10_000,
        b"name=form",
        b'{"name": "one", "name": "other"}',
        '{"name": "laptop"}'.encode("utf-16"),
    ],
)
def test_what_is_no_json_cannot_be_read(as_alice: Visitor, body: bytes) -> None:
    problem(as_alice.ask("POST", "/me/tokens", body), 400)


def test_a_text_that_is_too_long_is_counted_in_characters(as_alice: Visitor) -> None:
    answer = as_alice.ask("POST", "/me/tokens", {"name": "x" * 201})
    [error] = problem(answer, 422)["errors"]
    assert (error["field"], error["message"]) == ("name", "Use at most 200 characters.")


@pytest.mark.parametrize(
    "body",
    [
        "null",
        "[]",
        "1",
        '"name"',
        "{}",
        '{"name": null}',
        '{"name": 1}',
        '{"name": true}',
        '{"name": ["a"]}',
        '{"name": {"a": 1}}',
        '{"name": ""}',
        '{"name": "   "}',
        '{"name": "\\u0000"}',
        '{"name": "a\\u0000b"}',
        '{"name": "\\ud800"}',
        '{"name": "\\udc00\\ud800"}',
        json.dumps({"name": "x" * 101}),
        json.dumps({"name": "x" * 60_000}),
    ],
)
def test_a_body_that_does_not_fit_names_its_fields(as_alice: Visitor, body: str) -> None:
    document = problem(as_alice.ask("POST", "/me/tokens", body), 422)
    assert document["errors"][0]["field"] in {"body", "name", "label"}


def test_what_was_typed_is_not_repeated(as_nobody: Visitor) -> None:
    response = as_nobody.ask("POST", "/registrations", {"password": "canary-4711", "username": 5})
    assert "canary" not in response.content.decode()


def test_no_body_where_one_is_needed(as_alice: Visitor) -> None:
    assert problem(as_alice.ask("POST", "/me/tokens"), 422)["errors"][0]["field"] == "body"


def test_a_body_that_is_too_large_is_not_read(as_alice: Visitor) -> None:
    just = json.dumps({"name": "x"})
    fits = just + " " * (LARGEST_BODY - len(just))
    assert len(fits) == LARGEST_BODY
    assert as_alice.ask("POST", "/me/tokens", fits).status_code == 201
    problem(as_alice.ask("POST", "/me/tokens", fits + " "), 413)
    problem(as_alice.ask("POST", "/me/tokens", b"x" * 3_000_000), 413)
    problem(as_alice.ask("POST", "/nothing", b"x" * 3_000_000), 413)


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "json", ""]
)
def test_a_body_of_another_type_is_refused(as_alice: Visitor, kind: str) -> None:
    response = as_alice.generic("POST", "/api/v1/me/tokens", '{"name": "x"}', kind)
    problem(response, 415)


def test_json_with_a_charset_is_json(as_alice: Visitor) -> None:
    kind = "application/json; charset=utf-8"
    assert as_alice.generic("POST", "/api/v1/me/tokens", '{"name": "ö"}', kind).status_code == 201


def test_a_body_of_unknown_length_is_refused(rf: RequestFactory) -> None:
    request = rf.post("/api/v1/me/tokens", headers={"Transfer-Encoding": "chunked"})
    del request.META["CONTENT_LENGTH"]
    problem(gate(lambda _request: None)(request), 400)  # type: ignore[arg-type, return-value]


TROUBLE: list[tuple[Exception, int]] = [
    (
        Unavailable(
            quote_words("no answer"),
            kind="drive.account",
            doing=quote_words("asking"),
            retry_after=7.2,
        ),
        503,
    ),
    (Unavailable(quote_words("no answer"), kind="drive.account", doing=quote_words("asking")), 503),
    (Denied(quote_words("no"), kind="drive.account", doing=quote_words("asking")), 502),
    (Conflict(quote_words("no"), kind="drive.account", doing=quote_words("asking")), 502),
    (Invalid(quote_words("no"), kind="drive.account", doing=quote_words("asking")), 502),
    (NotFound(quote_words("no"), kind="drive.account", doing=quote_words("asking")), 502),
    (OperationalError("database is locked"), 503),
]


@pytest.mark.parametrize(("error", "status"), TROUBLE)
def test_trouble_of_systems_has_its_status(
    error: Exception, status: int, rf: RequestFactory
) -> None:
    response = api.on_exception(rf.get("/api/v1/me"), error)
    document = problem(response, status)
    if isinstance(error, Unavailable):
        assert response.headers["Retry-After"] == ("8" if error.retry_after else "30")
        assert document["detail"] == "Drive, asking: no answer"


@pytest.mark.django_db
def test_our_own_mistake_is_a_document_too(
    monkeypatch: pytest.MonkeyPatch, visitor_for: Callable[..., Visitor], alice: Any
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("canary-4711")

    monkeypatch.setattr(tokens, "create", broken)
    visitor = visitor_for(alice)
    visitor.raise_request_exception = False
    response = visitor.ask("POST", "/me/tokens", {"name": "x"})
    assert "canary" not in json.dumps(problem(response, 500))
