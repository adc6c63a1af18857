"""`/reconcile`: runs, what is otherwise, and what is done about it."""

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from workspace_manager.records.models import Account, Person, ReconcileItem, ReconcileRun

pytestmark = pytest.mark.django_db


@pytest.fixture
def run() -> ReconcileRun:
    now = timezone.now()
    run = ReconcileRun.objects.create(started_by="ada", state="done", finished_at=now)
    for name in ("carl_c", "dora_d"):
        ReconcileItem.objects.create(
            difference="unknown_account", system="sql_server", kind="sql_server.user", name=name,
            target={"user": name}, first_seen=now, last_seen=now,
        )  # fmt: skip
    return run


def test_one_run_at_a_time(as_administrator: Visitor) -> None:
    first = as_administrator.ask("POST", "/reconcile").json()
    second = as_administrator.ask("POST", "/reconcile").json()
    assert (first["id"], first["state"]) == (second["id"], "running")
    assert {part["system"] for part in first["parts"]} >= {"drive", "sql_server"}
    assert {part["not_looked_at"] for part in first["parts"]} == {0}


def test_what_is_otherwise(as_administrator: Visitor, run: ReconcileRun) -> None:
    where = f"/reconcile/{run.id}/items"
    found = as_administrator.ask("GET", f"{where}?difference=unknown_account&q=dora").json()
    (item,) = found["items"]
    assert (item["name"], item["repairs"]) == ("dora_d", ["connect", "remove", "ignore"])
    assert as_administrator.ask("GET", f"{where}?nonsense=1").status_code == 422


def test_a_removal_takes_the_digest_that_was_shown(
    as_administrator: Visitor, run: ReconcileRun
) -> None:
    n = ReconcileItem.objects.get(name="carl_c").n
    where = f"/reconcile/{run.id}/items/{n}/remove"
    early = as_administrator.ask("POST", where, {"digest": "x"})
    draft = as_administrator.ask("POST", where, {}).json()
    assert (early.status_code, draft["state"]) == (404, "draft")
    assert as_administrator.ask("POST", where, {"digest": "x"}).status_code == 409
    started = as_administrator.ask("POST", where, {"digest": draft["digest"]}).json()
    assert started["state"] == "running"


def test_a_draft_starts_as_every_plan_does(
    as_administrator: Visitor, run: ReconcileRun, ada: Person
) -> None:
    Account.objects.create(
        system="sql_server", kind="sql_server.user", name="carl_c", username="ada", person=ada,
        made_by_us=True,
    )  # fmt: skip
    ReconcileItem.objects.filter(name="carl_c").update(
        difference="open_while_suspended", username="ada"
    )
    n = ReconcileItem.objects.get(name="carl_c").n
    draft = as_administrator.ask("POST", f"/reconcile/{run.id}/items/{n}/shut").json()
    assert (draft["state"], draft["transferable"]) == ("draft", [])
    approve = f"/plans/{draft['id']}/approve"
    assert as_administrator.ask("POST", approve, {"digest": "another"}).status_code == 409
    started = as_administrator.ask("POST", approve, {"digest": draft["digest"]})
    assert (started.status_code, started.json()["state"]) == (202, "running")
    again = as_administrator.ask("POST", f"/reconcile/{run.id}/items/{n}/shut")
    assert (again.status_code, again.json()["plan"]) == (409, draft["id"])


def test_putting_off_needs_a_reason_and_a_day(as_administrator: Visitor, run: ReconcileRun) -> None:
    n = ReconcileItem.objects.get(name="carl_c").n
    where = f"/reconcile/{run.id}/items/{n}/ignore"
    body = {"reason": " ", "until": "2090-01-01T00:00:00Z"}
    assert as_administrator.ask("POST", where, body).status_code == 422
    shown = as_administrator.ask("POST", where, {**body, "reason": "known"}).json()
    assert (shown["ignored_why"], shown["ignored_by"]) == ("known", "ada")


def test_what_lasted_at_the_end_of_an_earlier_run(
    as_administrator: Visitor, run: ReconcileRun
) -> None:
    ReconcileItem.objects.filter(name="carl_c").update(ended_at=timezone.now())
    later = ReconcileRun.objects.create(started_by="ada")
    now = as_administrator.ask("GET", f"/reconcile/{later.id}/items").json()
    then = as_administrator.ask("GET", f"/reconcile/{run.id}/items").json()
    assert (now["count"], then["count"]) == (1, 2)


@pytest.mark.parametrize("until", ["9999-12-31T23:59:59-12:00", "0001-01-01", "2030-13-01", 1e9])
def test_a_day_that_no_calendar_of_utc_has_is_refused(
    as_administrator: Visitor, run: ReconcileRun, until: object
) -> None:
    n = ReconcileItem.objects.get(name="carl_c").n
    where = f"/reconcile/{run.id}/items/{n}/ignore"
    answer = as_administrator.ask("POST", where, {"reason": "known", "until": until})
    assert answer.status_code == 422
