"""Who administers: given, announced, taken, and never from oneself or from the last."""

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.people import roles
from workspace_manager.records.models import AuditEntry, Person


def _names(visitor: Visitor) -> list[tuple[str, str]]:
    answer = visitor.ask("GET", "/administrators").json()
    assert answer["count"] == len(answer["items"])
    return [(one["username"], one["state"]) for one in answer["items"]]


def test_the_role_is_given_now_or_announced(as_administrator: Visitor, alice: Person) -> None:
    assert _names(as_administrator) == [("ada", "active")]
    given = as_administrator.ask("PUT", "/administrators/alice")
    assert (given.status_code, given.json()) == (200, {"username": "alice", "state": "active"})
    announced = as_administrator.ask("PUT", "/administrators/Nina")
    assert announced.json() == {"username": "nina", "state": "announced"}
    assert _names(as_administrator) == [
        ("ada", "active"),
        ("alice", "active"),
        ("nina", "announced"),
    ]
    for name in ("alice", "nina"):
        as_administrator.ask("PUT", f"/administrators/{name}")
    assert AuditEntry.objects.filter(event="administrator:added").count() == 2


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
    assert "You cannot take the role from yourself" in own["reason"]
    as_administrator.ask("PUT", "/administrators/alice")
    Person.objects.filter(username="alice").update(state=Person.State.SUSPENDED)
    assert _names(as_administrator)[1] == ("alice", "suspended")
    assert as_administrator.ask("DELETE", "/administrators/alice").status_code == 204


@pytest.mark.parametrize("name", ["n" * 300, "%20", "a%00b"])
def test_what_cannot_be_a_name_is_not_announced(as_administrator: Visitor, name: str) -> None:
    assert as_administrator.ask("PUT", f"/administrators/{name}").status_code in {404, 422}
    assert roles.announced() == []


def test_a_long_name_is_announced_whole(as_administrator: Visitor) -> None:
    name = "n" * 255
    assert as_administrator.ask("PUT", f"/administrators/{name}").json()["username"] == name
    assert roles.announced() == [name]


def test_an_administrator_who_is_none_any_more_takes_nothing(
    as_administrator: Visitor, alice: Person, ada: Person
) -> None:
    """Two at once: the second finds that the role it asked with is gone."""
    roles.make_administrator("alice", actor="ada")
    roles.make_user("ada", actor="alice")
    problem(as_administrator.ask("DELETE", "/administrators/alice"), 403)
