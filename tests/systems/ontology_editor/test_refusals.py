"""The table from answers to errors, row by row."""

import httpx
import pytest

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid, NotFound, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.systems.ontology_editor.refusals import refusal

HTML = "text/html;charset=utf-8"
JSON = "application/json"


def answer(
    status: int, content_type: str, path: str = "/data/projects/x", **headers: str
) -> Answer:
    found = httpx.Headers({"Content-Type": content_type, **headers})
    return Answer(
        "PUT", path, status, found, b"<html>", "ontology_editor.project", quote_words("reading it")
    )


@pytest.mark.parametrize(
    ("status", "content_type", "expected"),
    [
        (401, HTML, Denied),
        (403, JSON, Denied),
        (404, HTML, Invalid),
        (405, HTML, Invalid),
        (400, "text/plain", Invalid),
        (400, JSON, Invalid),
        (406, HTML, Invalid),
        (415, HTML, Invalid),
        (302, HTML, Invalid),
        (429, HTML, Unavailable),
        (500, HTML, Unavailable),
        (502, HTML, Unavailable),
        (503, HTML, Unavailable),
        (200, HTML, Invalid),
    ],
)
def test_each_row(status: int, content_type: str, expected: type[ConnectorError]) -> None:
    found = refusal(answer(status, content_type))
    assert type(found) is expected


def test_a_404_with_a_link_is_a_missing_project() -> None:
    assert isinstance(refusal(answer(404, HTML, Link='<x>; rel="self"')), NotFound)


@pytest.mark.parametrize("link", ["</style.css>; rel=preload; as=style", '<x>; rel="next"', ""])
def test_a_404_with_another_link_is_no_missing_project(link: str) -> None:
    assert isinstance(refusal(answer(404, HTML, Link=link)), Invalid)


@pytest.mark.parametrize("link", ["<x>; rel=self", "</s.css>; rel=preload, <x>;rel='self'"])
def test_the_link_may_be_spelled_otherwise(link: str) -> None:
    assert isinstance(refusal(answer(404, HTML, Link=link)), NotFound)


def test_an_unpatched_server_is_named() -> None:
    for one in (answer(405, HTML), answer(404, HTML, "/data/projects/x/collaborators/bob")):
        found = refusal(one)
        assert found is not None
        assert "patch" in found.advice


def test_what_was_done_is_no_refusal() -> None:
    assert refusal(answer(204, "")) is None
    assert refusal(answer(201, JSON)) is None
