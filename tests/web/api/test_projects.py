"""Projects and their members: seen by those who share, changed by the owner."""

import uuid
from typing import Any

import pytest

from tests.pinned import pin
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Membership, MembershipRequest, Person, Plan, Project


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


def test_what_is_not_offered_yet_says_so_to_those_who_might(
    project: Project,
    alice: Person,
    charlie: Person,
    as_alice: Visitor,
    as_bob: Visitor,
    as_charlie: Visitor,
) -> None:
    where = f"/projects/{project.id}"
    asked = MembershipRequest.objects.create(project=project, person=charlie)
    decide = f"{where}/membership-requests/{asked.id}"
    owners = [
        ("DELETE", where),
        ("PUT", f"{where}/members/charlie"),
        ("DELETE", f"{where}/members/bob"),
        ("POST", f"{decide}/approve"),
        ("POST", f"{decide}/reject"),
    ]
    for method, path in owners:
        assert "not offered yet" in problem(as_alice.ask(method, path), 409)["reason"]
        problem(as_charlie.ask(method, path), 404)
        leaving = (method, path) == ("DELETE", f"{where}/members/bob")
        problem(as_bob.ask(method, path), 409 if leaving else 403)
    problem(as_bob.ask("DELETE", f"{where}/members/charlie"), 403)
    problem(as_alice.ask("DELETE", f"{where}/members/charlie"), 404)
    problem(as_alice.ask("POST", f"{where}/membership-requests/{uuid.uuid4()}/approve"), 404)
    for visitor in (as_alice, as_bob, as_charlie):
        problem(visitor.ask("POST", f"{where}/membership-requests"), 409)
    problem(as_charlie.ask("POST", f"/projects/{uuid.uuid4()}/membership-requests"), 404)
    listed = as_alice.ask("GET", f"{where}/membership-requests").json()
    assert [(one["id"], one["username"]) for one in listed["items"]] == [(str(asked.id), "charlie")]
    problem(as_bob.ask("GET", f"{where}/membership-requests"), 403)
