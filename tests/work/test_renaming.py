"""Labels of projects, components and keys: renamed by one function, which sees what is
being deleted at that moment.
"""

import uuid
from typing import Any

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.visitors import BACKEND, Visitor
from workspace_manager.accounts import keys
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Membership,
    Person,
    Project,
    ServiceKey,
)
from workspace_manager.work import components, projects

NOTHING = ConnectedSystems(by_name={}, settings={})

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice() -> Person:
    return make_person("alice", sub="sub-of-alice")


@pytest.fixture
def project(alice: Person) -> Project:
    return Project.objects.create(owner=alice, label="Finds", ontology_mark="mark-of-finds")


@pytest.fixture
def component(alice: Person, project: Project, world: World) -> Component:
    made, _plan = components.create(
        alice, kind="sql_database", label="Notes", project=project, systems=world.systems()
    )
    return made


@pytest.fixture
def key(component: Component) -> ServiceKey:
    return ServiceKey.objects.get(owner=component.owner)


def renamed() -> list[tuple[str, str, str, dict[str, Any]]]:
    """The last words of the audit: what, whose, by whom, and its details."""
    rows = AuditEntry.objects.filter(event__regex=":(renamed|described|moved)$").order_by("id")
    return [(row.event, row.subject, row.actor, row.details) for row in rows]


def test_each_is_renamed_and_audited(
    project: Project, component: Component, key: ServiceKey, alice: Person
) -> None:
    components.rename(component, " Field notes ", actor="ada")
    projects.change(project, label=" Plants ", description="Dried\n", actor="ada", systems=NOTHING)
    keys.rename(key, " SQL ", by=alice)
    for row in (component, project, key):
        row.refresh_from_db()
    assert (component.label, project.label, key.label) == ("Field notes", "Plants", "SQL")
    assert project.description == "Dried"
    assert renamed() == [
        ("component:renamed", "alice", "ada", {"id": str(component.id)}),
        ("project:renamed", "alice", "ada", {"id": str(project.id)}),
        ("project:described", "alice", "ada", {"id": str(project.id)}),
        ("service_key:renamed", "alice", "alice", {"system": "sql_server"}),
    ]


def test_what_is_left_out_stays(project: Project) -> None:
    projects.change(project, description="Dried", actor="ada", systems=NOTHING)
    Project.objects.filter(id=project.id).update(label="Meanwhile")
    projects.change(project, description="Pressed", actor="ada", systems=NOTHING)
    project.refresh_from_db()
    assert (project.label, project.description) == ("Meanwhile", "Pressed")


@pytest.mark.parametrize("label", ["", " ", "x" * 101, "a\x00"])
def test_a_label_that_cannot_be_changes_nothing(
    project: Project, component: Component, key: ServiceKey, alice: Person, label: str
) -> None:
    with pytest.raises(BadInput):
        components.rename(component, label, actor="ada")
    with pytest.raises(BadInput):
        projects.change(project, label=label, actor="ada", systems=NOTHING)
    with pytest.raises(BadInput):
        keys.rename(key, label, by=alice)
    assert not renamed()


def test_what_is_being_deleted_is_not_renamed(
    project: Project, component: Component, world: World
) -> None:
    seen = Component.objects.get(id=component.id), Project.objects.get(id=project.id)
    components.delete(component, actor="alice", systems=world.systems())
    plan = projects.delete(project, actor="alice", systems=world.systems())
    with pytest.raises(Refused) as no:
        components.rename(seen[0], "Late", actor="ada")
    assert no.value.message.code == "work.component_deleting"
    with pytest.raises(Refused) as no:
        projects.change(seen[1], label="Late", actor="ada", systems=NOTHING)
    assert no.value.message.code == "work.project_deleting"
    assert no.value.plan == str(plan.id)
    assert not renamed()


def test_what_is_gone_is_not_renamed(
    project: Project, component: Component, key: ServiceKey, alice: Person
) -> None:
    Component.objects.all().delete()
    ServiceKey.objects.all().delete()
    Project.objects.all().delete()
    codes = []
    for late in (
        lambda: components.rename(component, "Late", actor="ada"),
        lambda: keys.rename(key, "Late", by=alice),
        lambda: projects.change(project, label="Late", actor="ada", systems=NOTHING),
    ):
        with pytest.raises(Refused) as no:
            late()
        codes.append(no.value.message.code)
    assert codes == ["work.component_gone", "work.key_gone", "work.project_gone"]
    assert not renamed()


def test_rest_renames_by_the_same_stories(
    project: Project, component: Component, key: ServiceKey, alice: Person, world: World
) -> None:
    visitor = Visitor(alice)
    visitor.force_login(alice, BACKEND)
    where = {"components": component.id, "projects": project.id, "service-keys": key.id}
    for path, which in where.items():
        answer = visitor.ask("PATCH", f"/{path}/{which}", {"label": " New "})
        assert (answer.status_code, answer.json()["label"]) == (200, "New")
    assert [line[0] for line in renamed()] == [
        "component:renamed",
        "project:renamed",
        "service_key:renamed",
    ]
    components.delete(component, actor="alice", systems=world.systems())
    projects.delete(project, actor="alice", systems=world.systems())
    for path in ("components", "projects"):
        assert visitor.ask("PATCH", f"/{path}/{where[path]}", {"label": "Late"}).status_code == 409


def test_a_component_that_cannot_move_is_not_renamed_either(
    project: Project, component: Component, alice: Person
) -> None:
    visitor = Visitor(alice)
    visitor.force_login(alice, BACKEND)
    bob = make_person("bob", sub="sub-of-bob")
    other = Project.objects.create(owner=bob, label="Bob's", ontology_mark=uuid.uuid4().hex)
    Membership.objects.create(project=other, person=bob)
    body = {"label": "New", "project": str(other.id)}
    assert visitor.ask("PATCH", f"/components/{component.id}", body).status_code == 422
    body["project"], body["label"] = None, ""  # type: ignore[assignment]
    assert visitor.ask("PATCH", f"/components/{component.id}", body).status_code == 422
    component.refresh_from_db()
    assert (component.label, component.project_id) == ("Notes", project.id)
    assert not renamed()
