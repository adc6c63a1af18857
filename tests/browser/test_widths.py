"""No page is wider than its window, in either language, however long what stands on it is."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.http import HttpResponse
from django.shortcuts import render
from django.test import RequestFactory
from django.urls import URLPattern, reverse
from playwright.sync_api import Browser

from tests.browser import long_rows
from tests.browser.conftest import BACKEND
from tests.browser.width_ruler import Ruler
from tests.visitors import Visitor
from tests.web.pages import scenes
from workspace_manager import web
from workspace_manager.contract.message import quote_words
from workspace_manager.records.models import Person
from workspace_manager.web.pages import urls
from workspace_manager.web.pages.access import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

Asked = tuple[str, dict[str, Any] | None]
"""An address, and what is typed there; None: it is opened."""
MANAGING: Final = {Role.ADMINISTRATOR}
LANGUAGES: Final = ("en", "de")
FRAMED: Final = '{% extends "frame.html" %}'
PARTS: Final = {
    "component_progress", "stack_progress", "plan_progress", "keys_progress", "audit_table",
    "people_table", "snapshot_progress", "snapshot_content",
}  # fmt: skip
"""What is no page of its own: parts that a page renews, and what is downloaded."""
TOLD: Final = (
    "400.html", "403.html", "403_csrf.html", "404.html", "413.html", "429.html", "500.html",
    "503.html", "failed.html", "home/landing.html", "registration/confirmed.html",
    "registration/too_many.html",
    "sign_in/emergency.html", "sign_in/ended.html", "sign_in/refused.html",
    "sign_in/signing_out.html",
)  # fmt: skip
"""Pages that say one thing, and that no address of the table leads to by itself."""


@pytest.fixture
def ruler(chromium: Browser) -> Iterator[Ruler]:
    context = chromium.new_context(reduced_motion="reduce")
    yield Ruler(context.new_page())
    context.close()


def pages(*, without: Iterable[Role] = ()) -> Iterator[URLPattern]:
    """Of the table: those that show something to whoever opens their address."""
    for pattern in urls.urlpatterns:
        view: Any = pattern.callback
        if "GET" in view.methods and view.role not in without and pattern.name not in PARTS:
            yield pattern


def addresses(
    patterns: Iterable[URLPattern], holes: dict[str, list[dict[str, Any]]]
) -> Iterator[str]:
    """One that has holes needs something to stand in them."""
    for pattern in patterns:
        filled = holes[str(pattern.name)] if pattern.pattern.converters else [{}]
        yield from (reverse(str(pattern.name), kwargs=values) for values in filled)


def framed() -> set[str]:
    """The templates of whole pages."""
    folder = Path(str(web.__file__)).parent / "templates"
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*.html")
        if path.read_text().startswith(FRAMED)
    }


def signed_in(person: Person, language: str) -> Visitor:
    Person.objects.filter(pk=person.pk).update(locale=language)
    client = Visitor(person, headers={"Accept-Language": language})
    client.force_login(person, backend=BACKEND)
    return client


def render_page(template: str, language: str) -> HttpResponse:
    """A page that says one thing, to somebody who is not signed in."""
    request = RequestFactory().get("/", headers={"Accept-Language": language})
    request.user = None  # type: ignore[assignment]
    said = quote_words(long_rows.SAID)
    page = render(request, template, {
        "reason": str(said), "failure": {"why": said, "advice": said}, "seconds": 7, "minutes": 7,
        "after": "/", "told": {}, "address": "/signed-out", "is_too_often": True,
    })  # fmt: skip
    # What sends itself on would leave the page that is measured.
    page.content = page.content.replace(b" data-send", b"")
    return page


def measured(
    ruler: Ruler, browser: Visitor, asked: Iterable[Asked], shown: set[str]
) -> Iterator[str]:
    """What sticks out on each page; `shown` gets the templates that they were made of."""
    for path, typed in asked:
        answer = browser.get(path) if typed is None else browser.post(path, typed)
        assert "<html" in answer.content.decode(), f"{path}: {answer.status_code}"
        shown |= {str(one.name) for one in answer.templates}
        yield from ruler.measure(path, answer)


def test_nothing_sticks_out_however_long_it_is(ruler: Ruler) -> None:
    rows, shown = long_rows.fill(), set(TOLD)
    wrong: list[str] = []
    for language in LANGUAGES:
        long_rows.hide_keys()
        browser = signed_in(rows.administrator, language)
        opened = ((path, None) for path in addresses(pages(), rows.holes))
        wrong += measured(ruler, browser, [*opened, *rows.forms], shown)
    assert not wrong, "\n".join(wrong)
    assert framed() - shown == set(), "pages that nothing here shows"


def test_nothing_sticks_out_for_members(ruler: Ruler) -> None:
    """Their pages have other buttons and other places in the navigation."""
    rows = long_rows.fill()
    wrong: list[str] = []
    for language in LANGUAGES:
        browser = signed_in(rows.member, language)
        mine = addresses(pages(without=MANAGING), rows.holes)
        wrong += measured(ruler, browser, ((path, None) for path in mine), set())
    assert not wrong, "\n".join(wrong)


def test_nothing_sticks_out_where_nothing_is(ruler: Ruler) -> None:
    """A workspace in which nobody has done anything, and one with no system."""
    ada = scenes.person("ada", administrator=True)
    wrong: list[str] = []
    for language in LANGUAGES:
        browser = signed_in(ada, language)
        plain = [one for one in pages() if not one.pattern.converters]
        wrong += measured(ruler, browser, ((path, None) for path in addresses(plain, {})), set())
    assert not wrong, "\n".join(wrong)


def test_nothing_sticks_out_for_visitors(ruler: Ruler) -> None:
    wrong: list[str] = []
    for language in LANGUAGES:
        browser = Visitor(headers={"Accept-Language": language})
        open_to_all = addresses(pages(without={*Role} - {Role.ANYONE}), {})
        wrong += measured(ruler, browser, ((path, None) for path in open_to_all), set())
        for template in TOLD:
            wrong += ruler.measure(f"{template} in {language}", render_page(template, language))
    assert not wrong, "\n".join(wrong)
