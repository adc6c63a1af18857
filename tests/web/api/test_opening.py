"""Opening what is somebody else's: not by a permission, by an administrator with a reason, and its
owner is told.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Invitation,
    Mail,
    Membership,
    MembershipRequest,
    Permission,
    Person,
    Project,
)

WHY = {"reason": "Alice is away,\nand the deadline is tomorrow."}


@pytest.fixture
def project(alice: Person, bob: Person) -> Project:
    """bob reads in it."""
    alice.email = "alice@example.org"
    alice.save()
    made = Project.objects.create(owner=alice, label="Herbarium")
    Membership.objects.create(project=made, person=bob, role="read")
    return made


@pytest.fixture
def where(project: Project) -> str:
    return f"/projects/{project.id}"


@pytest.fixture
def component(alice: Person) -> Component:
    return Component.objects.create(
        owner=alice, kind="triplestore_repository", label="Ferns", name="alice_ferns", state="ready"
    )


def holds(person: Person, *names: str) -> None:
    for name in names:
        Permission.objects.create(person=person, name=name)


Way = Callable[[Visitor, str, Project], Any]


def approve_request(visitor: Visitor, where: str, project: Project) -> Any:
    person = Person.objects.get(username="charlie")
    one = MembershipRequest.objects.create(project=project, person=person)
    return visitor.ask("POST", f"{where}/membership-requests/{one.id}/approve")


WAYS: dict[str, Way] = {
    "oneself": lambda who, where, _: who.ask("PUT", f"{where}/members/bob", {"role": "manage"}),
    "somebody": lambda who, where, _: who.ask("PUT", f"{where}/members/charlie"),
    "who asked": approve_request,
    "by name": lambda who, where, _: who.ask("POST", f"{where}/invitations", {"username": "dora"}),
    "by address": lambda who, where, _: who.ask(
        "POST", f"{where}/invitations", {"email": "b@example.org"}
    ),
    "another role": lambda who, where, _: who.ask(
        "PATCH", f"{where}/members/bob", {"role": "write"}
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=[*WAYS])
def test_a_permission_lets_nobody_in(
    way: Way, where: str, project: Project, bob: Person, charlie: Person, as_bob: Visitor
) -> None:
    holds(bob, "administer_projects")
    said = problem(way(as_bob, where, project), 403)
    assert "alice" in said["detail"]
    assert [one.role for one in project.memberships.all()] == ["read"]
    assert not Invitation.objects.exists()
    assert not MembershipRequest.objects.exclude(state="pending").exists()


def test_it_changes_takes_out_and_asks(
    where: str, project: Project, charlie: Person, as_charlie: Visitor
) -> None:
    holds(charlie, "administer_projects")
    assert as_charlie.ask("PATCH", where, {"label": "Ferns"}).status_code == 200
    assert as_charlie.ask("DELETE", f"{where}/members/bob").status_code == 204
    assert as_charlie.ask("POST", f"{where}/membership-requests").status_code == 201
    assert not project.memberships.exists()


def test_a_permission_opens_no_component(
    where: str, project: Project, component: Component, bob: Person, as_bob: Visitor
) -> None:
    """Into a project that the holder shares with its owner, or to everybody."""
    holds(bob, "administer_components")
    address = f"/components/{component.id}"
    problem(as_bob.ask("PATCH", address, {"project": str(project.id)}), 403)
    problem(as_bob.ask("PATCH", address, {"public_read": True}), 403)
    component.refresh_from_db()
    assert (component.project, component.public_read) == (None, False)
    assert as_bob.ask("PATCH", address, {"label": "Moss", "project": None}).status_code == 200


def test_an_administrator_says_why_he_lets_himself_in(
    where: str, project: Project, alice: Person, ada: Person, as_administrator: Visitor
) -> None:
    me = ada.username
    said = problem(as_administrator.ask("PUT", f"{where}/members/{me}"), 422)
    assert [one["field"] for one in said["errors"]] == ["reason"]
    problem(as_administrator.ask("PUT", f"{where}/members/{me}", {"reason": " "}), 422)
    problem(as_administrator.ask("POST", f"{where}/invitations", {"username": me}), 422)
    assert not Mail.objects.exists()
    assert as_administrator.ask("PUT", f"{where}/members/{me}", WHY).status_code == 200
    (letter,) = Mail.objects.all()
    assert letter.to == alice.email
    assert f"{me} gave {me} access to your project “Herbarium”." in letter.text
    assert "Alice is away, and the deadline is tomorrow." in letter.text
    noted = AuditEntry.objects.get(event="access:opened_by_another")
    assert (noted.actor, noted.subject) == (me, "alice")
    problem(as_administrator.ask("PATCH", f"{where}/members/{me}", {"role": "manage"}), 422)


@pytest.mark.parametrize(
    "same",
    [{"first_name": "Ada", "last_name": "L.  Byron"}, {"email": "ada@example.org"}],
    ids=["name", "address"],
)
def test_or_a_second_account_of_his(
    same: dict[str, str], where: str, charlie: Person, ada: Person, as_administrator: Visitor
) -> None:
    Person.objects.filter(id=ada.id).update(
        first_name="ada", last_name="l. byron", email="ada@example.org", email_confirmed=True
    )
    Person.objects.filter(id=charlie.id).update(email_confirmed=True, **same)
    problem(as_administrator.ask("PUT", f"{where}/members/charlie"), 422)
    assert as_administrator.ask("PUT", f"{where}/members/charlie", WHY).status_code == 200


def test_the_owner_is_told_of_everybody_an_administrator_lets_in(
    where: str, project: Project, charlie: Person, as_administrator: Visitor, as_alice: Visitor
) -> None:
    assert as_administrator.ask("PUT", f"{where}/members/charlie").status_code == 200
    assert as_administrator.ask("PUT", f"{where}/members/charlie").status_code == 200
    assert Mail.objects.filter(kind="opened").count() == 1
    assert as_alice.ask("PUT", f"{where}/members/charlie", {"role": "read"}).status_code == 200
    assert as_administrator.ask("PATCH", f"{where}/members/charlie", {"role": "write"}).json()
    assert Mail.objects.filter(kind="opened").count() == 2
    long = {"role": "read", "reason": "x" * 501}
    problem(as_administrator.ask("PATCH", f"{where}/members/charlie", long), 422)


def test_an_administrator_says_why_he_puts_a_component_where_he_reads_it(
    project: Project, component: Component, ada: Person, as_administrator: Visitor
) -> None:
    address, into = f"/components/{component.id}", {"project": str(project.id)}
    assert as_administrator.ask("PATCH", address, into).status_code == 200, "he gets nothing by it"
    assert as_administrator.ask("PATCH", address, {"project": None}).status_code == 200
    Membership.objects.create(project=project, person=ada)
    problem(as_administrator.ask("PATCH", address, into), 422)
    assert as_administrator.ask("PATCH", address, into | WHY).status_code == 200
    assert Mail.objects.filter(kind="opened").count() == 2


def test_a_member_who_manages_opens_by_right(
    where: str, project: Project, charlie: Person, bob: Person, as_bob: Visitor
) -> None:
    project.memberships.update(role="manage")
    MembershipRequest.objects.create(project=project, person=charlie)
    assert as_bob.ask("PUT", f"{where}/members/charlie").status_code == 200
    assert not Mail.objects.exists()
