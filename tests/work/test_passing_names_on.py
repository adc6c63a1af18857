"""A project that is renamed here is renamed in the ontology editor, by a plan, once and to the
name it has then.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.pinned_settings import pin
from workspace_manager.engine import pause
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan, Project
from workspace_manager.wiring import connected_systems
from workspace_manager.work import projects
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def editor(monkeypatch: pytest.MonkeyPatch) -> Iterator[OntologyEditorStandIn]:
    stand_in = OntologyEditorStandIn()
    with running(stand_in):
        pin(monkeypatch, "ontology_editor", {"host": stand_in.url, "api_key": stand_in.api_key})
        yield stand_in


@pytest.fixture
def mira() -> Person:
    return make_person("mira", sub="sub-of-mira")


def work() -> None:
    for plan in Plan.objects.filter(state__in=Plan.OPEN).order_by("created_at"):
        run(plan.id, connected_systems(), kinds=PLAN_KINDS)


def linked(mira: Person) -> Project:
    project = projects.make(mira, connected_systems(), label="Birds", description="Their songs")
    work()
    project.refresh_from_db()
    assert project.ontology_project_id
    return project


def find_project(editor: OntologyEditorStandIn) -> Any:
    (project,) = editor.state["projects"].values()
    return project


def change(project: Project, **told: str) -> None:
    projects.change(project, actor="mira", systems=connected_systems(), **told)


def test_a_new_name_is_passed_on(editor: OntologyEditorStandIn, mira: Person) -> None:
    """The editor answers 500 and has done it: a look tells."""
    project = linked(mira)
    change(project, label="Owls")
    work()
    plan = Plan.objects.get(kind="project.rename")
    assert (plan.state, plan.person) == (Plan.State.DONE, "mira")
    assert find_project(editor)["displayName"] == "Owls"
    assert find_project(editor)["description"].startswith("Their songs [workspace-manager:")


def test_what_its_people_wrote_there_stays_unless_it_is_changed_here(
    editor: OntologyEditorStandIn, mira: Person
) -> None:
    project = linked(mira)
    find_project(editor)["description"] = "Written by its people"
    change(project, label="Owls")
    work()
    assert find_project(editor)["description"] == "Written by its people"
    change(project, description="Their feathers")
    work()
    assert find_project(editor)["description"].startswith("Their feathers [workspace-manager:")


def test_renamed_twice_it_has_the_last_name(editor: OntologyEditorStandIn, mira: Person) -> None:
    project = linked(mira)
    change(project, label="Owls")
    change(project, label="Eagles")
    work()
    work()
    assert find_project(editor)["displayName"] == "Eagles"
    assert not Plan.objects.filter(state__in=Plan.OPEN).exists()


def test_renamed_while_it_is_made_it_gets_the_new_name(
    editor: OntologyEditorStandIn, mira: Person
) -> None:
    project = projects.make(mira, connected_systems(), label="Birds")
    change(project, label="Owls")
    work()
    work()
    assert find_project(editor)["displayName"] == "Owls"


def test_an_editor_that_is_down_is_waited_for(editor: OntologyEditorStandIn, mira: Person) -> None:
    project = linked(mira)
    editor.database = "gone"
    change(project, label="Owls")
    work()
    assert Plan.objects.get(kind="project.rename").state == Plan.State.WAITING
    assert Project.objects.get().label == "Owls", "the name here is never held up"
    editor.database = "up"
    pause.make_plans_due("ontology_editor")
    work()
    assert find_project(editor)["displayName"] == "Owls"


def test_without_an_editor_nothing_is_passed_on(mira: Person, world: World) -> None:
    project = projects.make(mira, connected_systems(), label="Birds")
    change(project, label="Owls")
    assert not Plan.objects.exists()
