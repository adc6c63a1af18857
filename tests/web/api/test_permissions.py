"""Permissions over REST: given, shown, used, and ended."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.access.example_objects import SQL_SERVER
from tests.clock import just_over
from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.access import tokens
from workspace_manager.records.models import Component, Permission, Person, Plan, Registration


@pytest.fixture
def component(alice: Person, monkeypatch: pytest.MonkeyPatch) -> str:
    pin(monkeypatch, "sql_server", SQL_SERVER)
    made = Component.objects.create(
        owner=alice, kind="sql_database", label="Notes", name="ws_a", state=Component.State.READY
    )
    return f"/components/{made.id}"


def test_an_administrator_gives_takes_and_sees_them(
    bob: Person, as_administrator: Visitor, as_bob: Visitor
) -> None:
    where, names = "/people/bob/permissions", ["administer_stacks", "view_components"]
    assert as_administrator.ask("GET", where).json() == {
        "permissions": [],
        "until": None,
        "given": [],
    }
    day = (timezone.now() + timedelta(days=30)).date().isoformat()
    given = as_administrator.ask("PUT", where, {"permissions": names[::-1], "until": day}).json()
    assert (given["permissions"], given["until"]) == (names, f"{day}T00:00:00Z")
    assert {one["given_by"] for one in given["given"]} == {"ada"}
    assert as_administrator.ask("GET", where).json() == given
    assert as_administrator.ask("GET", "/people/bob").json()["permissions"] == names
    assert as_bob.ask("GET", "/me").json()["permissions"] == names
    assert as_administrator.ask("PUT", where, {"permissions": []}).json()["permissions"] == []
    for visitor in (as_bob,):
        problem(visitor.ask("GET", where), 403)
        problem(visitor.ask("PUT", where, {"permissions": names}), 403)
    for body in ({}, {"permissions": ["rule"]}, {"permissions": names, "until": "2001-01-01"}):
        problem(as_administrator.ask("PUT", where, body), 422)
    problem(as_administrator.ask("PUT", "/people/ada/permissions", {"permissions": names}), 409)
    problem(as_administrator.ask("GET", "/people/nobody/permissions"), 404)


def test_a_holder_changes_what_others_own_and_follows_the_plan(
    component: str, charlie: Person, as_charlie: Visitor
) -> None:
    problem(as_charlie.ask("GET", component), 404)
    held = Permission.objects.create(person=charlie, name="view_components")
    assert as_charlie.ask("GET", "/components").json()["count"] == 1
    problem(as_charlie.ask("PATCH", component, {"label": "Mine"}), 403)
    Permission.objects.create(person=charlie, name="administer_components")
    assert as_charlie.ask("PATCH", component, {"label": "Better"}).json()["owner"] == "alice"
    ordered = as_charlie.ask("DELETE", component).json()
    plan = as_charlie.ask("GET", f"/plans/{ordered['plan']}")
    assert plan.json()["person"] == "alice"
    assert [one["id"] for one in as_charlie.ask("GET", "/plans").json()["items"]] == [
        ordered["plan"]
    ]
    problem(as_charlie.ask("POST", f"/plans/{ordered['plan']}/steps/1/skip", {"reason": "x"}), 403)
    assert Plan.objects.count() == 1
    Permission.objects.all().update(until=just_over())
    problem(as_charlie.ask("GET", component), 404)
    assert held.person == charlie


@pytest.mark.parametrize(
    ("scope", "sees", "changes"),
    [("read", 200, 403), ("own", 404, 404), ("administration", 200, 200)],
)
def test_the_scope_of_a_token_bounds_permissions_too(
    component: str, charlie: Person, scope: str, sees: int, changes: int
) -> None:
    Permission.objects.create(person=charlie, name="administer_components")
    _, clear = tokens.create(charlie, name="x", actor="charlie", scope=scope)
    program = Visitor(headers={"Authorization": f"Bearer {clear}"})
    assert program.ask("GET", component).status_code == sees
    assert program.ask("PATCH", component, {"label": "Better"}).status_code == changes


def test_a_group_leader_decides_about_the_queue_and_about_nothing_else(
    charlie: Person, visitor_for: Callable[[Person], Visitor]
) -> None:
    Permission.objects.create(person=charlie, name="approve_registrations")
    leader = visitor_for(charlie)
    erin, fay = (Registration.objects.create(username=name) for name in ("erin", "fay"))
    assert leader.ask("GET", "/registrations").json()["count"] == 2
    where = f"/registrations/{erin.id}"
    assert leader.ask("GET", where).json()["username"] == "erin"
    problem(leader.ask("POST", f"{where}/approve"), 503)  # no identity provider here
    rejected = leader.ask("POST", f"/registrations/{fay.id}/reject", {"reason": "no room"})
    assert rejected.json()["status"] == "rejected"
    assert leader.ask("GET", f"/registrations/{fay.id}").json()["decided_by"] == "charlie"
    for path in (f"{where}/withdraw", f"{where}/confirmation", "/people/charlie/removal"):
        problem(leader.ask("POST", path), 403)
    assert leader.ask("GET", "/people").json()["count"] == 1
