"""The people who are here, and the draft of a removal."""

import uuid
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.conf import LazySettings

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import store
from workspace_manager.records.models import Account, Membership, Person, Plan, Project


@pytest.fixture
def linked(alice: Person) -> Person:
    SocialAccount.objects.create(
        user=alice, provider="identity_provider", uid="sub-1", extra_data={}
    )
    Account.objects.create(
        system="sql_server", kind="sql_server.user", name="alice", username="alice", person=alice
    )
    return alice


def test_a_person_is_shown_with_the_accounts_we_recorded(
    linked: Person, as_administrator: Visitor, as_alice: Visitor
) -> None:
    shown = as_administrator.ask("GET", "/people/alice").json()
    assert shown["sub"] == "sub-1"
    assert (shown["role"], shown["state"]) == ("user", "active")
    (account,) = shown["accounts"]
    assert (account["system"], account["kind"], account["name"]) == (
        "sql_server",
        "sql_server.user",
        "alice",
    )
    assert account["seen_at"]
    assert as_alice.ask("GET", "/people/alice").json() == shown
    assert as_alice.ask("GET", "/me").json() == shown


def test_administrators_see_everybody_and_others_themselves(
    linked: Person, bob: Person, as_administrator: Visitor, as_alice: Visitor
) -> None:
    names = [item["username"] for item in as_administrator.ask("GET", "/people").json()["items"]]
    assert names == ["ada", "alice", "bob"]
    mine = as_alice.ask("GET", "/people").json()
    assert (mine["count"], mine["items"][0]["username"]) == (1, "alice")
    problem(as_alice.ask("GET", "/people/bob"), 404)


def test_a_removal_is_drafted_and_a_second_one_replaces_it(
    linked: Person, as_administrator: Visitor
) -> None:
    answer = as_administrator.ask("POST", "/people/alice/removal")
    assert answer.status_code == 201
    plan = answer.json()
    assert answer.headers["Location"] == f"/api/v1/plans/{plan['id']}"
    assert (plan["state"], plan["kind"], plan["person"]) == ("draft", "removal", "alice")
    assert [step["n"] for step in plan["steps"]] == list(range(1, 8))
    again = as_administrator.ask("POST", "/people/alice/removal").json()
    assert again["digest"] == plan["digest"]
    assert as_administrator.ask("GET", f"/plans/{plan['id']}").json()["state"] == "stale"
    assert Person.objects.get(username="alice").state == "active"


def test_the_draft_says_what_can_be_handed_over_and_to_whom(
    linked: Person, bob: Person, charlie: Person, as_administrator: Visitor
) -> None:
    project = Project.objects.create(owner=linked, label="Herbarium", default=True)
    for person in (charlie, bob):
        Membership.objects.create(project=project, person=person)
    Project.objects.create(owner=linked, label="Nobody else's")
    Person.objects.filter(id=charlie.id).update(state=Person.State.SUSPENDED)
    plan = as_administrator.ask("POST", "/people/alice/removal").json()
    given = {"id": str(project.id), "label": "Herbarium", "members": ["bob"]}
    assert plan["transferable"] == [given]
    assert "The project “Herbarium” ends for its members: bob, charlie." in plan["remarks"]
    where = f"/plans/{plan['id']}/approve"
    for heir in ("charlie", "nobody"):
        body = {"digest": plan["digest"], "transfer": {str(project.id): heir}}
        problem(as_administrator.ask("POST", where, body), 422)
    body = {"digest": plan["digest"], "transfer": {str(project.id): "bob"}}
    assert as_administrator.ask("POST", where, body).status_code == 202
    project.refresh_from_db()
    assert (project.owner, project.default) == (bob, False)
    running = as_administrator.ask("GET", f"/plans/{plan['id']}").json()
    assert running["transferable"] == []
    assert "Herbarium" not in str(running["steps"])


def test_the_draft_waits_for_the_worker_s_looks(
    linked: Person,
    as_administrator: Visitor,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    woken: list[Any],
) -> None:
    settings.PREVIEW_WAIT_SECONDS = 30
    slept: list[float] = []

    def look(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            Plan.objects.update(due_at=None)  # what the worker does when it has looked

    monkeypatch.setattr("time.sleep", look)
    plan = as_administrator.ask("POST", "/people/alice/removal").json()
    assert slept == [0.05] * 3
    assert [str(one) for one in woken] == [plan["id"]]


def test_a_removal_is_refused_while_one_runs_for_oneself_and_for_the_last(
    linked: Person, as_administrator: Visitor
) -> None:
    problem(as_administrator.ask("POST", "/people/nobody/removal"), 404)
    problem(as_administrator.ask("POST", "/people/ada/removal"), 409)
    plan = as_administrator.ask("POST", "/people/alice/removal").json()
    approved = as_administrator.ask(
        "POST", f"/plans/{plan['id']}/approve", {"digest": plan["digest"]}
    )
    assert approved.status_code == 202
    document = problem(as_administrator.ask("POST", "/people/alice/removal"), 409)
    assert document["plan"] == plan["id"]


def test_somebody_is_suspended_and_let_back_in(
    linked: Person, as_administrator: Visitor, as_alice: Visitor, woken: list[Any]
) -> None:
    def state() -> Any:
        return as_administrator.ask("GET", "/people/alice").json()["state"]

    problem(as_administrator.ask("POST", "/people/alice/resume"), 409)
    answer = as_administrator.ask("POST", "/people/alice/suspend")
    assert (answer.status_code, answer.json()["kind"]) == (202, "suspension")
    assert state() == "suspended"
    problem(as_alice.ask("GET", "/me"), 401)
    problem(as_administrator.ask("POST", "/people/alice/suspend"), 409)
    assert woken == [uuid.UUID(answer.json()["id"])]
    steps = (PlannedStep(n=1, name="create_sql_user", system="sql_server"),)
    wanted = PlanDocument(kind="creation", person="alice", subject=str(linked.id), steps=steps)
    held = store(wanted, actor="alice", state=Plan.State.RUNNING)
    held.steps.update(state="waiting", cause="suspended")
    woken.clear()
    back = as_administrator.ask("POST", "/people/alice/resume")
    assert back.status_code == 202
    # What was held meanwhile does not wait for the sweep.
    assert woken == [uuid.UUID(back.json()["id"]), held.id]
    assert state() == "active"
    problem(as_administrator.ask("POST", "/people/ada/suspend"), 409)
