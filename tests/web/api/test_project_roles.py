"""Rights of each role over other members, by REST."""

import uuid
from collections.abc import Callable

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import Membership, Person, Project


@pytest.fixture
def where(alice: Person, bob: Person) -> str:
    """bob manages."""
    project = Project.objects.create(
        owner=alice, label="Herbarium", ontology_project_id=str(uuid.uuid4())
    )
    Membership.objects.create(project=project, person=bob, role="manage")
    return f"/projects/{project.id}"


def roles(visitor: Visitor, where: str) -> dict[str, str]:
    items = visitor.ask("GET", f"{where}/members").json()["items"]
    return {one["username"]: one["role"] for one in items}


def test_a_manager_decides_who_else_shares_and_as_what(
    where: str, as_bob: Visitor, as_charlie: Visitor
) -> None:
    assert as_charlie.ask("POST", f"{where}/membership-requests").status_code == 201
    (asked,) = as_bob.ask("GET", f"{where}/membership-requests").json()["items"]
    approve = f"{where}/membership-requests/{asked['id']}/approve"
    problem(as_bob.ask("POST", approve, {"role": "owner"}), 422)
    assert as_bob.ask("POST", approve, {"role": "read"}).status_code == 200
    assert roles(as_charlie, where) == {"bob": "manage", "charlie": "read"}
    found = as_bob.ask("GET", f"{where}/members?role=read").json()["items"]
    assert [one["username"] for one in found] == ["charlie"]
    changed = as_bob.ask("PATCH", f"{where}/members/charlie", {"role": "manage"})
    assert (changed.status_code, changed.json()["role"]) == (200, "manage")
    assert as_bob.ask("PUT", f"{where}/members/charlie").json()["role"] == "manage"
    assert as_bob.ask("PUT", f"{where}/members/charlie", {"role": "write"}).status_code == 200
    assert roles(as_bob, where)["charlie"] == "write"
    assert as_bob.ask("DELETE", f"{where}/members/charlie").status_code == 204
    for body in ({}, {"role": "king"}, {"role": "read", "owner": True}):
        problem(as_bob.ask("PATCH", f"{where}/members/bob", body), 422)


def test_a_manager_decides_nothing_else(
    where: str, alice: Person, as_bob: Visitor, as_alice: Visitor
) -> None:
    problem(as_bob.ask("PATCH", where, {"label": "Mine"}), 403)
    problem(as_bob.ask("DELETE", where), 403)
    problem(as_bob.ask("PATCH", f"{where}/members/alice", {"role": "read"}), 404)
    problem(as_bob.ask("PUT", f"{where}/members/alice", {"role": "read"}), 409)
    problem(as_bob.ask("DELETE", f"{where}/members/alice"), 404)
    assert as_bob.ask("PATCH", f"{where}/members/bob", {"role": "read"}).status_code == 200
    problem(as_bob.ask("PATCH", f"{where}/members/bob", {"role": "manage"}), 403)
    assert Project.objects.get().owner == alice
    assert roles(as_alice, where) == {"bob": "read"}


def test_somebody_is_invited_as_something(where: str, as_bob: Visitor, as_charlie: Visitor) -> None:
    made = as_bob.ask("PUT", f"{where}/members/charlie", {"role": "read"})
    assert (made.status_code, made.json()["role"]) == (202, "read")
    nobody = as_bob.ask("POST", f"{where}/invitations", {"username": "nobody", "role": "read"})
    assert (nobody.status_code, nobody.json()["role"]) == (202, "read")
    (mine,) = as_charlie.ask("GET", "/me/invitations").json()["items"]
    assert mine["role"] == "read"
    as_charlie.ask("POST", f"/me/invitations/{mine['id']}/accept")
    assert roles(as_charlie, where)["charlie"] == "read"


@pytest.mark.parametrize("role", ["read", "write"])
def test_other_members_see_and_decide_nothing(
    where: str,
    role: str,
    charlie: Person,
    visitor_for: Callable[[Person], Visitor],
) -> None:
    Membership.objects.create(project=Project.objects.get(), person=charlie, role=role)
    visitor = visitor_for(charlie)
    assert roles(visitor, where) == {"bob": "manage", "charlie": role}
    refused = [
        ("PUT", "members/dora", None),
        ("PATCH", "members/bob", {"role": "read"}),
        ("DELETE", "members/bob", None),
        ("GET", "invitations", None),
        ("POST", "invitations", {"username": "dora"}),
        ("GET", "membership-requests", None),
    ]
    for method, path, body in refused:
        problem(visitor.ask(method, f"{where}/{path}", body), 403)
