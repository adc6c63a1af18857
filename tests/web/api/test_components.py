"""Components: ordered, seen by those who share the project, deleted by the owner; their keys are
the owner's alone.
"""

import uuid
from typing import Any

import pytest

from tests.visitors import Visitor
from tests.web.api.documents import problem
from tests.web.pages.healthy import healthy
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Plan,
    Project,
    ServiceKey,
    Stack,
)
from workspace_manager.work import components

pytestmark = pytest.mark.usefixtures("databases")


@pytest.fixture
def shared(alice: Person, bob: Person) -> Project:
    project = Project.objects.create(owner=alice, label="Herbarium")
    Membership.objects.create(project=project, person=bob)
    return project


@pytest.fixture
def component(as_alice: Visitor, shared: Project) -> dict[str, Any]:
    body = {"kind": "sql_database", "label": " Field notes ", "project": str(shared.id)}
    answer = as_alice.ask("POST", "/components", body)
    assert answer.status_code == 202, answer.content
    document: dict[str, Any] = answer.json()["component"]
    assert answer.headers["Location"] == f"/api/v1/components/{document['id']}"
    return document


def test_a_component_is_ordered(
    component: dict[str, Any], shared: Project, as_alice: Visitor
) -> None:
    assert component["address"].startswith("mysql://127.0.0.1:1/ws_field_notes")
    assert component == {
        "id": component["id"],
        "kind": "sql_database",
        "label": "Field notes",
        "owner": "alice",
        "project": str(shared.id),
        "state": "creating",
        "system": "sql_server",
        "system_state": "not_asked",
        "address": component["address"],
        "accounts": [{"system": "sql_server", "kind": "sql_server.user", "name": "alice"}],
        "mine": True,
        "public_read": False,
        "template": None,
        "stack": None,
        "reason": "",
    }
    shown = as_alice.ask("GET", f"/components/{component['id']}").json()
    access = shown.pop("access")
    assert shown == component
    assert (access["account"], access["level"]) == ("alice", "")
    assert access["key"]["state"] == "to_reveal"
    assert access["snippets"] == []
    assert as_alice.ask("GET", "/components").json() == {"items": [component], "count": 1}


def test_each_says_how_its_system_stands(component: dict[str, Any], as_alice: Visitor) -> None:
    """The component is as it was made; that nobody reaches it is of its system."""
    Component.objects.update(state="ready")
    address = f"/components/{component['id']}"
    assert as_alice.ask("GET", address).json()["system_state"] == "not_asked"
    healthy("sql_server", "down", "canary: why it is so")
    (line,) = as_alice.ask("GET", "/components").json()["items"]
    one = as_alice.ask("GET", address).json()
    for said in (line, one):
        assert (said["state"], said["system"]) == ("ready", "sql_server")
        assert said["system_state"] == "down"
        assert "canary" not in str(said), "why is for administrators"


def test_a_repository_is_ordered(as_alice: Visitor) -> None:
    answer = as_alice.ask(
        "POST", "/components", {"kind": "triplestore_repository", "label": "Finds"}
    )
    made = answer.json()["component"]
    assert "/repositories/" in made["address"]
    assert (made["project"], made["accounts"][0]["kind"]) == (None, "triplestore.user")
    plan = as_alice.ask("GET", f"/plans/{answer.json()['plan']}").json()
    assert (plan["kind"], plan["state"]) == ("component.create", "running")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "sql_database"},
        {"kind": "sql_database", "label": ""},
        {"kind": "sql_database", "label": "x" * 101},
        {"kind": "sql_database", "label": "\ud800"},
        {"kind": "sql_database", "label": "\u202e"},
        {"kind": "sql_database", "label": "a\u2028b"},
        {"kind": "SQL_DATABASE", "label": "a"},
        {"kind": None, "label": "a"},
        {"kind": "sql_database", "label": "a", "project": "nonsense"},
        {"kind": "sql_database", "label": "a", "project": 5},
        {"kind": "sql_database", "label": "a", "project": str(uuid.UUID(int=1))},
    ],
)
def test_what_cannot_be_is_refused(as_alice: Visitor, body: dict[str, Any]) -> None:
    problem(as_alice.ask("POST", "/components", body), 422)
    assert not Component.objects.exists()


def test_nobody_puts_something_into_a_stranger_s_project(
    shared: Project, as_charlie: Visitor, as_administrator: Visitor, as_bob: Visitor
) -> None:
    body = {"kind": "sql_database", "label": "a", "project": str(shared.id)}
    for visitor in (as_charlie, as_administrator):
        problem(visitor.ask("POST", "/components", body), 422)
    assert as_bob.ask("POST", "/components", body).status_code == 202


