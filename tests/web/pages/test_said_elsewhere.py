"""Words of systems and of people are text on every page; and no page of one thing needs
a system that has nothing to do with it.
"""

import pytest
from django.test import Client

from tests.web.pages import scenes
from workspace_manager.contract.message import quote_words
from workspace_manager.records.models import Component, Person, Plan, PlanStep, Project, Stack

MARKUP = "<img src=x onerror=alert(1)>\"'<b>"
ESCAPED = "&lt;img src=x onerror=alert(1)&gt;"


@pytest.fixture
def failed(as_anna: Client, anna: Person) -> Component:
    """A component of a stack with odd names, stuck on what a system said."""
    scenes.set_up_systems()
    as_anna.post("/components/new", {"kind": "sql_database", "label": MARKUP})
    component = Component.objects.get()
    project = Project.objects.create(owner=anna, label=MARKUP)
    stack = Stack.objects.create(
        owner=anna, label=MARKUP, name="st-odd", state="failed", project=project
    )
    Component.objects.update(state="failed", stack=stack, project=project)
    Plan.objects.filter(kind="component.create").update(state=Plan.State.STUCK)
    PlanStep.objects.filter(plan__about=str(component.id), n=1).update(
        state=PlanStep.State.STUCK,
        cause="invalid",
        reason=quote_words(MARKUP),
        advice=quote_words(MARKUP),
    )
    return component


def test_what_was_said_elsewhere_is_text(as_anna: Client, failed: Component) -> None:
    """The predecessor put what an upstream answered into its list as markup."""
    stack = Stack.objects.get()
    addresses = (
        "/components",
        f"/components/{failed.id}",
        f"/components/{failed.id}/progress",
        "/stacks",
        f"/stacks/{stack.id}",
        f"/stacks/{stack.id}/progress",
        "/projects",
        "/start",
    )
    for address in addresses:
        page = as_anna.get(address).content.decode()
        assert ESCAPED in page, address
        assert "<img src=x" not in page, address


@pytest.mark.parametrize("kind", ["sql_database", "triplestore_repository", "knowledge_stack"])
def test_a_page_needs_no_other_system(as_anna: Client, anna: Person, kind: str) -> None:
    """The predecessor read the settings of all systems for the link of each component."""
    component = Component.objects.create(
        owner=anna, kind=kind, label="Letters", name="ws_letters_1", state="ready", address="here"
    )
    for address in ("/components", f"/components/{component.id}"):
        response = as_anna.get(address)
        assert response.status_code == 200
        assert "Letters" in response.content.decode()
