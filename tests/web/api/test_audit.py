"""The audit, as administrators read it."""

import csv
import json
from datetime import timedelta

import pytest
from django.db import connection

from tests.clock import noon
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.audit.note import note
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.records.models import AuditEntry, AuditSeal

DAY = noon(30).replace(hour=0)
"""Later than whatever else is written down while a test runs."""
DAYS = [f"{DAY + timedelta(days=n):%Y-%m-%d}" for n in range(4)]


@pytest.fixture
def noted(db: None) -> None:
    for n, (event, subject, actor) in enumerate(
        [
            ("registration:approved", "anna", "ada"),
            ("token:created", "anna", "anna"),
            ("person:suspended", "bob", "ada"),
        ]
    ):
        AuditEntry.objects.create(
            at=DAY + timedelta(days=n), event=event, subject=subject, actor=actor, details={"n": n}
        )


def actions(visitor: Visitor, query: str) -> list[str]:
    answer = visitor.ask("GET", f"/audit?sort=at{query}")
    assert answer.status_code == 200, answer.content
    found = answer.json()
    assert found["count"] == len(found["items"])
    return [one["action"] for one in found["items"] if one["at"] >= DAYS[0]]


def test_the_newest_is_first_and_whole(as_administrator: Visitor, noted: None) -> None:
    first = as_administrator.ask("GET", f"/audit?since={DAYS[0]}").json()["items"][0]
    assert first.pop("id") > 0
    assert first == {
        "at": f"{DAYS[2]}T00:00:00Z",
        "actor": "ada",
        "action": "person:suspended",
        "subject": "bob",
        "details": {"n": 2},
    }


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("&person=anna", ["registration:approved", "token:created"]),
        ("&action=token:created", ["token:created"]),
        ("&since={days[1]}", ["token:created", "person:suspended"]),
        ("&since={days[1]}T01:00%2B01:00&until={days[2]}", ["token:created"]),
        ("&q=bob", ["person:suspended"]),
        ("&person=nobody", []),
    ],
)
def test_it_is_found_by_person_action_and_time(
    as_administrator: Visitor, noted: None, query: str, found: list[str]
) -> None:
    assert actions(as_administrator, query.format(days=DAYS)) == found


@pytest.mark.parametrize(
    "query", ["since=yesterday", "since=0001-01-01T00:00%2B10:00", "until=", "who=anna"]
)
def test_what_cannot_be_asked_is_said(as_administrator: Visitor, query: str) -> None:
    problem(as_administrator.ask("GET", f"/audit?{query}"), 422)


def test_entries_of_one_moment_are_in_the_order_they_were_written(
    as_administrator: Visitor, db: None
) -> None:
    for n in range(3):
        note("system:paused", f"s{n}", actor="ada")
    found = as_administrator.ask("GET", "/audit?action=system:paused").json()["items"]
    assert [one["subject"] for one in found] == ["s2", "s1", "s0"]


def test_it_is_verified(as_administrator: Visitor, noted: None) -> None:
    seal_waiting()
    found = as_administrator.ask("GET", "/audit/verify").json()
    assert (found["verifies"], found["problems"], found["unsealed"]) == (True, [], 0)
    seal = AuditSeal.objects.get()
    assert (found["last_seal"]["number"], found["last_seal"]["digest"]) == (1, seal.digest)
    bob = AuditEntry.objects.get(subject="bob")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM records_auditentry WHERE id = %s", [bob.pk])
    german = {"Accept-Language": "de"}
    found = as_administrator.ask("GET", "/audit/verify", headers=german).json()
    (problem_,) = found["problems"]
    assert not found["verifies"]
    assert (problem_["entry"], problem_["seal"]) == (bob.pk, 1)
    assert (
        problem_["text"] == f"Eintrag {bob.pk} fehlt, obwohl er geschrieben und versiegelt wurde."
    )
    problem(as_administrator.ask("GET", "/audit/verify?quick=1"), 422)


def exported(visitor: Visitor, query: str) -> tuple[str, str]:
    """The type of the file, and what is in it."""
    answer = visitor.ask("GET", f"/audit/export?{query}")
    assert answer.status_code == 200, answer.content
    assert answer.streaming
    text = b"".join(answer.streaming_content).decode()
    return answer.headers["Content-Type"], text


def test_what_is_found_is_one_file_oldest_first(as_administrator: Visitor, noted: None) -> None:
    AuditEntry.objects.create(
        at=DAY + timedelta(days=9), event="person:entered", subject="=1+1", actor="anna", details={}
    )
    kind, text = exported(as_administrator, "person=anna")
    assert kind == "text/csv; charset=utf-8"
    rows = list(csv.reader(text.splitlines()))
    assert rows[0] == ["id", "at", "actor", "action", "subject", "details"]
    assert [row[3:] for row in rows[1:]] == [
        ["registration:approved", "anna", '{"n": 0}'],
        ["token:created", "anna", '{"n": 1}'],
        ["person:entered", "'=1+1", "{}"],
    ]
    kind, text = exported(
        as_administrator,
        f"format=jsonl&since={DAYS[1]}&until={DAYS[3]}&q=ada&action=person:suspended",
    )
    assert kind == "application/jsonl; charset=utf-8"
    (only,) = map(json.loads, text.splitlines())
    (listed,) = as_administrator.ask("GET", "/audit?action=person:suspended").json()["items"]
    assert only == listed


@pytest.mark.parametrize("query", ["format=xml", "limit=1", "sort=at", "since=yesterday"])
def test_an_export_takes_nothing_else(as_administrator: Visitor, query: str) -> None:
    problem(as_administrator.ask("GET", f"/audit/export?{query}"), 422)


def test_the_document_says_what_an_export_is(as_nobody: Visitor) -> None:
    paths = as_nobody.ask("GET", "/openapi.json").json()["paths"]
    answers = paths["/api/v1/audit/export"]["get"]["responses"]
    assert set(answers["200"]["content"]) == {"text/csv", "application/jsonl"}


def test_others_export_nothing(as_alice: Visitor, as_nobody: Visitor) -> None:
    problem(as_alice.ask("GET", "/audit/export"), 403)
    problem(as_nobody.ask("GET", "/audit/export"), 401)
