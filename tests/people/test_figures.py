"""The figures that an administrator sees first: right, and at the same cost for many as for few."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from workspace_manager.audit.note import note
from workspace_manager.people.figures import DAYS, WEEKS, Figures, figures
from workspace_manager.records.models import AuditEntry, Person, Plan, Tombstone

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 25, 17, tzinfo=UTC)
"""A Wednesday."""


def entered(name: str, at: datetime, *, gone: datetime | None = None) -> None:
    AuditEntry.objects.bulk_create(
        [AuditEntry(at=at, actor=name, event="person:entered", subject=name)]
    )
    if gone:
        Tombstone.objects.create(username=name, created_at=gone, expires_at=gone)
    else:
        Person.objects.create_user(name, created_at=at)


def weeks(found: Figures) -> dict[date, tuple[int, int]]:
    return {one.begins: (one.came, one.left) for one in found.weeks if one.came or one.left}


def test_people_come_and_go_by_week() -> None:
    entered("anna", NOW)
    entered("bela", datetime(2026, 11, 23, 0, tzinfo=UTC))
    entered("zora", datetime(2026, 11, 22, 23, 59, tzinfo=UTC))
    entered("alan", datetime(2026, 11, 2, 8, tzinfo=UTC), gone=NOW - timedelta(days=7))
    entered("old", NOW - timedelta(weeks=WEEKS + 1))
    found = figures(NOW)
    assert len(found.weeks) == WEEKS
    assert weeks(found) == {
        date(2026, 11, 23): (2, 0),
        date(2026, 11, 16): (1, 1),
        date(2026, 11, 2): (1, 0),
    }


def test_who_was_put_in_otherwise_came_too() -> None:
    Person.objects.create_user("imported", created_at=NOW)
    assert weeks(figures(NOW)) == {date(2026, 11, 23): (1, 0)}


def plan(state: str, begun: datetime, ended: datetime | None = None) -> None:
    Plan.objects.create(
        kind="removal", person="x", state=state, approved_at=begun, finished_at=ended
    )


def test_plans_are_open_until_they_end() -> None:
    plan("stuck", NOW - timedelta(days=3))
    plan("done", NOW - timedelta(days=5), NOW - timedelta(days=2))
    plan("done", NOW - timedelta(hours=2), NOW - timedelta(hours=1))
    plan("draft", NOW - timedelta(days=3))
    plan("superseded", NOW - timedelta(days=3))
    plan("waiting", NOW - timedelta(days=90))
    found = figures(NOW)
    assert len(found.days) == DAYS
    assert [one.plans for one in found.days[-7:]] == [1, 2, 2, 3, 2, 2, 2]
    assert found.days[-1].day == NOW.date()
    assert found.plans == {"running": 0, "waiting": 1, "stuck": 1}


def test_people_are_counted_by_what_they_are() -> None:
    make = Person.objects.create_user
    make("a", ends_at=NOW.date(), last_sign_in=NOW)
    make("b", ends_at=NOW.date() + timedelta(days=30))
    make("c", ends_at=NOW.date() + timedelta(days=31))
    make("d", ends_at=NOW.date() - timedelta(days=1), state="suspended")
    found = figures(NOW)
    assert found.people == {"active": 3, "suspended": 1, "leaving": 0}
    assert (found.never_signed_in, found.end_soon) == (3, 2)


def test_it_is_three_statements() -> None:
    for n in range(5):
        entered(f"guest{n}", NOW)
        note("person:signed_in", f"guest{n}", actor="x")
    with CaptureQueriesContext(connection) as queries:
        figures(NOW)
    assert len(queries) == 3
