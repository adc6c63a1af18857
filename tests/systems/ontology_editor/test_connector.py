"""Projects through the connector: one creation makes one project, and the trash counts as gone."""

import uuid
from typing import Any

import httpx
import pytest

from workspace_manager.contract.connector import ALREADY, CHANGED, Change, Facts, Result
from workspace_manager.contract.errors import Conflict, Denied, Invalid, NotFound, Unavailable
from workspace_manager.systems.ontology_editor import names
from workspace_manager.systems.ontology_editor.connector import OntologyEditor
from workspace_sandbox.stand_ins.ontology_editor import OntologyEditorStandIn

from .conftest import connected

KIND = "ontology_editor.project"
NEW = names.project("a-mark-of-ours", "alice")
WANT = {"title": "Pottery", "description": "Shapes", "language": "en"}


def plan_change(
    system: OntologyEditor, target: dict[str, str], want: dict[str, Any] | None
) -> Change:
    return system.connectors[KIND].plan(target, want)


def create_project(system: OntologyEditor) -> str:
    return system.connectors[KIND].apply(plan_change(system, NEW, WANT)).facts["project_id"]


def test_the_life_of_a_project(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    projects = system.connectors[KIND]
    change = plan_change(system, NEW, WANT)
    assert change.before is None
    assert projects.verify(change) is None
    outcome = projects.apply(change)
    project_id = outcome.facts["project_id"]
    assert outcome.result is Result.CHANGED
    again = projects.apply(change)
    assert (again.result, again.facts) == (Result.ALREADY, outcome.facts)
    assert projects.verify(change)
    before = plan_change(system, NEW, WANT).before
    assert isinstance(before, dict)
    assert before.items() >= WANT.items()
    assert len(stand_in.state["projects"]) == 1

    for target in (
        names.existing_project(project_id),
        names.existing_project(project_id, owner="alice"),
    ):
        gone = plan_change(system, target, None)
        assert projects.verify(gone) is None
    assert projects.remove(gone) == CHANGED
    assert projects.remove(gone) == ALREADY
    evidence = projects.verify(gone)
    assert evidence
    assert project_id in evidence.text
    assert stand_in.state["projects"][project_id]["inTrash"]
    assert plan_change(system, gone.target, None).before is None


def test_a_creation_is_removed_by_its_mark_when_its_id_was_lost(
    stand_in: OntologyEditorStandIn,
) -> None:
    system = connected(stand_in)
    create_project(system)
    gone = plan_change(system, NEW, None)
    assert system.connectors[KIND].remove(gone) == CHANGED
    assert system.connectors[KIND].verify(gone)
    assert system.connectors[KIND].remove(gone) == ALREADY


@pytest.mark.parametrize("fault", ["timeout_after_effect", "status"])
def test_an_unsure_creation_is_found_by_its_mark(
    stand_in: OntologyEditorStandIn, fault: str
) -> None:
    system = connected(stand_in)
    projects = system.connectors[KIND]
    change = plan_change(system, NEW, WANT)
    stand_in.faults.add({"method": "POST", "fault": fault, "status": 500, "seconds": 0})
    with pytest.raises(Unavailable):
        projects.apply(change)
    outcome = projects.apply(change)
    assert outcome.result is (Result.ALREADY if fault == "timeout_after_effect" else Result.CHANGED)
    assert len(stand_in.state["projects"]) == 1


def test_projects_that_look_alike_are_not_adopted(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    other = names.project("another-mark-123", "alice")
    system.connectors[KIND].apply(plan_change(system, other, WANT))
    assert plan_change(system, NEW, WANT).before is None
    system.connectors[KIND].apply(plan_change(system, NEW, WANT))
    assert len(stand_in.state["projects"]) == 2


def test_a_mark_on_somebody_elses_project_is_a_conflict(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    project_id = create_project(system)
    stand_in.state["projects"][project_id]["owner"] = "mallory"
    with pytest.raises(Conflict):
        plan_change(system, NEW, WANT)
    with pytest.raises(Conflict):
        plan_change(system, names.existing_project(project_id, owner="alice"), None)


def test_two_projects_with_one_mark_are_shown_to_a_person(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    project_id = create_project(system)
    twin = str(uuid.uuid4())
    stand_in.state["projects"][twin] = dict(stand_in.state["projects"][project_id])
    with pytest.raises(Conflict) as caught:
        plan_change(system, NEW, WANT)
    assert twin in caught.value.advice


def test_what_people_changed_in_the_editor_stays_theirs(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    project_id = create_project(system)
    stand_in.state["projects"][project_id]["displayName"] = "Renamed"
    assert system.connectors[KIND].apply(plan_change(system, NEW, WANT)).result is Result.ALREADY
    assert system.connectors[KIND].verify(plan_change(system, NEW, WANT))
    assert stand_in.state["projects"][project_id]["displayName"] == "Renamed"


def test_a_project_that_is_named_by_its_id_is_renamed(stand_in: OntologyEditorStandIn) -> None:
    """Its mark stays, without which it would not be found again."""
    system = connected(stand_in)
    projects = system.connectors[KIND]
    target = names.existing_project(create_project(system), mark=NEW["mark"], owner="alice")
    change = plan_change(system, target, {"title": "Ceramics", "description": "Glazes"})
    assert projects.verify(change) is None
    assert projects.apply(change).result is Result.CHANGED
    assert projects.verify(change)
    assert projects.apply(change).result is Result.ALREADY
    shown = plan_change(system, NEW, WANT).before
    assert isinstance(shown, dict)
    assert shown.items() >= {**WANT, "title": "Ceramics", "description": "Glazes"}.items()


@pytest.mark.parametrize("body", ["[]", '{"projectSettings": 7}'])
def test_settings_of_another_shape_are_not_sent_back(
    stand_in: OntologyEditorStandIn, body: str
) -> None:
    system = connected(stand_in)
    change = plan_change(
        system, names.existing_project(create_project(system)), {"title": "Ceramics"}
    )
    stand_in.faults.add({"path": "/settings", "fault": "other_shape", "body": body})
    with pytest.raises(Invalid):
        system.connectors[KIND].apply(change)
    assert not [one for one in stand_in.ledger.items if one["path"].endswith("/settings")][1:]


def test_an_old_id_cannot_be_made_again(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    with pytest.raises(NotFound):
        system.connectors[KIND].apply(
            plan_change(system, names.existing_project(str(uuid.uuid4())), WANT)
        )


@pytest.mark.parametrize(
    ("owner", "change"),
    [
        ("est", {}),
        ("", {}),
        (" alice", {}),
        ("alice", {"title": "\n"}),
        ("alice", {"language": "not a tag !!"}),
    ],
)
def test_what_the_editor_would_take_without_a_word_is_refused(
    stand_in: OntologyEditorStandIn, owner: str, change: dict[str, str]
) -> None:
    system = connected(stand_in)
    with pytest.raises(Invalid):
        system.connectors[KIND].apply(plan_change(system, NEW | {"owner": owner}, WANT | change))
    assert stand_in.state["projects"] == {}


def test_an_id_that_is_none_is_not_sent(stand_in: OntologyEditorStandIn) -> None:
    with pytest.raises(Conflict):
        plan_change(connected(stand_in), {"project_id": "../settings"}, None)
    assert httpx.get(f"{stand_in.control_url}/calls").json()["items"] == []


def test_an_unpatched_server_cannot_delete(upstream: OntologyEditorStandIn) -> None:
    system = connected(upstream)
    project_id = create_project(system)
    with pytest.raises(Invalid) as caught:
        system.connectors[KIND].remove(
            plan_change(system, names.existing_project(project_id), None)
        )
    assert "patch" in caught.value.advice


def test_a_key_without_the_right_is_denied(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    stand_in.state["roles"]["svc-manager"] = []
    with pytest.raises(Denied) as caught:
        system.connectors[KIND].apply(plan_change(system, NEW, WANT))
    assert "ProjectCreator" in caught.value.advice


def test_rights_are_proven_by_listing(stand_in: OntologyEditorStandIn) -> None:
    system = connected(stand_in)
    create_project(system)
    assert "1 projects" in system.prove_rights().text
    stand_in.state["keys"].clear()
    with pytest.raises(Denied):
        system.prove_rights()


def test_links_go_to_the_public_host(stand_in: OntologyEditorStandIn) -> None:
    host = "https://ontology.example.org"
    system = connected(stand_in, host=host, api_base_url=stand_in.url, perspective_id="p1")
    project_id = create_project(system)
    named = f"{host}/?project={project_id}#projects/{project_id}"
    assert system.address(project_id) == f"{named}/perspectives/p1"
    assert system.list_address() == f"{host}/#projects/list"


def test_what_is_left_of_a_name_is_what_it_owns_outside_the_trash(
    stand_in: OntologyEditorStandIn,
) -> None:
    system = connected(stand_in)
    projects = system.connectors["ontology_editor.project"]
    want: Facts = {"title": "Finds", "description": "", "language": "en"}
    made = projects.apply(projects.plan({"mark": "mark-of-one", "owner": "alice"}, want))
    projects.apply(projects.plan({"mark": "mark-of-two", "owner": "alice2"}, want))
    assert tuple(map(str, system.left_of("Alice"))) == (
        f"the ontology project {made.facts['project_id']} of 'alice'",
    )
    projects.remove(projects.plan({"project_id": made.facts["project_id"]}, None))
    assert system.left_of("alice") == ()
    assert system.left_of("nobody") == ()
