"""Between two parts of a download nothing is open in the database: who takes it slowly keeps no
connection, and the next part may be read by another thread.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.fake_world.people import make_person
from workspace_manager.audit import log
from workspace_manager.audit.log import exported
from workspace_manager.core.lists import ListQuery
from workspace_manager.people.everybody import PeopleList
from workspace_manager.records.models import AuditEntry, Person

AT = datetime(2026, 12, 1, tzinfo=UTC)
MANY = 5


def statements_for_each(rows: Iterator[object]) -> list[int]:
    """How many statements had run when each row was there."""
    with CaptureQueriesContext(connection) as run:
        return [len(run) for _ in rows]


def test_the_audit_is_read_in_parts(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "BATCH", 2)
    for number in range(MANY):
        at = AT.replace(day=1 + number // 3)
        AuditEntry.objects.create(at=at, event="e", subject="s", actor="a", details={"n": number})
    noted = AuditEntry.objects.filter(event="e")
    assert statements_for_each(exported(noted, "jsonl")) == [1, 1, 2, 2, 3]
    numbers = [json.loads(line)["details"]["n"] for line in exported(noted, "jsonl")]
    assert numbers == list(range(MANY))


def test_people_are_read_in_parts_and_who_left_meanwhile_is_left_out(db: None) -> None:
    for number in range(MANY):
        make_person(f"p{number}")
    parts = PeopleList(ListQuery(sort="-username")).in_parts(2)
    with CaptureQueriesContext(connection) as run:
        assert [one.username for one in next(parts)] == ["p4", "p3"]
        told = len(run)
        Person.objects.filter(username="p1").delete()
        assert [one.username for part in parts for one in part] == ["p2", "p0"]
        assert len(run) > told
