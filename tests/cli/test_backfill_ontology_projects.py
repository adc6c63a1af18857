"""`backfill-ontology-projects`, as it is typed."""

import json
import uuid

import pytest
from click.testing import CliRunner, Result

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager.cli import backfill_ontology_projects as command
from workspace_manager.cli.__main__ import main
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Plan, Project

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _world(monkeypatch: pytest.MonkeyPatch) -> None:
    """The systems are a world in memory."""
    monkeypatch.setattr(command, "connected_systems", World().systems)


@pytest.fixture
def project() -> Project:
    made: Project = Project.objects.create(
        owner=make_person("alice", sub="a"), label="Finds", ontology_mark="mark-of-finds"
    )
    return made


def typed(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["backfill-ontology-projects", *arguments])


def test_which_projects_has_to_be_said(woken: list[uuid.UUID], project: Project) -> None:
    for wrong in ((), ("--dry-run",), ("--all", "--project", str(project.id))):
        answer = typed(*wrong)
        assert answer.exit_code == 2
        assert "either --all, or --project ID" in answer.output
    assert typed("--project", str(uuid.uuid4())).exit_code == 1
    assert not Plan.objects.exists()
    assert woken == []


@pytest.mark.parametrize("which", ["all", "one"])
def test_previewed_then_done(woken: list[uuid.UUID], project: Project, which: str) -> None:
    chosen = ("--all",) if which == "all" else ("--project", str(project.id))
    preview = typed("--dry-run", *chosen)
    assert preview.exit_code == 0
    assert "an ontology project is created and linked" in preview.output
    assert "Nothing was done" in preview.output
    assert not Plan.objects.exists()
    done = json.loads(typed(*chosen, "--json").output)
    plan = Plan.objects.get()
    assert done["count"] == 1
    assert done["items"][0] | {"text": ""} == {
        "project": str(project.id), "owner": "alice", "action": "link", "text": "",
        "plans": [str(plan.id)],
    }  # fmt: skip
    assert woken == [plan.id]


def test_an_editor_that_is_not_set_up_is_said_with_what_to_do(
    woken: list[uuid.UUID], project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = ConnectedSystems(by_name={}, settings={})
    monkeypatch.setattr(command, "connected_systems", lambda: nothing)
    answer = typed("--all")
    assert answer.exit_code == 1
    assert "not configured" in answer.output
    assert "can set it up under Systems" in answer.output
    assert not project.ontology_project_id
    assert woken == []


def test_who_watches_sees_how_far_it_is(
    project: Project, monkeypatch: pytest.MonkeyPatch, woken: list[uuid.UUID]
) -> None:
    """On a terminal, beside what is printed: whoever reads the output reads no bar."""
    monkeypatch.setattr("click._termui_impl.isatty", lambda _stream: True)
    answer = typed("--all")
    assert "Projects" in answer.stderr
    assert "1/1" in answer.stderr
    assert "1/1" not in answer.stdout
    assert typed("--all", "--json").stderr == ""
