"""Stacks and templates through the interface: what is ordered, refused, and by whom."""

import uuid
from typing import Any

import pytest

from tests.pinned_settings import pin
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.contract.message import quote_words
from workspace_manager.records.models import (
    Component,
    Membership,
    Person,
    Plan,
    PlanStep,
    Project,
    Stack,
)

pytestmark = pytest.mark.usefixtures("databases", "containers")

TEMPLATE: dict[str, Any] = {
    "name": "herbarium",
    "label": "Herbarium",
    "compose": "services: {web: {image: example/web:1, environment: {TITLE: '${TITLE}'}}}",
    "parameters": [{"name": "TITLE", "label": "Title", "required": True}],
    "needs": ["sql_database"],
    "web_service": "web",
    "open_path": "/start",
}


@pytest.fixture
def containers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Configured, and never called."""
    pin(monkeypatch, "container_manager", {"url": "http://127.0.0.1:1", "api_key": "not used"})


@pytest.fixture
def offered_template(as_administrator: Visitor) -> None:
    assert as_administrator.ask("POST", "/stack-templates", TEMPLATE).status_code == 201
    answer = as_administrator.ask("POST", "/stack-templates/herbarium/offer")
    assert answer.json()["state"] == "offered"


@pytest.fixture
def shared(alice: Person, bob: Person) -> Project:
    project = Project.objects.create(owner=alice, label="Herbarium")
    Membership.objects.create(project=project, person=bob)
    return project


def test_a_template_is_added_tried_offered_and_withdrawn(
    as_administrator: Visitor, as_alice: Visitor
) -> None:
    made = as_administrator.ask("POST", "/stack-templates", TEMPLATE)
    assert made.headers["Location"] == "/api/v1/stack-templates/herbarium"
    assert (made.json()["state"], made.json()["made"]) == ("draft", 0)
    order = {"label": "Ferns", "template": "herbarium", "parameters": {"TITLE": "Ferns"}}
    wrong = problem(as_alice.ask("POST", "/stacks", order), 422)
    assert wrong["errors"][0]["field"] == "template"
    assert as_administrator.ask("POST", "/stacks", order).status_code == 202
    as_administrator.ask("POST", "/stack-templates/herbarium/offer")
    assert as_alice.ask("POST", "/stacks", order).status_code == 202
    assert as_administrator.ask("GET", "/stack-templates/herbarium").json()["made"] == 2
    problem(as_administrator.ask("DELETE", "/stack-templates/herbarium"), 409)
    as_administrator.ask("POST", "/stack-templates/herbarium/withdraw")
    problem(as_alice.ask("POST", "/stacks", order), 422)
    assert as_administrator.ask("DELETE", "/stack-templates/herbarium").status_code == 204
    assert Stack.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"name": "Not a name"}, "name", "a-z"),
        ({"name": "new"}, "name", "a-z"),
        ({"compose": "services: {web: {build: .}}"}, "compose", "build"),
        ({"compose": "services: {web: {image: a, privileged: true}}"}, "compose", "privileged"),
        ({"parameters": []}, "compose", "${TITLE}"),
        ({"parameters": [{"name": "SQL_USER"}]}, "parameters", "SQL_USER"),
        ({"parameters": [{"name": "A"}, {"name": "A"}]}, "parameters", "A"),
        ({"health_path": "no slash"}, "health_path", "/"),
        ({"web_service": "other"}, "compose", "other"),
        ({"web_service": "", "needs": ["sign_in"]}, "web_service", "sign"),
    ],
)
def test_what_is_wrong_with_a_template_is_said_at_its_field(
    as_administrator: Visitor, change: dict[str, Any], field: str, said: str
) -> None:
    answer = as_administrator.ask("POST", "/stack-templates", {**TEMPLATE, **change})
    (error,) = problem(answer, 422)["errors"]
    assert error["field"] == field
    assert said in error["message"]


@pytest.mark.usefixtures("offered_template")
def test_a_stack_is_ordered_seen_by_members_and_changed_by_its_owner(
    as_alice: Visitor, as_bob: Visitor, as_charlie: Visitor, shared: Project
) -> None:
    order = {
        "label": "Ferns",
        "template": "herbarium",
        "parameters": {"TITLE": "Ferns"},
        "project": str(shared.id),
    }
    answer = as_alice.ask("POST", "/stacks", order)
    assert answer.status_code == 202, answer.content
    stack = answer.json()["stack"]
    assert answer.headers["Location"] == f"/api/v1/stacks/{stack['id']}"
    assert [part["kind"] for part in stack["parts"]] == ["sql_database", "knowledge_stack"]
    assert stack["state"] == "creating"
    plan = as_alice.ask("GET", f"/plans/{answer.json()['plan']}").json()
    assert plan["kind"] == "stack.create"
    knowledge = as_alice.ask("GET", f"/components/{stack['parts'][1]['id']}").json()
    assert knowledge["address"] == stack["address"]
    assert knowledge["address"].endswith("/start")
    assert (knowledge["template"], knowledge["stack"]) == ("herbarium", stack["id"])
    assert knowledge["accounts"][0]["kind"] == "sql_server.user"
    assert "compose" not in str(knowledge)
    address = f"/stacks/{stack['id']}"
    assert as_bob.ask("GET", address).json()["mine"] is False
    problem(as_charlie.ask("GET", address), 404)
    for method, body in (("DELETE", None), ("PATCH", {"label": "Mine"})):
        problem(as_bob.ask(method, address, body), 403)
        problem(as_bob.ask(method, f"/components/{knowledge['id']}", body), 403)
    moved = as_alice.ask("PATCH", address, {"label": "Mosses", "project": None}).json()
    assert (moved["label"], moved["project"]) == ("Mosses", None)
    assert not Component.objects.exclude(project=None).exists()
    problem(as_bob.ask("GET", address), 404)
    problem(as_alice.ask("DELETE", f"/components/{knowledge['id']}"), 409)
    gone = as_alice.ask("DELETE", f"{address}?keep_volumes=true")
    assert gone.status_code == 202
    assert gone.json()["stack"]["state"] == "deleting"
    told = as_alice.ask("GET", f"/plans/{gone.json()['plan']}").json()
    assert knowledge["id"] in told["by_hand"][0]
    problem(as_alice.ask("DELETE", address), 409)


@pytest.mark.usefixtures("offered_template")
def test_what_failed_says_why(as_alice: Visitor) -> None:
    order = {"label": "Ferns", "template": "herbarium", "parameters": {"TITLE": "Ferns"}}
    stack = as_alice.ask("POST", "/stacks", order).json()["stack"]
    Stack.objects.update(state="failed")
    Component.objects.update(state="failed")
    Plan.objects.update(state=Plan.State.STUCK)
    PlanStep.objects.filter(name="create_stack").update(
        state=PlanStep.State.STUCK, reason=quote_words("no such image")
    )
    shown = as_alice.ask("GET", f"/stacks/{stack['id']}").json()
    assert shown["reason"] == "no such image"
    database, knowledge = as_alice.ask("GET", "/components").json()["items"]
    assert (database["reason"], knowledge["reason"]) == ("", "no such image")


def test_keeping_volumes_is_of_knowledge_stacks(as_alice: Visitor) -> None:
    body = {"kind": "sql_database", "label": "Notes"}
    made = as_alice.ask("POST", "/components", body).json()["component"]
    problem(as_alice.ask("DELETE", f"/components/{made['id']}?keep_volumes=true"), 422)
    of_stacks: dict[str, Any] = {
        "template": "herbarium",
        "parameters": {"TITLE": "Ferns"},
        "uses": {"sql_database": str(uuid.uuid4())},
    }
    for name, said in of_stacks.items():
        wrong = problem(as_alice.ask("POST", "/components", {**body, name: said}), 422)
        assert wrong["errors"][0]["field"] == "template"
