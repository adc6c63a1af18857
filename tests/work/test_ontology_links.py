"""Linking existing projects: previewed, applied, and applied again without harm.

See docs/explanation/projects.md#linking-existing-projects.
"""

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.contract.connector import Change, Outcome
from workspace_manager.contract.errors import Denied
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Membership, Person, Plan, Project
from workspace_manager.work import ontology_links

pytestmark = pytest.mark.django_db(transaction=True)
ID = "7b0c1d2e-0000-4000-8000-0000000000{:02d}"


class Editor(World):
    """Gives each project it makes an id."""

    def connector(self, kind: str):  # type: ignore[no-untyped-def]
        connector = super().connector(kind)
        if kind == "ontology_editor.project":
            make = connector.apply

            def apply(change: Change) -> Outcome:
                made = make(change)
                number = ID.format(sorted(self.things).index(_key(change)) + 1)
                return made.model_copy(update={"facts": {"project_id": number}})

            connector.apply = apply  # type: ignore[method-assign]
        return connector


def _key(change: Change) -> str:
    return f"ontology_editor.project:{change.target['mark']}"


@pytest.fixture
def world() -> Editor:
    return Editor()


@pytest.fixture
def project(world: Editor) -> Project:
    alice, bob = make_person("alice", sub="sub-a"), make_person("bob", sub="sub-b")
    found: Project = Project.objects.create(
        owner=alice, label="Finds", ontology_mark="mark-of-finds"
    )
    Membership.objects.create(project=found, person=bob)
    return found


def actions(lines: list[ontology_links.Line]) -> list[str]:
    return [line.action for line in lines]


def test_a_preview_stores_nothing(project: Project, world: Editor) -> None:
    lines = ontology_links.preview([project], world.systems())
    assert actions(lines) == ["link"]
    assert "“Finds” of alice" in lines[0].text.english
    assert not Plan.objects.exists()
    assert world.writes == []


def test_it_links_then_only_gives_access_again(project: Project, world: Editor) -> None:
    for wished in ("link", "grant", "grant"):
        lines = ontology_links.apply([project], actor="ada", systems=world.systems())
        assert actions(lines) == [wished]
        work(world)
        project.refresh_from_db()
        assert project.ontology_project_id
    member = f"ontology_editor.membership:{project.ontology_project_id} bob"
    assert world.things[member] == {"permission": "EDIT"}
    made = [write for write in world.writes if "ontology_editor.project" in write]
    assert len(made) == 1
    del world.things[member]  # somebody took it away in the editor itself
    ontology_links.apply([project], actor="ada", systems=world.systems())
    work(world)
    assert world.things[member] == {"permission": "EDIT"}


def test_one_that_is_being_linked_is_tried_again_and_not_made_twice(
    project: Project, world: Editor
) -> None:
    ontology_links.apply([project], actor="ada", systems=world.systems())
    lines = ontology_links.apply([project], actor="ada", systems=world.systems())
    assert actions(lines) == ["retry"]
    work(world)
    assert Plan.objects.filter(kind="project.link").count() == 1


def test_who_is_leaving_is_left_out(project: Project, world: Editor) -> None:
    Person.objects.filter(username="alice").update(state=Person.State.LEAVING)
    project.refresh_from_db()
    lines = ontology_links.apply([project], actor="ada", systems=world.systems())
    assert actions(lines) == ["nothing"]
    assert not Plan.objects.exists()


def test_it_needs_an_editor_that_answers(project: Project, world: Editor) -> None:
    nothing = ConnectedSystems(by_name={}, settings={})
    with pytest.raises(Refused, match="not configured"):
        ontology_links.preview([project], nothing)
    world.broken["ontology_editor"] = lambda verb: Denied(
        quote_words("wrong key"), kind="x", doing=quote_words(verb)
    )
    world.unproven.add("ontology_editor")
    with pytest.raises(Denied):
        ontology_links.apply([project], actor="ada", systems=world.systems())
    assert not Plan.objects.exists()