def test_what_is_not_configured_cannot_be_made(
    as_alice: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WORKSPACE_SQL_SERVER__HOST")
    body = {"kind": "sql_database", "label": "a"}
    assert "not configured" in problem(as_alice.ask("POST", "/components", body), 409)["reason"]


@pytest.mark.parametrize("username", ["root", "x" * 40, "a/b", "pma", "with space "])
def test_a_name_that_cannot_be_an_account_is_told_and_nothing_is_kept(
    alice: Person, as_alice: Visitor, username: str
) -> None:
    Person.objects.filter(id=alice.id).update(username=username)
    for kind in ("sql_database", "triplestore_repository"):
        response = as_alice.ask("POST", "/components", {"kind": kind, "label": "a"})
        assert response.status_code in {202, 409}, response.content
        if response.status_code == 409:
            problem(response, 409)
            assert not Component.objects.filter(kind=kind).exists()


def test_whoever_shares_sees_it_and_only_the_owner_changes_it(
    component: dict[str, Any], as_alice: Visitor, as_bob: Visitor, as_charlie: Visitor
) -> None:
    where = f"/components/{component['id']}"
    shown = as_bob.ask("GET", where).json()
    assert shown.pop("access")["why"].startswith("Not ready yet.")
    assert shown == component | {"mine": False}
    assert as_bob.ask("GET", "/components").json()["count"] == 1
    assert as_charlie.ask("GET", "/components").json()["count"] == 0
    changes = [
        ("PATCH", where, {"label": "x"}),
        ("DELETE", where, None),
        ("POST", f"{where}/snapshots", {}),
    ]
    for method, path, body in changes:
        problem(as_bob.ask(method, path, body), 403)
        problem(as_charlie.ask(method, path, body), 404)
    problem(as_alice.ask("POST", f"{where}/snapshots"), 409)


def test_it_is_renamed_and_moved(
    component: dict[str, Any], as_alice: Visitor, as_bob: Visitor, as_administrator: Visitor
) -> None:
    where = f"/components/{component['id']}"
    renamed = as_alice.ask("PATCH", where, {"label": "Notes"}).json()
    assert renamed == {**component, "label": "Notes"}
    private = as_administrator.ask("PATCH", where, {"project": None}).json()
    assert private["project"] is None
    problem(as_bob.ask("GET", where), 404)
    problem(as_alice.ask("PATCH", where, {"project": str(uuid.uuid4())}), 422)
    problem(as_alice.ask("PATCH", where, {"label": "a\x00"}), 422)


def test_it_is_deleted_by_a_plan(component: dict[str, Any], as_administrator: Visitor) -> None:
    where = f"/components/{component['id']}"
    answer = as_administrator.ask("DELETE", where)
    assert answer.status_code == 202
    assert answer.json()["component"]["state"] == "deleting"
    assert Plan.objects.get(id=answer.json()["plan"]).kind == "component.delete"
    problem(as_administrator.ask("DELETE", where), 409)


def test_a_deletion_that_a_quick_worker_has_finished_is_answered_as_ordered(
    component: dict[str, Any], as_administrator: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = components.delete

    def at_once(row: Component, **named: Any) -> Plan:
        plan = order(row, **named)
        Component.objects.filter(id=row.id).delete()
        return plan

    monkeypatch.setattr(components, "delete", at_once)
    answer = as_administrator.ask("DELETE", f"/components/{component['id']}")
    assert answer.status_code == 202
    assert answer.json()["component"]["state"] == "deleting"


def test_a_key_is_revealed_to_its_owner_once(
    component: dict[str, Any],
    as_alice: Visitor,
    as_bob: Visitor,
    as_administrator: Visitor,
) -> None:
    (key,) = as_alice.ask("GET", "/service-keys").json()["items"]
    where = f"/service-keys/{key['id']}"
    assert (key["system"], key["account"], key["revealable"]) == ("sql_server", "alice", True)
    for visitor in (as_bob, as_administrator):
        assert visitor.ask("GET", "/service-keys").json()["count"] == 0
        for path in (where, f"{where}/reveal"):
            problem(visitor.ask("GET", path), 404)
    problem(as_alice.ask("GET", f"{where}/reveal"), 409)  # its account is still being made
    Plan.objects.update(state="done")
    assert as_alice.ask("HEAD", f"{where}/reveal").status_code == 403  # nobody would read it
    foreign = {"Sec-Fetch-Site": "cross-site"}
    problem(as_alice.ask("GET", f"{where}/reveal", headers=foreign), 403)
    answer = as_alice.ask("GET", f"{where}/reveal")
    assert answer.headers["Cache-Control"] == "no-store"
    assert len(answer.json()["secret"]) == 40
    problem(as_alice.ask("GET", f"{where}/reveal"), 409)
    shown = as_alice.ask("GET", where).json()
    assert (shown["revealable"], bool(shown["revealed_at"])) == (False, True)
    assert answer.json()["secret"] not in str(shown)


def test_a_key_is_renamed_and_a_personal_one_not_deleted(
    component: dict[str, Any], as_alice: Visitor
) -> None:
    key = ServiceKey.objects.get()
    renamed = as_alice.ask("PATCH", f"/service-keys/{key.id}", {"label": "SQL"})
    assert renamed.json()["label"] == "SQL"
    problem(as_alice.ask("DELETE", f"/service-keys/{key.id}"), 409)


def test_snapshots_are_made_where_the_thing_is_and_of_what_is_ready(
    alice: Person, shared: Project, as_alice: Visitor
) -> None:
    stack = Stack.objects.create(owner=alice, label="All", name="st-1", project=shared)
    told = problem(as_alice.ask("POST", f"/stacks/{stack.id}/snapshots", {}), 409)["reason"]
    assert "“All” is not ready" in told
    told = problem(as_alice.ask("POST", "/snapshots", {}), 409)["reason"]
    assert "This version of the manager does not support this:" in told
