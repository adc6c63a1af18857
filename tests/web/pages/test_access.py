"""The rights to open pages: every address of the table, asked by everybody."""

import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.test import Client, RequestFactory
from django.urls import URLPattern, get_resolver, reverse

from workspace_manager.records.models import Person
from workspace_manager.web.pages import errors, urls
from workspace_manager.web.pages.access import Role

SAMPLES = {"username": "somebody", "n": 1, "name": "drive"}


def address(pattern: URLPattern) -> str:
    """The pattern with something in its holes that does not exist."""
    holes = {name: SAMPLES.get(name, uuid.uuid4()) for name in pattern.pattern.converters}
    return reverse(pattern.name or "", kwargs=holes)


PAGES = [pytest.param(pattern, id=pattern.name) for pattern in urls.urlpatterns]


def request_page(client: Client, pattern: URLPattern) -> int:
    method = pattern.callback.methods[0].lower()  # type: ignore[attr-defined]
    status: int = getattr(client, method)(address(pattern)).status_code
    return status


@pytest.mark.one_in(3)
@pytest.mark.parametrize("pattern", PAGES)
def test_nobody_is_sent_to_sign_in(pattern: URLPattern, visitor: Client) -> None:
    role = pattern.callback.role  # type: ignore[attr-defined]
    method = pattern.callback.methods[0].lower()  # type: ignore[attr-defined]
    response = getattr(visitor, method)(address(pattern))
    if role is Role.ANYONE:
        assert "/sign-in" not in response.headers.get("Location", "")
    else:
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/sign-in?next=")


@pytest.mark.one_in(2)
@pytest.mark.one_in(3)
@pytest.mark.parametrize("pattern", PAGES)
def test_members_do_not_administer(pattern: URLPattern, as_anna: Client) -> None:
    status = request_page(as_anna, pattern)
    if pattern.callback.role not in {Role.ANYONE, Role.SIGNED_IN}:  # type: ignore[attr-defined]
        assert status == 403
    else:
        assert status in {200, 302, 404, 409, 422}


@pytest.mark.one_in(3)
@pytest.mark.one_in(3)
@pytest.mark.parametrize("pattern", PAGES)
def test_other_methods_are_refused(pattern: URLPattern, as_ada: Client) -> None:
    assert as_ada.put(address(pattern)).status_code == 405


@pytest.mark.parametrize("pattern", PAGES)
def test_every_page_has_a_role(pattern: URLPattern) -> None:
    assert isinstance(pattern.callback.role, Role)  # type: ignore[attr-defined]


def test_the_page_that_was_asked_for_opens_after_signing_in(visitor: Client) -> None:
    assert (
        visitor.get("/manage/people?q=x").headers["Location"]
        == "/sign-in?next=%2Fmanage%2Fpeople%3Fq%3Dx"
    )


def test_a_live_part_sends_the_whole_page_to_sign_in(visitor: Client) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/manage/plans"}
    response = visitor.get(f"/manage/plans/{uuid.uuid4()}/progress", headers=headers)
    assert response.headers["HX-Redirect"] == "/sign-in?next=%2Fmanage%2Fplans"


def test_somebody_who_was_suspended_is_nobody(as_anna: Client, anna: Person) -> None:
    Person.objects.filter(id=anna.id).update(state=Person.State.SUSPENDED)
    assert as_anna.get("/components").status_code == 302


def test_forms_need_their_token(anna: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(anna, backend="allauth.account.auth_backends.AuthenticationBackend")
    response = strict.post("/projects/new", {"label": "x"})
    assert response.status_code == 403
    assert "Go back, reload the page and send the form again." in response.content.decode()


def test_handlers_are_ours() -> None:
    for status in (400, 403, 404, 500):
        handler = get_resolver().resolve_error_handler(status)
        assert handler.__module__ == "workspace_manager.web.errors"


def test_a_page_that_is_not_there_says_what_to_do(as_anna: Client) -> None:
    response = as_anna.get("/nothing/here")
    assert response.status_code == 404
    assert "Page not found" in response.content.decode()


def test_a_page_that_broke_needs_neither_session_nor_database(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    request = RequestFactory().get("/anything")
    with django_assert_num_queries(0):
        response = errors.server_error(request)
    page = response.content.decode()
    assert response.status_code == 500
    assert "Something went wrong on our side" in page
    assert "/sign-out" not in page


def test_what_no_database_keeps_is_not_understood(as_ada: Client, anna: Person) -> None:
    """PostgreSQL would answer with an error: a page that broke."""
    assert as_ada.get("/manage/people", {"q": "\x00"}).status_code == 400
    assert as_ada.get("/manage/people/an%00na").status_code == 400
    page = as_ada.post("/projects/new", {"label": "Maps", "description": "\x00"})
    assert page.status_code == 400
    assert "could not read this request" in page.content.decode()


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
@pytest.mark.parametrize("address", ["/register", "/projects/new", "/emergency/", "/sign-out"])
def test_a_body_that_is_too_large_is_called_so(as_anna: Client, address: str, kind: str) -> None:
    body = b"label=" + b"x" * 2_000_000
    page = as_anna.post(address, body, content_type=kind)
    assert page.status_code == 413
    assert "The form is too large" in page.content.decode()
    assert as_anna.post("/api/v1/registrations", body, content_type=kind).status_code == 413


def test_a_large_body_is_refused_before_its_proof_is_read(anna: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(anna, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert strict.post("/projects/new", {"label": "x" * 2_000_000}).status_code == 413
