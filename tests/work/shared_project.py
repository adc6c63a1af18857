"""A project, its components and members, and what a member has in the systems."""

import uuid
from typing import Any

from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.records.models import (
    Component,
    Person,
    Project,
)
from workspace_manager.work import components, memberships


def project_of(owner: Person, label: str = "Finds") -> Project:
    return Project.objects.create(
        owner=owner,
        label=label,
        ontology_mark=uuid.uuid4().hex,
        ontology_project_id=str(uuid.uuid4()),
    )


def make(
    world: World, owner: Person, kind: str, project: Project | None, label: str = "x"
) -> Component:
    component, _ = components.create(
        owner, kind=kind, label=label, project=project, systems=world.systems()
    )
    work(world)
    component.refresh_from_db()
    assert component.state == Component.State.READY
    return component


def join(world: World, project: Project, person: Person) -> None:
    memberships.add(project, person, actor=project.owner.username, systems=world.systems())
    work(world)


def leave(world: World, project: Project, person: Person) -> None:
    memberships.end(project, person, actor=person.username, systems=world.systems())
    work(world)


def editor(world: World, project: Project, name: str) -> Any:
    return world.things.get(f"ontology_editor.membership:{project.ontology_project_id} {name}")


def grant(world: World, database: Component, name: str) -> Any:
    return world.things.get(f"sql_server.grant:{database.name} {name}")


def rights(world: World, name: str) -> Any:
    found = world.things.get(f"triplestore.user:{name}")
    return found and sorted(r for r in found["authorities"] if r.startswith("WRITE"))
