"""Stacks and templates on their pages: chosen, made, watched, deleted; added, tried, offered."""

from collections.abc import Callable
from typing import Any

from django.test import Client

from tests.web.pages import scenes
from workspace_manager.records.models import Component, Person, Plan, Stack, StackTemplate

COMPOSE = "services:\r\n  web:\r\n    image: example/web:1\r\n    environment: {T: '${TITLE}'}\r\n"


def typed(**more: Any) -> dict[str, Any]:
    return {
        "name": "herbarium",
        "label": "Herbarium",
        "description": "With pictures",
        "compose": COMPOSE,
        "needs": ["sql_database"],
        "parameter_name": ["TITLE", "", ""],
        "parameter_label": ["What is it called?", "", ""],
        "parameter_default": ["", "", ""],
        "parameter_required": ["0"],
        "web_service": "web",
        "web_port": "8080",
        "health_path": "/",
        "open_path": "/",
        "redirect_path": "/oidc/callback",
        **more,
    }


def offer_template(as_ada: Client) -> None:
    assert as_ada.post("/manage/templates/new", typed()).status_code == 302
    as_ada.post("/manage/templates/herbarium/offer")


def test_a_template_is_added_changed_offered_withdrawn_and_deleted(as_ada: Client) -> None:
    scenes.set_up_systems()
    assert "No templates yet" in as_ada.get("/manage/templates").content.decode()
    answer = as_ada.post("/manage/templates/new", typed())
    assert answer.headers["Location"] == "/manage/templates/herbarium"
    row = StackTemplate.objects.get()
    assert row.compose == COMPOSE.replace("\r\n", "\n")
    assert row.parameters[0]["name"] == "TITLE"
    assert row.parameters[0]["required"] is True
    assert "?template=herbarium" in as_ada.get("/manage/templates/herbarium").content.decode()
    as_ada.post("/manage/templates/herbarium", typed(label="Plants"))
    as_ada.post("/manage/templates/herbarium/offer")
    row.refresh_from_db()
    assert (row.label, row.state) == ("Plants", "offered")
    assert "Plants" in as_ada.get("/manage/templates").content.decode()
    as_ada.post("/manage/templates/herbarium/delete")
    as_ada.post("/manage/templates/herbarium/withdraw")
    row.refresh_from_db()
    assert row.state == "withdrawn"
    as_ada.post("/manage/templates/herbarium/delete")
    assert not StackTemplate.objects.exists()


def test_what_is_not_carried_out_is_said_at_the_compose_file(as_ada: Client) -> None:
    scenes.set_up_systems()
    answer = as_ada.post("/manage/templates/new", typed(compose="services: {web: {build: .}}"))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "“build” is not supported" in page
    assert "What is it called?" in page  # what was typed is not lost
    assert not StackTemplate.objects.exists()


def test_a_stack_is_chosen_made_watched_and_deleted(
    as_ada: Client, as_anna: Client, bela: Person, browser_of: Callable[[Person], Client]
) -> None:
    scenes.set_up_systems()
    assert "No other templates are available yet" in as_anna.get("/stacks/new").content.decode()
    offer_template(as_ada)
    assert "With pictures" in as_anna.get("/stacks/new").content.decode()
    page = as_anna.get("/stacks/new?template=herbarium").content.decode()
    assert "What is it called?" in page
    assert as_anna.post("/stacks/new?template=herbarium", {}).status_code == 422
    made = as_anna.post(
        "/stacks/new?template=herbarium", {"label": "Ferns", "parameter_TITLE": "Ferns"}
    )
    stack = Stack.objects.get()
    assert made.headers["Location"] == f"/stacks/{stack.id}"
    page = as_anna.get(f"/stacks/{stack.id}").content.decode()
    assert "Start its containers" in page
    assert ">Open<" not in page
    seen = page.split("progress?seen=")[1].split('"')[0]
    assert as_anna.get(f"/stacks/{stack.id}/progress", {"seen": seen}).status_code == 204
    Stack.objects.update(state="ready")
    Component.objects.update(state="ready")
    assert ">Open<" in as_anna.get(f"/stacks/{stack.id}").content.decode()
    assert "Ferns" in as_anna.get("/stacks").content.decode()
    part = stack.parts.get(kind="knowledge_stack")
    assert "and is deleted with it" in as_anna.get(f"/components/{part.id}").content.decode()
    assert browser_of(bela).get(f"/stacks/{stack.id}").status_code == 404
    gone = f"/stacks/{stack.id}/delete"
    assert as_anna.post(gone, {"confirm": "wrong"}).status_code == 422
    assert as_anna.post(gone, {"confirm": "Ferns", "keep_volumes": "on"}).status_code == 302
    plan = Plan.objects.get(kind="stack.delete")
    assert len(plan.by_hand) == 1
    Stack.objects.all().delete()
    assert as_anna.get(f"/stacks/{stack.id}/progress").headers["HX-Redirect"] == "/stacks"


def test_it_may_use_what_one_has(as_ada: Client, as_anna: Client, anna: Person) -> None:
    scenes.set_up_systems()
    offer_template(as_ada)
    mine = Component.objects.create(
        owner=anna, kind="sql_database", label="Notes", name="ws_notes", state="ready"
    )
    page = as_anna.get("/stacks/new?template=herbarium").content.decode()
    assert "Notes" in page
    made = as_anna.post(
        "/stacks/new?template=herbarium",
        {"label": "Ferns", "parameter_TITLE": "x", "uses_sql_database": str(mine.id)},
    )
    component = Component.objects.get(kind="knowledge_stack")
    assert made.headers["Location"] == f"/components/{component.id}"
    assert not Stack.objects.exists()
    page = as_anna.get(f"/components/{component.id}").content.decode()
    assert "Keep the volumes" in page


def test_without_a_template_it_is_a_database_and_a_repository(as_anna: Client) -> None:
    scenes.set_up_systems()
    assert as_anna.post("/stacks/new?template=-", {"label": "Both"}).status_code == 302
    assert Component.objects.count() == 2
    assert as_anna.get("/stacks/new?template=none").status_code == 404


def test_a_drive_that_is_not_connected_is_said(as_ada: Client, as_anna: Client) -> None:
    scenes.set_up_systems()
    as_ada.post("/manage/templates/new", typed(needs=["drive"]))
    as_ada.post("/manage/templates/herbarium/offer")
    answer = as_anna.post(
        "/stacks/new?template=herbarium", {"label": "Ferns", "parameter_TITLE": "x"}
    )
    assert answer.status_code == 409
    assert "your drive is not connected" in answer.content.decode()
