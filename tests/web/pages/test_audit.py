"""The page of what happened: found by person, action and day; paged; nothing of it is run."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from workspace_manager.records.models import AuditEntry, Person
from workspace_manager.web.pages.manage import audit

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 12, 1, 12, tzinfo=UTC)


def noted(n: int, subject: str = "anna", event: str = "person:suspended") -> None:
    AuditEntry.objects.create(
        at=DAY + timedelta(days=n), event=event, subject=subject, actor="ada", details={"n": n}
    )


def page(client: Client, **asked: str) -> str:
    answer = client.get("/manage/audit", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_is_found_by_person_action_and_whole_days(as_ada: Client) -> None:
    noted(0, "<b>anna")
    noted(1, "bob", "token:created")
    everything = page(as_ada)
    assert "&lt;b&gt;anna" in everything
    assert everything.index("</code> bob") < everything.index("</code> &lt;b&gt;anna")
    for asked in ({"person": "bob"}, {"action": "token:created"}, {"since": "2026-12-02"}):
        found = page(as_ada, **asked)
        assert "</code> bob" in found
        assert "</code> &lt;b&gt;anna" not in found
    assert "</code> bob" not in page(as_ada, since="2026-12-01", until="2026-12-01")
    assert "Nothing is found" in page(as_ada, person="nobody")


@pytest.mark.parametrize(
    "asked",
    [
        {"since": "yesterday"},
        {"since": "0001-01-01"},
        {"action": "none:such"},
        {"until": "9999-12-31"},
    ],
)
def test_what_cannot_be_asked_is_passed_over(as_ada: Client, asked: dict[str, str]) -> None:
    # East of Greenwich, where the first day that there is begins before it in UTC.
    Person.objects.filter(username="ada").update(timezone="Europe/Berlin")
    noted(0)
    assert "</code> anna" in page(as_ada, **asked)


def test_a_long_one_has_pages_and_as_many_queries(
    as_ada: Client,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    monkeypatch.setattr(audit, "PER_PAGE", 2)
    for n in range(7):
        noted(n)
    with django_assert_max_num_queries(14):
        first = page(as_ada, person="anna")
    assert "person=anna&amp;page=2" in first
    assert first.count("</code> anna") == 2
