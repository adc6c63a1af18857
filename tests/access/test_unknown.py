"""A parameter that no route asks for is refused by its name and changes nothing: with every route
of the OpenAPI document, hence with each that is still to come.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.access import example_objects
from tests.database_writes import record_writes
from tests.openapi import rest_document
from tests.pinned_settings import pin
from tests.visitors import API, Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Person

SURPRISE = "surprise"
TAKES_A_BODY = {"POST", "PUT", "PATCH", "DELETE"}


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(method, address with holes after `/api/v1`, what the document says)."""
    for address, methods in rest_document()["paths"].items():
        for method, told in methods.items():
            yield method.upper(), address.removeprefix(API), told


@pytest.fixture
def holes(
    alice: Person, bob: Person, charlie: Person, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    pin(monkeypatch, "sql_server", example_objects.SQL_SERVER)
    return example_objects.build(alice, bob, charlie)


def _filled(address: str, holes: dict[str, str]) -> str:
    if address.startswith("/letters/"):
        holes = {**holes, "name": holes["letter"]}
    return address.format(**holes)


def _body(method: str, address: str, holes: dict[str, str]) -> dict[str, Any]:
    if address == "/plans/{plan_id}/approve":
        return {"digest": holes["digest"]}
    found: dict[str, Any] = example_objects.JSON_BODIES.get((method, address), {})
    return found


def _refused(answer: Any, writes: list[str]) -> list[str]:
    """What is wrong with a refusal."""
    if answer.status_code != 422:
        return [f"answers {answer.status_code}"]
    named = [error["field"] for error in problem(answer, 422)["errors"]]
    return [*([] if SURPRISE in named else [f"names {named}"]), *(["writes"] if writes else [])]


def test_a_parameter_that_no_route_asks_for(
    holes: dict[str, str], as_administrator: Visitor
) -> None:
    wrong = []
    for method, address, _told in operations():
        body = _body(method, address, holes) or None
        with record_writes() as writes:
            where = f"{_filled(address, holes)}?{SURPRISE}=1"
            answer = as_administrator.ask(method, where, body)
        wrong += [f"{method} {address} {one}" for one in _refused(answer, writes)]
    assert not wrong, "\n".join(wrong)


def test_a_member_that_no_body_has(holes: dict[str, str], as_administrator: Visitor) -> None:
    wrong = []
    for method, address, _told in operations():
        if method not in TAKES_A_BODY:
            continue
        body: dict[str, Any] = {**_body(method, address, holes), SURPRISE: None}
        with record_writes() as writes:
            answer = as_administrator.ask(method, _filled(address, holes), body)
        wrong += [f"{method} {address} {one}" for one in _refused(answer, writes)]
    assert not wrong, "\n".join(wrong)


def test_the_document_says_that_bodies_are_closed() -> None:
    schemas = rest_document()["components"]["schemas"]
    bodies = [told["requestBody"] for _, _, told in operations() if "requestBody" in told]
    named = {
        reference.rpartition("/")[2]
        for body in bodies
        for reference in _references(body["content"]["application/json"]["schema"])
    }
    assert named
    open_ = [name for name in named if schemas[name].get("additionalProperties") is not False]
    assert not open_


def _references(document: Any) -> Iterator[str]:
    inner = document.values() if isinstance(document, dict) else document
    if isinstance(document, dict) and "$ref" in document:
        yield document["$ref"]
    if isinstance(document, dict | list):
        for one in inner:
            yield from _references(one)


@pytest.mark.parametrize("name", ["", "\ud800", "a" * 3000, "__proto__", "%00", "owner.x"])
def test_odd_names_are_refused_like_others(as_administrator: Visitor, name: str) -> None:
    body = json.dumps({"label": "Herbarium", name: 1})
    for method, path in (("POST", "/projects"), ("POST", "/systems/drive/resume")):
        with record_writes() as writes:
            answer = as_administrator.ask(method, path, body)
        assert answer.status_code in {400, 422}, answer.content
        assert not writes


def test_a_body_that_says_nothing_is_none(as_administrator: Visitor) -> None:
    for method, path in (("POST", "/systems/drive/resume"), ("POST", "/systems/drive/pause")):
        assert as_administrator.ask(method, path, {}).status_code == 200
    something: list[Any] = [[], "null", '"text"']
    for nothing in something:
        problem(as_administrator.ask("POST", "/systems/drive/resume", nothing), 422)
    problem(as_administrator.ask("POST", "/systems/drive/resume", "{"), 400)


def test_what_is_unknown_is_said_together_with_what_is_wrong(as_alice: Visitor) -> None:
    answer = as_alice.ask("POST", "/projects?Limit=1", {"label": 5, "owner": "bob"})
    fields = {error["field"] for error in problem(answer, 422)["errors"]}
    assert fields == {"Limit", "label", "owner"}
    refused = problem(as_alice.ask("GET", "/projects?Limit=1"), 422)
    assert "Known parameters: q, limit, offset" in refused["errors"][0]["message"]
    assert refused["errors"][0]["code"] == "web.parameters"


def test_who_may_not_ask_is_told_that_first(as_nobody: Visitor, as_alice: Visitor) -> None:
    problem(as_nobody.ask("GET", f"/projects?{SURPRISE}=1"), 401)
    problem(as_alice.ask("GET", f"/registrations?{SURPRISE}=1"), 403)
