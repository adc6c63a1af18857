"""Somebody is asked into a project: whoever asks learns no name, and nothing is made before a
yes.
"""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.records.models import (
    AuditEntry,
    Invitation,
    Membership,
    Person,
    Plan,
    Project,
)
from workspace_manager.work import invitations


@pytest.fixture
def project(alice: Person) -> Project:
    label, editor = "Herbarium", str(uuid.uuid4())
    return Project.objects.create(owner=alice, label=label, ontology_project_id=editor)


@pytest.fixture
def where(project: Project) -> str:
    return f"/projects/{project.id}"


def unlike(document: dict[str, Any]) -> dict[str, Any]:
    """What an answer says beside what was typed, an id, and the time."""
    told = {"id", "username", "email", "created_at", "expires_at"}
    return {name: value for name, value in document.items() if name not in told}


def mine(visitor: Visitor) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = visitor.ask("GET", "/me/invitations").json()["items"]
    return items


@pytest.mark.parametrize("state", Person.State.values)
def test_a_known_name_and_an_unknown_one_are_answered_alike(
    where: str, bob: Person, as_alice: Visitor, state: str
) -> None:
    Person.objects.filter(id=bob.id).update(state=state)
    for member in ("username", "email"):
        known = bob.username if member == "username" else bob.email
        answers = [
            as_alice.ask("POST", f"{where}/invitations", {member: name})
            for name in (known, f"nobody-{known}")
        ]
        assert [answer.status_code for answer in answers] == [202, 202]
        assert unlike(answers[0].json()) == unlike(answers[1].json())
    answers = [as_alice.ask("PUT", f"{where}/members/{name}") for name in ("bob", "nobody")]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert unlike(answers[0].json()) == unlike(answers[1].json())
    assert answers[0].json().keys() == answers[1].json().keys()
    for name in ("bob", "nobody"):
        problem(as_alice.ask("GET", f"{where}/members/{name}"), 404)


def test_nothing_is_made_for_who_has_not_said_yes(
    where: str, bob: Person, as_alice: Visitor, as_bob: Visitor
) -> None:
    made = as_alice.ask("PUT", f"{where}/members/bob").json()
    assert as_alice.ask("PUT", f"{where}/members/bob").json() == made
    assert not Membership.objects.exists()
    assert not Plan.objects.exists()
    problem(as_bob.ask("GET", where), 404)
    (one,) = mine(as_bob)
    assert (one["label"], one["owner"], one["id"]) == ("Herbarium", "alice", made["id"])
    assert as_bob.ask("POST", f"/me/invitations/{one['id']}/accept").status_code == 204
    assert Membership.objects.get().person == bob
    assert Plan.objects.get().kind == "access.settle"
    assert not Invitation.objects.exists()
    assert as_alice.ask("PUT", f"{where}/members/bob").status_code == 200
    problem(as_alice.ask("POST", f"{where}/invitations", {"username": "bob"}), 409)
    events = AuditEntry.objects.filter(event__startswith="membership:", subject="bob")
    actors = list(events.order_by("id").values_list("event", "actor"))
    assert actors == [("membership:invited", "alice"), ("membership:began", "bob")]


def test_a_no_is_told_to_nobody(where: str, as_alice: Visitor, as_bob: Visitor) -> None:
    for name in ("bob", "nobody"):
        as_alice.ask("PUT", f"{where}/members/{name}")
    before = as_alice.ask("GET", f"{where}/invitations").json()
    (one,) = mine(as_bob)
    assert as_bob.ask("POST", f"/me/invitations/{one['id']}/decline").status_code == 204
    assert as_alice.ask("GET", f"{where}/invitations").json() == before
    as_alice.ask("PUT", f"{where}/members/bob")
    assert mine(as_bob) == [], "who said no is not asked again and again"
    problem(as_bob.ask("POST", f"/me/invitations/{one['id']}/accept"), 404)


def test_nobody_answers_for_another(
    where: str, bob: Person, as_alice: Visitor, as_charlie: Visitor, as_administrator: Visitor
) -> None:
    made = as_alice.ask("PUT", f"{where}/members/bob").json()
    for visitor in (as_alice, as_charlie, as_administrator):
        for answer in ("accept", "decline"):
            problem(visitor.ask("POST", f"/me/invitations/{made['id']}/{answer}"), 404)
        assert mine(visitor) == []
    problem(as_charlie.ask("GET", f"{where}/invitations"), 404)
    assert not Membership.objects.exists()
    assert not Invitation.objects.get().declined


def test_a_name_that_comes_later_is_nobody_who_was_invited(
    where: str, as_alice: Visitor, bob: Person
) -> None:
    """An invitation is for who was here by that name."""
    as_alice.ask("PUT", f"{where}/members/dora")
    dora = Person.objects.create_user("dora")
    assert not invitations.of_person(dora).exists()


def test_it_ends_by_withdrawing_and_by_itself(
    where: str, as_alice: Visitor, as_bob: Visitor
) -> None:
    made = as_alice.ask("PUT", f"{where}/members/bob").json()
    assert as_alice.ask("DELETE", f"{where}/invitations/{made['id']}").status_code == 204
    assert mine(as_bob) == []
    problem(as_alice.ask("DELETE", f"{where}/invitations/{made['id']}"), 404)
    as_alice.ask("PUT", f"{where}/members/bob")
    old = timezone.now() - timedelta(seconds=1)
    Invitation.objects.update(expires_at=old)
    assert mine(as_bob) == []
    assert as_alice.ask("GET", f"{where}/invitations").json()["count"] == 0
    again = as_alice.ask("PUT", f"{where}/members/bob")
    assert again.status_code == 202
    assert [one["id"] for one in mine(as_bob)] == [again.json()["id"]]
    Invitation.objects.update(expires_at=old)
    invitations.forget_old()
    assert not Invitation.objects.exists()


def test_an_address_of_two_is_nobodys(
    where: str, bob: Person, charlie: Person, as_alice: Visitor
) -> None:
    Person.objects.filter(id=charlie.id).update(email=bob.email.upper())
    assert as_alice.ask("POST", f"{where}/invitations", {"email": bob.email}).status_code == 202
    assert Invitation.objects.get().person is None


@pytest.mark.parametrize(
    "body",
    [{}, {"username": "a", "email": "a@example.org"}, {"username": " "}, {"username": "x" * 300}],
)
def test_it_names_somebody_one_way(where: str, as_alice: Visitor, body: dict[str, str]) -> None:
    problem(as_alice.ask("POST", f"{where}/invitations", body), 422)
    problem(as_alice.ask("POST", f"{where}/invitations", {"username": "a", "role": "king"}), 422)


def test_they_are_bounded(where: str, as_alice: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitations, "MOST_OPEN", 2)
    asked = [as_alice.ask("PUT", f"{where}/members/n{n}").status_code for n in range(3)]
    assert asked == [202, 202, 409]
