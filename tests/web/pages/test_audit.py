"""The page of what happened: found by person, action and day; paged; nothing of it is run."""

import re
import uuid
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.clock import noon
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.records.models import AuditEntry, AuditSeal, Person, Plan
from workspace_manager.web.pages.manage import audit

pytestmark = pytest.mark.django_db

DAY = noon(30)
FIRST, SECOND = (f"{DAY + timedelta(days=n):%Y-%m-%d}" for n in range(2))
ANNA, ANNA_IN_BOLD = "ada suspended anna.", "ada suspended &lt;b&gt;anna."
BOB = "ada revoked the API token “laptop” of bob."


def noted(n: int, subject: str = "anna", event: str = "person:suspended") -> None:
    AuditEntry.objects.create(
        at=DAY + timedelta(days=n),
        event=event,
        subject=subject,
        actor="ada",
        details={"n": n, "name": "laptop"},
    )


def page(client: Client, **asked: str) -> str:
    answer = client.get("/manage/audit", asked)
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_is_found_by_person_action_and_whole_days(as_ada: Client) -> None:
    noted(0, "<b>anna")
    noted(1, "bob", "token:revoked")
    everything = page(as_ada)
    assert "&lt;b&gt;anna" in everything
    assert everything.index(BOB) < everything.index(ANNA_IN_BOLD)
    for asked in ({"person": "bob"}, {"action": "token:revoked"}, {"since": SECOND}):
        found = page(as_ada, **asked)
        assert BOB in found
        assert ANNA_IN_BOLD not in found
    assert BOB not in page(as_ada, since=FIRST, until=FIRST)
    assert "Nothing found" in page(as_ada, person="nobody")


def test_what_is_found_is_a_table_for_other_programs(as_ada: Client) -> None:
    noted(0, "=anna")
    noted(1, "bob", "token:revoked")
    asked = {"action": "person:suspended", "since": FIRST}
    found = page(as_ada, **asked)
    (link,) = re.findall(r'href="(/manage/audit\.csv[^"]*)"', found)
    answer = as_ada.get(unescape(link))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert 'filename="audit.csv"' in answer.headers["Content-Disposition"]
    lines = b"".join(answer.streaming_content).decode().splitlines()  # type: ignore[attr-defined]
    assert len(lines) == 2
    assert '"\'=anna"' in lines[1]


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
    assert ANNA in page(as_ada, **asked)


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
    assert first.count(ANNA) == 2


def test_an_entry_leads_to_its_plan_while_that_is_kept(as_ada: Client) -> None:
    plan = Plan.objects.create(kind="removal", person="anna")
    gone = uuid.uuid4()
    for one in (str(plan.id), str(gone), "none"):
        AuditEntry.objects.create(event="removal:approved", subject="anna", actor="ada",
            details={"plan": one, "reason": "It was asked for."})  # fmt: skip
    shown = page(as_ada)
    assert shown.count(f'href="/manage/plans/{plan.id}"') == 1
    assert str(gone) not in shown
    # Stored in English; REST and the export have it.
    assert "It was asked for." not in shown


def test_it_says_whether_it_verifies(as_ada: Client) -> None:
    noted(0)
    assert 'href="/manage/audit?verify=1#verified"' in page(as_ada)
    assert "1 entry is not sealed yet." in page(as_ada, verify="1")
    seal_waiting()
    shown = page(as_ada, verify="1")
    assert "1 entry is unchanged and none is missing." in shown
    assert f"1:{AuditSeal.objects.get().digest}" in shown
    entry = AuditEntry.objects.get()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE records_auditentry SET actor = 'bob'")
    Person.objects.filter(username="ada").update(locale="de")
    assert f"Eintrag {entry.pk} wurde nach dem Schreiben verändert" in page(as_ada, verify="1")
