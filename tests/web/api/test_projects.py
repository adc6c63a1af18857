"""Projects and their members: seen by those who share, changed by the owner."""

from typing import Any

import pytest

from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Membership, Person, Plan, Project


@pytest.fixture
def project(alice: Person, bob: Person) -> Project:
    project = Project.objects.create(owner=alice, label="Herbarium")
    Membership.objects.create(project=project, person=bob)
    return project


def test_a_project_is_made_at_once(as_alice: Visitor) -> None:
    answer = as_alice.ask("POST", "/projects", {"label": " Finds ", "description": "a\nb "})
    assert answer.status_code == 201
    made = answer.json()
    assert (made["label"], made["description"], made["owner"]) == ("Finds", "a\nb", "alice")
    assert (made["members"], made["ontology_project_id"]) == ([], "")
    assert answer.headers["Location"] == f"/api/v1/projects/{made['id']}"
    assert as_alice.ask("GET", f"/projects/{made['id']}").json() == made


def test_its_ontology_project_follows_by_a_plan(
    as_alice: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    pin(monkeypatch, "ontology_editor", {"host": "http://127.0.0.1:1", "api_key": "not used here"})
    made = as_alice.ask("POST", "/projects", {"label": "Finds"}).json()
    plan = Plan.objects.get(about=made["id"])
    assert as_alice.ask("GET", f"/plans/{plan.id}").json()["kind"] == "project.link"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"label": ""},
        {"label": "x" * 101},
        {"label": "a\nb"},
        {"label": 1},
        {"label": "a", "description": None},
        {"label": "a", "description": "x" * 2001},
        {"label": "a", "description": "\x1b[31m"},
    ],
)
def test_what_cannot_be_is_refused(as_alice: Visitor, body: dict[str, Any]) -> None:
    problem(as_alice.ask("POST", "/projects", body), 422)
    assert not Project.objects.exists()


def test_whoever_shares_sees_it_and_nobody_else(
    project: Project,
    as_alice: Visitor,
    as_bob: Visitor,
    as_charlie: Visitor,
    as_administrator: Visitor,
) -> None:
    for visitor in (as_alice, as_bob, as_administrator):
        assert visitor.ask("GET", "/projects").json()["count"] == 1
        assert visitor.ask("GET", f"/projects/{project.id}").json()["members"] == ["bob"]
        members = visitor.ask("GET", f"/projects/{project.id}/members").json()
        assert [one["username"] for one in members["items"]] == ["bob"]
        assert visitor.ask("GET", f"/projects/{project.id}/members/bob").status_code == 200
        problem(visitor.ask("GET", f"/projects/{project.id}/members/alice"), 404)
    assert as_charlie.ask("GET", "/projects").json()["count"] == 0
    for path in ("", "/members", "/members/bob", "/membership-requests"):
        problem(as_charlie.ask("GET", f"/projects/{project.id}{path}"), 404)


def test_the_owner_and_administrators_change_it(
    project: Project, as_alice: Visitor, as_bob: Visitor, as_administrator: Visitor
) -> None:
    where = f"/projects/{project.id}"
    problem(as_bob.ask("PATCH", where, {"label": "Mine"}), 403)
    assert as_alice.ask("PATCH", where, {"label": "Plants"}).json()["label"] == "Plants"
    changed = as_administrator.ask("PATCH", where, {"description": "Dried"}).json()
    assert (changed["label"], changed["description"]) == ("Plants", "Dried")
    assert as_alice.ask("PATCH", where, {}).json() == changed
    problem(as_alice.ask("PATCH", where, {"label": ""}), 422)


def test_it_is_deleted_by_a_plan_and_only_once(
    project: Project, as_alice: Visitor, as_bob: Visitor, as_charlie: Visitor
) -> None:
    where = f"/projects/{project.id}"
    problem(as_charlie.ask("DELETE", where), 404)
    problem(as_bob.ask("DELETE", where), 403)
    answer = as_alice.ask("DELETE", where)
    assert answer.status_code == 202
    plan = as_alice.ask("GET", f"/plans/{answer.json()['plan']}").json()
    assert (plan["kind"], [step["name"] for step in plan["steps"]]) == (
        "project.delete",
        ["delete_ontology_project", "delete_record"],
    )
    assert problem(as_alice.ask("DELETE", where), 409)["plan"] == plan["id"]


def test_nothing_is_put_into_what_is_being_deleted(
    as_alice: Visitor, project: Project, databases: object, bob: Person
) -> None:
    plan = as_alice.ask("DELETE", f"/projects/{project.id}").json()["plan"]
    order = {"kind": "sql_database", "label": "Db", "project": str(project.id)}
    refused = problem(as_alice.ask("POST", "/components", order), 409)
    assert refused["plan"] == plan
    invited = {"username": "bob", "role": "read"}
    problem(as_alice.ask("POST", f"/projects/{project.id}/invitations", invited), 409)
