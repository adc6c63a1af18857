"""The effect of a removal on a project and its other members."""

import pytest

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import editor, grant, join, make, project_of, rights
from workspace_manager.records.models import (
    Membership,
    Person,
    Plan,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_removal_takes_the_leaver_out_of_everything_and_leaves_the_rest(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    project = project_of(alice)
    for member in (bob, carol):
        join(world, project, member)
    database = make(world, alice, "sql_database", project)
    repository = make(world, alice, "triplestore_repository", project)
    theirs = make(world, bob, "triplestore_repository", project)
    plan = draft_removal("bob", actor="root-admin", systems=world.systems())
    plan = approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not [
        name
        for name in world.things
        if "bob" in name and not name.startswith(("sql_server.grant", "notebook_hub"))
    ]
    assert f"triplestore.repository:{theirs.name}" not in world.things
    assert editor(world, project, "carol") == {"permission": "EDIT"}
    assert grant(world, database, "carol") == {"use": "write"}
    assert rights(world, "carol") == [f"WRITE_REPO_{repository.name}"]
    assert not Plan.objects.filter(belongs_to=None).exclude(state=Plan.State.DONE).exists()


def test_removing_an_owner_takes_what_the_project_gave_and_nothing_others_own(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    project = project_of(alice)
    world.things[f"ontology_editor.project:{project.ontology_mark}"] = {"title": "Finds"}
    for member in (bob, carol):
        join(world, project, member)
    database = make(world, alice, "sql_database", project)
    theirs = make(world, bob, "sql_database", project)
    shared = make(world, bob, "triplestore_repository", project)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert not Person.objects.filter(username="alice").exists()
    assert f"sql_server.database:{database.name}" not in world.things
    assert f"ontology_editor.project:{project.ontology_mark}" not in world.things
    theirs.refresh_from_db()
    assert theirs.project is None
    assert f"sql_server.database:{theirs.name}" in world.things
    assert grant(world, theirs, "carol") is None
    assert editor(world, project, "bob") is None
    assert rights(world, "bob") == [f"WRITE_REPO_{shared.name}"]
    assert "triplestore.user:carol" not in world.things


def test_a_project_is_handed_over_with_its_ontology_project(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    project = project_of(alice)
    mark = f"ontology_editor.project:{project.ontology_mark}"
    world.things[mark] = {"title": "Finds"}
    for member in (bob, carol):
        join(world, project, member)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(
        plan.id,
        digest=plan.digest,
        actor="root-admin",
        systems=world.systems(),
        transfer={str(project.id): "bob"},
    )
    work(world)
    project.refresh_from_db()
    assert project.owner == bob
    assert mark in world.things
    assert editor(world, project, "bob") == {"permission": "MANAGE"}
    assert editor(world, project, "carol") == {"permission": "EDIT"}
    assert [m.person for m in Membership.objects.all()] == [carol]
    removal = draft_removal("bob", actor="root-admin", systems=world.systems())
    approve_removal(removal.id, digest=removal.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert mark not in world.things  # it was made for alice, and goes with the project all the same
    assert editor(world, project, "carol") is None
