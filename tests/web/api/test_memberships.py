"""The members of a project: asking, deciding, adding, leaving."""

import uuid

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Membership, MembershipRequest, Person, Plan, Project


@pytest.fixture
def where(alice: Person, bob: Person) -> str:
    project = Project.objects.create(
        owner=alice, label="Herbarium", ontology_project_id=str(uuid.uuid4())
    )
    Membership.objects.create(project=project, person=bob)
    return f"/projects/{project.id}"


def names(visitor: Visitor, where: str) -> list[str]:
    return [one["username"] for one in visitor.ask("GET", f"{where}/members").json()["items"]]


def test_the_owner_adds_and_removes(
    where: str, charlie: Person, as_alice: Visitor, as_bob: Visitor, as_charlie: Visitor
) -> None:
    problem(as_bob.ask("PUT", f"{where}/members/charlie"), 403)
    problem(as_charlie.ask("PUT", f"{where}/members/charlie"), 404)
    assert as_charlie.ask("POST", f"{where}/membership-requests").status_code == 201
    assert as_alice.ask("PUT", f"{where}/members/charlie").json()["username"] == "charlie"
    assert as_alice.ask("PUT", f"{where}/members/charlie").status_code == 200
    problem(as_alice.ask("PUT", f"{where}/members/alice"), 409)
    assert names(as_charlie, where) == ["bob", "charlie"]
    plan = Plan.objects.get(subject=str(charlie.id))
    assert (plan.kind, plan.person) == ("access.settle", "charlie")
    problem(as_bob.ask("DELETE", f"{where}/members/charlie"), 403)
    assert as_alice.ask("DELETE", f"{where}/members/charlie").status_code == 204
    problem(as_alice.ask("DELETE", f"{where}/members/charlie"), 404)
    problem(as_charlie.ask("GET", where), 404)


def test_a_member_leaves_and_the_owner_cannot(
    where: str, as_alice: Visitor, as_bob: Visitor
) -> None:
    problem(as_alice.ask("DELETE", f"{where}/members/alice"), 404)
    assert as_bob.ask("DELETE", f"{where}/members/bob").status_code == 204
    problem(as_bob.ask("GET", where), 404)
    assert names(as_alice, where) == []


def test_whoever_knows_the_project_asks_and_the_owner_decides_once(
    where: str, charlie: Person, as_alice: Visitor, as_bob: Visitor, as_charlie: Visitor
) -> None:
    for visitor in (as_alice, as_bob):
        problem(visitor.ask("POST", f"{where}/membership-requests"), 409)
    problem(as_charlie.ask("POST", f"/projects/{uuid.uuid4()}/membership-requests"), 404)
    first = as_charlie.ask("POST", f"{where}/membership-requests")
    assert (first.status_code, first.json()["state"]) == (201, "pending")
    assert as_charlie.ask("POST", f"{where}/membership-requests").json() == first.json()
    problem(as_bob.ask("GET", f"{where}/membership-requests"), 403)
    listed = as_alice.ask("GET", f"{where}/membership-requests").json()["items"]
    assert [(one["id"], one["username"]) for one in listed] == [(first.json()["id"], "charlie")]
    decide = f"{where}/membership-requests/{first.json()['id']}"
    for visitor, status in ((as_bob, 403), (as_charlie, 404)):
        problem(visitor.ask("POST", f"{decide}/approve"), status)
        problem(visitor.ask("POST", f"{decide}/reject"), status)
    assert as_alice.ask("POST", f"{decide}/reject").json()["state"] == "rejected"
    problem(as_alice.ask("POST", f"{decide}/approve"), 409)
    again = as_charlie.ask("POST", f"{where}/membership-requests").json()
    approve = f"{where}/membership-requests/{again['id']}/approve"
    assert as_alice.ask("POST", approve).json()["state"] == "approved"
    assert names(as_charlie, where) == ["bob", "charlie"]
    assert MembershipRequest.objects.filter(person=charlie).count() == 2
    problem(as_alice.ask("POST", f"{where}/membership-requests/{uuid.uuid4()}/approve"), 404)


def test_an_administrator_adds_somebody_at_once(
    where: str, charlie: Person, as_administrator: Visitor
) -> None:
    """Who may list people is told that somebody is not here."""
    problem(as_administrator.ask("PUT", f"{where}/members/nobody-here"), 404)
    assert as_administrator.ask("PUT", f"{where}/members/charlie").status_code == 200
    assert Plan.objects.filter(subject=str(charlie.id)).exists()


def test_nobody_who_is_leaving_is_added(
    where: str, charlie: Person, as_administrator: Visitor
) -> None:
    Person.objects.filter(id=charlie.id).update(state=Person.State.LEAVING)
    problem(as_administrator.ask("PUT", f"{where}/members/charlie"), 409)
    assert not Plan.objects.filter(subject=str(charlie.id)).exists()
