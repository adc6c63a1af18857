"""The page of what waits, the part of the dashboard, and the count beside the link."""

import re
from datetime import timedelta

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.web.pages import scenes
from workspace_manager.records.models import Person, Registration, Snooze

DAY = timedelta(days=1)


def read_counts(page: str) -> list[str]:
    return re.findall(r'data-count="inbox">(\d*)<', page)


def test_an_empty_inbox_says_so(as_anna: Client) -> None:
    page = as_anna.get("/inbox").content.decode()
    assert "Your inbox is empty" in page
    assert "Snooze" not in page


def test_what_waits_with_why_and_one_action(as_ada: Client) -> None:
    scenes.registration("dora", "Dora", age=DAY)
    page = as_ada.get("/inbox").content.decode()
    assert "dora wants to join." in page
    assert "The e-mail address is not confirmed yet." in page
    assert 'class="button small" href="/manage/registrations">Decide' in page
    assert read_counts(page) == ["1", "1"]  # beside the page, and in the menu of a phone


def test_the_count_is_true_after_ones_own_click(as_ada: Client) -> None:
    row = scenes.registration("dora", "Dora", age=DAY)
    scenes.registration("fay", "Fay", age=DAY)
    assert read_counts(as_ada.get("/").content.decode()) == ["2", "2"]
    as_ada.post(f"/manage/registrations/{row.id}/reject", {"reason": "no room"})
    assert read_counts(as_ada.get("/").content.decode()) == ["1", "1"]
    assert read_counts(as_ada.get("/components").content.decode()) == []


def test_the_dashboard_shows_a_part_and_leads_to_the_rest(as_ada: Client) -> None:
    for n in range(10):
        scenes.registration(f"new{n}", "", age=DAY)
    page = as_ada.get("/").content.decode()
    assert page.count("wants to join.") == 8
    assert "Show all 10" in page


def test_long_lists_have_pages_and_kinds(as_ada: Client, ada: Person) -> None:
    for n in range(30):
        scenes.registration(f"new{n}", "", age=DAY)
    scenes.database(ada, "Index", state="failed")
    first = as_ada.get("/inbox").content.decode()
    assert first.count("wants to join.</a>") == 24
    assert "Page 1 of 2" in first
    last = as_ada.get("/inbox?page=99").content.decode()
    assert last.count("wants to join.</a>") == 6
    only = as_ada.get("/inbox?kind=component_failed").content.decode()
    assert "wants to join.</a>" not in only
    assert "“Index” could not be created." in only
    assert "No items of this kind" in as_ada.get("/inbox?kind=token").content.decode()


def test_putting_off_on_the_page(as_ada: Client, ada: Person) -> None:
    row = scenes.registration("dora", "Dora", age=DAY)
    until = (timezone.now() + 9 * DAY).date().isoformat()
    wrong = as_ada.post(f"/inbox/registration:{row.id}/snooze", {"until": "2001-01-01"})
    assert wrong.status_code == 422
    assert "Choose a day from tomorrow to" in wrong.content.decode()
    done = as_ada.post(f"/inbox/registration:{row.id}/snooze", {"until": until}, follow=True)
    page = done.content.decode()
    assert "Snoozed until the date you chose." in page
    assert "Snoozed" in page
    assert read_counts(page) == ["", ""]
    back = as_ada.post(f"/inbox/registration:{row.id}/unsnooze", follow=True)
    assert "Snoozed" not in back.content.decode()
    assert not Snooze.objects.exists()
    assert as_ada.post("/inbox/registration:7/snooze", {"until": until}).status_code == 404


def test_a_long_inbox_costs_as_many_statements_as_a_short_one(as_ada: Client) -> None:
    scenes.registration("dora", "Dora", age=DAY)
    as_ada.get("/inbox")
    few = _statements(as_ada)
    for n in range(20):
        scenes.registration(f"new{n}", "", age=DAY)
    assert _statements(as_ada) == few
    assert Registration.objects.count() == 21


def _statements(client: Client) -> list[int]:
    found = []
    for address in ("/inbox", "/"):
        with CaptureQueriesContext(connection) as queries:
            client.get(address)
        found.append(len(queries))
    return found


def test_german(as_ada: Client, ada: Person) -> None:
    Person.objects.filter(id=ada.id).update(locale="de")
    scenes.registration("dora", "Dora", age=DAY)
    page = as_ada.get("/inbox").content.decode()
    assert "dora möchte beitreten." in page
    assert "Zurückstellen …" in page
    assert "<h1>Eingang</h1>" in page
