"""The table from answers to errors, row by row, with bodies as recorded."""

import httpx
import pytest

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
from workspace_manager.systems.triplestore.refusals import refusal, require

HTML = "text/html; charset=utf-8"
JSON = "application/json"
PAGE = "\n<!doctype html>\n<html><head><title>x</title></head></html>"


def answer(status: int, content_type: str, body: str = "", **headers: str) -> Answer:
    found = {"Content-Type": content_type, **{k.replace("_", "-"): v for k, v in headers.items()}}
    return Answer(
        "GET",
        "/x",
        status,
        httpx.Headers(found),
        body.encode(),
        "triplestore.user",
        quote_words("reading the account"),
    )


@pytest.mark.parametrize(
    ("status", "content_type", "body", "expected"),
    [
        (302, HTML, "", Denied),
        (401, JSON, '{"detail":"Invalid username/password."}', Denied),
        (403, "text/plain", "Forbidden (HTTP status 403)\n", Denied),
        (404, JSON, '{"detail":"No User matches the given query."}', NotFound),
        (404, "text/plain;charset=utf-8", "Unknown repository: ts-x", NotFound),
        (404, HTML, "", Denied),
        (404, HTML, PAGE, Invalid),
        (400, HTML, "An account with the given username already exists.", Conflict),
        (400, JSON, '{"error": {"message": "UNIQUE constraint failed: x", "cls": "y"}}', Conflict),
        (409, "text/plain", "REPOSITORY EXISTS: repository already exists: bare", Conflict),
        (400, JSON, '{"message": "Unknown settings key foo"}', Invalid),
        (
            400,
            JSON,
            '{"non_field_errors":["Unable to log in with provided credentials."]}',
            Denied,
        ),
        (400, JSON, '{"non_field_errors":7}', Invalid),
        (400, HTML, PAGE, Invalid),
        (405, JSON, '{"detail":"Method \\"POST\\" not allowed."}', Invalid),
        (406, "text/plain", "No acceptable file format found.", Invalid),
        (413, "text/html", PAGE, Invalid),
        (415, "text/plain", "Unsupported MIME type: null", Invalid),
        (429, HTML, "", Unavailable),
        (500, HTML, PAGE, Unavailable),
        (500, JSON, '{"message": "Unknown authority. One of ROLE_ADMIN"}', Unavailable),
        (502, "text/html", PAGE, Unavailable),
        (503, "text/plain", "", Unavailable),
        (200, HTML, PAGE, Invalid),
    ],
)
def test_each_row(
    status: int, content_type: str, body: str, expected: type[ConnectorError]
) -> None:
    found = refusal(answer(status, content_type, body, Location="/admin?next=/rest"))
    assert type(found) is expected
    assert found is not None
    assert found.doing == "reading the account"


def test_an_empty_404_means_absent_on_graphdb() -> None:
    assert isinstance(refusal(answer(404, HTML), flavour="graphdb"), NotFound)


def test_a_redirect_elsewhere_is_not_a_missing_right() -> None:
    assert isinstance(refusal(answer(301, HTML, Location="/rest/x/")), Invalid)


def test_what_was_done_is_no_refusal() -> None:
    assert refusal(answer(201, HTML)) is None
    assert refusal(answer(200, "application/n-quads", "<a> <b> <c> .")) is None
    with pytest.raises(Invalid):
        require(answer(200, HTML), 201)


def test_a_429_says_when_to_come_back() -> None:
    found = refusal(answer(429, HTML, Retry_After="17"))
    assert found is not None
    assert found.retry_after == 17
