"""Reading, starting and mending plans."""

import json
import uuid
from typing import Any

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Membership, Person, Plan, PlanStep, Project


@pytest.fixture
def draft(alice: Person, as_administrator: Visitor, databases: None) -> dict[str, Any]:
    document: dict[str, Any] = as_administrator.ask("POST", "/people/alice/removal").json()
    return document


@pytest.fixture
def running(draft: dict[str, Any], as_administrator: Visitor) -> dict[str, Any]:
    answer = as_administrator.ask(
        "POST", f"/plans/{draft['id']}/approve", {"digest": draft["digest"]}
    )
    assert answer.status_code == 202, answer.content
    document: dict[str, Any] = answer.json()
    return document


def test_a_plan_shows_what_the_interface_promises(
    draft: dict[str, Any], as_administrator: Visitor
) -> None:
    names = {"id", "kind", "person", "state", "digest", "created_at", "approved_at", "finished_at"}
    assert names | {"late_look", "by_hand", "findings", "steps"} <= draft.keys()
    assert draft["late_look"].keys() >= {"due_at", "state"}
    step_names = {"n", "name", "system", "state", "needs", "reason", "attempts", "since"}
    for step in draft["steps"]:
        assert step_names | {"next_try_at", "advice", "evidence", "changes"} <= step.keys()
        for change in step["changes"]:
            assert {"kind", "id", "action", "before", "state"} <= change.keys()
    assert [step["name"] for step in draft["steps"]] == [
        "stop_notebook",
        "resolve_identity",
        "remove_drive_account",
        "remove_identity",
        "drop_sql_users",
        "remove_triplestore_user",
        "delete_records",
    ]
    assert as_administrator.ask("GET", f"/plans/{draft['id']}").json() == draft
    assert as_administrator.ask("GET", "/plans?state=draft").json() == {
        "items": [draft],
        "count": 1,
    }
    assert as_administrator.ask("GET", "/plans?state=done").json()["count"] == 0


def test_a_removal_starts_with_its_digest_alone(
    draft: dict[str, Any], as_administrator: Visitor
) -> None:
    where = f"/plans/{draft['id']}/approve"
    for digest in ("", "0" * 64, draft["digest"].upper() + "x"):
        problem(as_administrator.ask("POST", where, {"digest": digest}), 409)
    for body in ({}, {"digest": None}, {"digest": "x" * 300}, {"digest": "x", "transfer": []}):
        problem(as_administrator.ask("POST", where, body), 422)
    assert Person.objects.get(username="alice").state == "active"
    started = as_administrator.ask("POST", where, {"digest": draft["digest"]})
    assert (started.status_code, started.json()["state"]) == (202, "running")
    assert Person.objects.get(username="alice").state == "leaving"
    again = as_administrator.ask("POST", where, {"digest": draft["digest"]})
    assert (again.status_code, again.json()["id"]) == (202, draft["id"])
    problem(as_administrator.ask("POST", where, {"digest": "0" * 64}), 409)


def test_a_stale_plan_is_refused(draft: dict[str, Any], as_administrator: Visitor) -> None:
    as_administrator.ask("POST", "/people/alice/removal")
    where = f"/plans/{draft['id']}/approve"
    problem(as_administrator.ask("POST", where, {"digest": draft["digest"]}), 409)


