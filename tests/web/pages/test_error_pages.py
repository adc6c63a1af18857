"""A page that says what went wrong knows who reads it where that costs nothing, and never goes
wrong itself.
"""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.utils import translation

from tests.visitors import BACKEND
from workspace_manager.records.models import Person
from workspace_manager.web.messages import message
from workspace_manager.web.pages import errors

SIGNED_OUT = 'action="/sign-out"'


@pytest.fixture
def as_ada_again(ada: Person) -> Client:
    """Whose browser gets pages instead of tracebacks."""
    client = Client(raise_request_exception=False)
    client.force_login(ada, backend=BACKEND)
    return client


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("the secret cause")


def test_nothing_here(as_ada_again: Client) -> None:
    page = as_ada_again.get("/no-such-page")
    assert page.status_code == 404
    assert_ada(page)


def test_not_for_this_one(bob: Person) -> None:
    client = Client()
    client.force_login(bob, backend=BACKEND)
    page = client.get("/manage/people")
    assert page.status_code == 403
    assert "Bob" in page.content.decode()
    assert SIGNED_OUT in page.content.decode()


def test_without_the_proof(ada: Person) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada, backend=BACKEND)
    page = client.post("/projects/new", {"label": "x"})
    assert page.status_code == 403
    assert_ada(page)


def test_our_mistake(as_ada_again: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workspace_manager.web.pages.projects.render", broken)
    page = as_ada_again.get("/projects")
    assert page.status_code == 500
    assert "secret cause" not in page.content.decode()
    assert_ada(page)
    # Whoever reads it can sign out with it.
    assert "csrfmiddlewaretoken" in page.content.decode()


def assert_ada(page: Any) -> None:
    text = page.content.decode()
    assert SIGNED_OUT in text
    assert "Ada" in text
    assert "Sign in" not in text


def test_visitors_are_told_so_too(db: None) -> None:
    page = Client().get("/no-such-page").content.decode()
    assert "Sign in" in page
    assert SIGNED_OUT not in page


@pytest.mark.parametrize(
    ("show", "status"),
    [
        (lambda request: errors.bad_request(request, ValueError()), 400),
        (lambda request: errors.forbidden(request, PermissionError("why")), 403),
        (errors.forged, 403),
        (lambda request: errors.not_found(request, KeyError()), 404),
        (errors.too_large, 413),
        (lambda request: errors.too_often(request, 7), 429),
        (errors.server_error, 500),
        (lambda request: errors.not_now(request, message("nothing_now")), 503),
    ],
)
def test_none_asks_the_database(
    show: Callable[[Any], Any], status: int, ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither for a session that was not read yet, nor for what waits behind a link."""
    client = Client()
    client.force_login(ada, backend=BACKEND)
    known = client.get("/projects").wsgi_request
    assert known.user == ada
    unread = client.get("/register").wsgi_request
    unread.__dict__.pop("user", None)
    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", down)
        for language in ("en", "de"):
            with translation.override(language):
                page = show(known)
                assert page.status_code == status
                assert SIGNED_OUT in page.content.decode()
                assert SIGNED_OUT not in show(unread).content.decode()


def down(*_: object, **__: object) -> None:
    raise DatabaseError("the disk is gone")


def test_the_page_of_a_database_that_is_down(
    as_ada_again: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", down)
        pages = [as_ada_again.get(one) for one in ("/projects", "/no-such-page", "/api/v1/me")]
    for page in pages:
        assert page.status_code == 500
        assert "disk is gone" not in page.content.decode()
