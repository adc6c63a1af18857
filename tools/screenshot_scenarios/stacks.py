"""Templates and stacks: none yet, offered, being made, ready, failed."""

from collections.abc import Callable
from typing import Any, Final

from tests.web.pages import scenes
from tools.screenshot_scenarios.shared import ada
from workspace_manager.contract.message import quote_words
from workspace_manager.knowledge_stacks import templates
from workspace_manager.knowledge_stacks.stack_choice import StackRequest
from workspace_manager.records.models import Component, Plan, PlanStep, Stack
from workspace_manager.wiring import connected_systems
from workspace_manager.work import stacks

COMPOSE: Final = """\
services:
  web:
    image: registry.example.org/herbarium:4
    environment:
      TITLE: ${TITLE}
      ISSUER: ${OIDC_ISSUER}
      CLIENT_ID: ${OIDC_CLIENT_ID}
      CLIENT_SECRET: ${OIDC_CLIENT_SECRET}
      ADDRESS: ${WORKSPACE_STACK_URL}
      DATABASE: mysql://${SQL_USER}:${SQL_PASSWORD}@${SQL_HOST}:${SQL_PORT}/${SQL_DATABASE}
    volumes: ["pictures:/data"]
volumes:
  pictures:
"""


def scenarios() -> list[Callable[[Any], None]]:
    return [templates_and_stacks]


def for_docs(studio: Any, name: str, path: str, who: str) -> None:
    """The top of a page, as the how-to shows it."""
    studio.everywhere(f"docs-{name}", path, who, height=1000, looks=[{}])


def templates_and_stacks(studio: Any) -> None:
    """From an empty list to a stack that failed."""
    scenes.set_up_systems()
    ada()
    anna = scenes.person("anna", "Anna Beispiel")
    studio.everywhere("templates-none", "/manage/templates", "ada")
    studio.everywhere("stacks-none", "/stacks", "anna")
    studio.everywhere("stack-no-template", "/stacks/new", "anna")
    systems = connected_systems()
    draft = templates.Draft(
        name="herbarium",
        label="Herbarium",
        description="A catalogue with pictures, for a group that works on one collection.",
        compose=COMPOSE,
        parameters=[templates.Parameter(name="TITLE", label="What is it called?", required=True)],
        needs=("sign_in", "sql_database"),
        web_service="web",
        web_port=8080,
        health_path="/health",
    )
    template = templates.add(draft, actor="ada", systems=systems)
    studio.everywhere("template-draft", "/manage/templates/herbarium", "ada")
    for_docs(studio, "template", "/manage/templates/herbarium", "ada")
    templates.offer(template, actor="ada", systems=systems)
    studio.everywhere("templates", "/manage/templates", "ada")
    studio.everywhere("stack-choose", "/stacks/new", "anna")
    studio.everywhere("stack-new", "/stacks/new?template=herbarium", "anna")
    wanted = StackRequest("herbarium", {"TITLE": "Ferns of the Alps"})
    stack, plan = stacks.create(
        anna, label="Ferns", project=None, wanted=wanted, systems=connected_systems()
    )
    studio.everywhere("stack-creating", f"/stacks/{stack.id}", "anna")
    steps = PlanStep.objects.filter(plan=plan)
    steps.exclude(name="create_stack").update(state=PlanStep.State.DONE)
    steps.filter(name="create_stack").update(
        state=PlanStep.State.STUCK,
        reason=quote_words("no such image: registry.example.org/herbarium:4"),
    )
    Plan.objects.filter(id=plan.id).update(state=Plan.State.STUCK)
    Stack.objects.update(state="failed")
    Component.objects.exclude(kind="knowledge_stack").update(state="ready")
    Component.objects.filter(kind="knowledge_stack").update(state="failed")
    studio.everywhere("stack-failed", f"/stacks/{stack.id}", "anna")
    Stack.objects.update(state="ready")
    Component.objects.update(state="ready")
    studio.everywhere("stack-ready", f"/stacks/{stack.id}", "anna")
    for_docs(studio, "stack", f"/stacks/{stack.id}", "anna")
    made = stack.parts.get(kind="knowledge_stack")
    studio.everywhere("stack-part", f"/components/{made.id}", "anna")
    for n in range(70):
        Stack.objects.create(owner=anna, label=f"Collection {n:03}", name=f"st-{n}", state="ready")
    studio.everywhere("stacks-many", "/stacks", "anna")
