"""The right to administer: given, announced, taken, and never from oneself or from the last."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.people import announcements, roles
from workspace_manager.records.models import AuditEntry, Person, Registration, UnapprovedSignIn

NOBODY = dict.fromkeys(("bound", "sub", "email", "until", "announced_by"))
"""Of somebody who is not announced."""


def _names(visitor: Visitor) -> list[tuple[str, str]]:
    answer = visitor.ask("GET", "/administrators").json()
    assert answer["count"] == len(answer["items"])
    return [(one["username"], one["state"]) for one in answer["items"]]


def test_the_role_is_given_now_or_announced(as_administrator: Visitor, alice: Person) -> None:
    assert _names(as_administrator) == [("ada", "active")]
    given = as_administrator.ask("PUT", "/administrators/alice")
    assert given.status_code == 200
    assert given.json() == {**NOBODY, "username": "alice", "state": "active"}
    nina = as_administrator.ask("PUT", "/administrators/Nina").json()
    assert (nina["username"], nina["state"], nina["bound"]) == ("nina", "announced", "name")
    assert nina["announced_by"] == "ada"
    assert _names(as_administrator) == [
        ("ada", "active"),
        ("alice", "active"),
        ("nina", "announced"),
    ]
    for name in ("alice", "nina"):
        as_administrator.ask("PUT", f"/administrators/{name}")
    assert AuditEntry.objects.filter(event="administrator:added").count() == 1
    assert AuditEntry.objects.filter(event="administrator:announced").count() == 1


def test_an_announcement_says_for_whom_and_until_when(as_administrator: Visitor) -> None:
    where = "/administrators/nina"
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    body = {"email": "nina@example.org", "until": tomorrow}
    nina = as_administrator.ask("PUT", where, body).json()
    assert (nina["bound"], nina["email"], nina["sub"]) == ("email", "nina@example.org", None)
    assert nina["until"].startswith(tomorrow)
    assert as_administrator.ask("PUT", where).json() == nina
    assert as_administrator.ask("PUT", where, {"sub": "s1"}).json()["bound"] == "sub"
    for wrong in ({"email": "x"}, {"until": "2001-01-01"}, {"until": "soon"}, {"sub": 1}):
        problem(as_administrator.ask("PUT", where, wrong), 422)


def test_who_came_by_the_name_alone_is_confirmed(
    as_administrator: Visitor, as_alice: Visitor
) -> None:
    where = "/administrators/nina/confirm"
    problem(as_administrator.ask("POST", where), 409)
    as_administrator.ask("PUT", "/administrators/nina")
    problem(as_administrator.ask("POST", where), 409)
    Person.objects.create_user("nina")
    assert ("nina", "to_confirm") in _names(as_administrator)
    # Asked for again by a script, it is not given by that.
    assert as_administrator.ask("PUT", "/administrators/nina").json()["state"] == "to_confirm"
    problem(as_alice.ask("POST", where), 403)
    given = as_administrator.ask("POST", where)
    assert (given.status_code, given.json()["state"]) == (200, "active")
    assert AuditEntry.objects.get(event="administrator:added").details == {"how": "confirmed"}


def test_the_queue_says_that_the_name_is_announced(as_administrator: Visitor) -> None:
    row = Registration.objects.create(username="nina", email="nina@example.org")
    where = f"/registrations/{row.id}"
    assert as_administrator.ask("GET", where).json()["announced"] is None
    for body, bound, says in (
        ({}, "name", "name alone"),
        ({"email": "Nina@example.org"}, "email", "as soon as"),
        ({"email": "else@example.org"}, "email", "does not get the role"),
        ({"sub": "s1"}, "sub", "does not get the role"),
    ):
        as_administrator.ask("PUT", "/administrators/nina", body)
        found = as_administrator.ask("GET", where).json()["announced"]
        assert (found["role"], found["bound"]) == ("administrator", bound)
        assert says in found["text"]
        german = as_administrator.ask("GET", where, HTTP_ACCEPT_LANGUAGE="de").json()["announced"]
        assert "angekündigt" in german["text"]


def test_who_stands_at_the_door_under_an_announced_name_is_shown_so(
    as_administrator: Visitor,
) -> None:
    row = UnapprovedSignIn.objects.create(sub="s1", username="nina", why="not approved")
    as_administrator.ask("PUT", "/administrators/nina", {"sub": "s1"})
    found = as_administrator.ask("GET", f"/strangers/{row.id}").json()["announced"]
    assert (found["bound"], "for this account" in found["text"]) == ("sub", True)


def test_the_role_is_taken(as_administrator: Visitor, alice: Person) -> None:
    for name in ("alice", "nina"):
        as_administrator.ask("PUT", f"/administrators/{name}")
        assert as_administrator.ask("DELETE", f"/administrators/{name}").status_code == 204
        problem(as_administrator.ask("DELETE", f"/administrators/{name}"), 404)
    assert _names(as_administrator) == [("ada", "active")]


def test_neither_from_oneself_nor_from_the_last_active_one(
    as_administrator: Visitor, alice: Person
) -> None:
    own = problem(as_administrator.ask("DELETE", "/administrators/ada"), 409)
    assert "You cannot remove your own role." in own["reason"]
    as_administrator.ask("PUT", "/administrators/alice")
    Person.objects.filter(username="alice").update(state=Person.State.SUSPENDED)
    assert _names(as_administrator)[1] == ("alice", "suspended")
    assert as_administrator.ask("DELETE", "/administrators/alice").status_code == 204


@pytest.mark.parametrize("name", ["n" * 300, "%20", "a%00b"])
def test_what_cannot_be_a_name_is_not_announced(as_administrator: Visitor, name: str) -> None:
    assert as_administrator.ask("PUT", f"/administrators/{name}").status_code in {404, 422}
    assert announcements.names() == []


def test_a_long_name_is_announced_whole(as_administrator: Visitor) -> None:
    name = "n" * 255
    assert as_administrator.ask("PUT", f"/administrators/{name}").json()["username"] == name
    assert announcements.names() == [name]


def test_an_administrator_who_is_none_any_more_takes_nothing(
    as_administrator: Visitor, alice: Person, ada: Person
) -> None:
    """Two at once: the second finds that the role it asked with is gone."""
    roles.make_administrator("alice", actor="ada")
    roles.make_user("ada", actor="alice")
    problem(as_administrator.ask("DELETE", "/administrators/alice"), 403)