def test_a_project_may_be_handed_over(
    alice: Person, bob: Person, as_administrator: Visitor, woken: list[Any]
) -> None:
    project = Project.objects.create(owner=alice, label="Shared")
    Membership.objects.create(project=project, person=bob)
    draft = as_administrator.ask("POST", "/people/alice/removal").json()
    where = f"/plans/{draft['id']}/approve"

    def approve(transfer: dict[str, Any]) -> Any:
        return as_administrator.ask(
            "POST", where, {"digest": draft["digest"], "transfer": transfer}
        )

    for transfer in ({"x": "bob"}, {str(project.id): "ada"}, {str(project.id): 1}):
        problem(approve(transfer), 422)
    problem(approve({str(uuid.uuid4()): "bob"}), 422)
    assert approve({str(project.id): "bob"}).status_code == 202
    project.refresh_from_db()
    assert project.owner == bob
    open_plans = Plan.objects.filter(state__in=Plan.OPEN).values_list("id", flat=True)
    # So that nobody waits for the sweep until bob may do what an owner may, and is told.
    assert set(woken) == {*open_plans, "letters"}
    for again in ({str(project.id): "bob"}, {}):
        assert approve(again).status_code == 202
    other = Project.objects.create(owner=alice, label="Other")
    for otherwise in ({str(project.id): "ada"}, {str(other.id): "bob"}):
        assert problem(approve(otherwise), 409)["plan"] == draft["id"]


def test_steps_are_retried_skipped_and_done_by_hand(
    running: dict[str, Any], as_administrator: Visitor
) -> None:
    where = f"/plans/{running['id']}/steps"
    PlanStep.objects.filter(plan=running["id"], n=1).update(state="stuck", reason="no", attempts=3)
    PlanStep.objects.filter(plan=running["id"], n=2).update(state="waiting")
    PlanStep.objects.filter(plan=running["id"], n=3).update(state="done")

    retried = as_administrator.ask("POST", f"{where}/1/retry", {})
    assert retried.json()["steps"][0]["state"] == "pending"
    problem(as_administrator.ask("POST", f"{where}/3/retry"), 409)
    problem(as_administrator.ask("POST", f"{where}/8/retry"), 404)

    for text in ("", "   ", "x" * 1001, "\x00", "\ud800", 1):
        problem(as_administrator.ask("POST", f"{where}/1/skip", json.dumps({"reason": text})), 422)
        problem(as_administrator.ask("POST", f"{where}/1/by-hand", json.dumps({"note": text})), 422)
    problem(as_administrator.ask("POST", f"{where}/1/skip", {}), 422)

    skipped = as_administrator.ask("POST", f"{where}/1/skip", {"reason": "hub is gone"}).json()
    assert (skipped["steps"][0]["state"], "hub is gone" in skipped["steps"][0]["reason"]) == (
        "skipped",
        True,
    )
    noted = as_administrator.ask(
        "POST", f"{where}/2/by-hand", {"note": "done in the console"}
    ).json()
    assert noted["steps"][1]["state"] == "by_hand"
    problem(as_administrator.ask("POST", f"{where}/2/by-hand", {"note": "again"}), 409)


def test_a_draft_s_steps_cannot_be_changed(
    draft: dict[str, Any], as_administrator: Visitor
) -> None:
    for action, body in (("retry", {}), ("skip", {"reason": "x"}), ("by-hand", {"note": "x"})):
        problem(as_administrator.ask("POST", f"/plans/{draft['id']}/steps/1/{action}", body), 409)


def test_an_owner_sees_the_plans_of_own_things_and_no_removal(
    as_alice: Visitor, as_bob: Visitor, as_administrator: Visitor, databases: None
) -> None:
    made = as_alice.ask("POST", "/components", {"kind": "sql_database", "label": "Db"}).json()
    removal = as_administrator.ask("POST", "/people/alice/removal").json()
    seen = as_alice.ask("GET", "/plans").json()
    assert [plan["id"] for plan in seen["items"]] == [made["plan"]]
    assert as_alice.ask("GET", f"/plans/{made['plan']}").json()["kind"] == "component.create"
    problem(as_alice.ask("GET", f"/plans/{removal['id']}"), 404)
    problem(as_bob.ask("GET", f"/plans/{made['plan']}"), 404)
    problem(as_alice.ask("POST", f"/plans/{made['plan']}/steps/1/retry"), 403)
    assert Plan.objects.count() == as_administrator.ask("GET", "/plans").json()["count"] == 2
