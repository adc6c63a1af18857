"""The access that members get and lose in the systems, computed from all memberships together."""

import pytest

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import editor, grant, join, leave, make, project_of, rights
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import (
    Account,
    Membership,
    Person,
    Plan,
    Project,
    ServiceKey,
)
from workspace_manager.work import components, memberships, projects

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_member_gets_what_the_project_has(alice: Person, bob: Person, world: World) -> None:
    project = project_of(alice)
    database = make(world, alice, "sql_database", project)
    repository = make(world, alice, "triplestore_repository", project)
    asked = memberships.ask(project, bob)
    memberships.approve(asked.id, by=alice, systems=world.systems())
    work(world)
    assert editor(world, project, "bob") == {"permission": "EDIT"}
    assert grant(world, database, "bob") == {"use": "write"}
    assert rights(world, "bob") == [f"WRITE_REPO_{repository.name}"]
    assert {key.system for key in ServiceKey.objects.filter(owner=bob)} == {
        "sql_server",
        "triplestore",
    }
    assert not Plan.objects.filter(belongs_to=None).exclude(state=Plan.State.DONE).exists()
    leave(world, project, bob)
    assert editor(world, project, "bob") is None
    assert grant(world, database, "bob") is None
    assert "triplestore.user:bob" not in world.things
    assert "sql_server.user:bob" in world.things  # goes with the person
    assert not Account.objects.filter(kind="triplestore.user", person=bob).exists()
    assert not ServiceKey.objects.filter(owner=bob, system="triplestore").exists()
    assert rights(world, "alice") == [f"WRITE_REPO_{repository.name}"]


def test_what_becomes_ready_later_is_shared_then(alice: Person, bob: Person, world: World) -> None:
    project = project_of(alice)
    join(world, project, bob)
    database = make(world, alice, "sql_database", project)
    assert grant(world, database, "bob") == {"use": "write"}
    theirs = make(world, bob, "sql_database", project)
    assert grant(world, theirs, "alice") == {
        "use": "write"
    }  # the owner of the project shares it too
    assert grant(world, theirs, "bob") is None  # it is his own


def test_leaving_one_project_takes_nothing_another_gives(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    first, second = project_of(alice, "First"), project_of(carol, "Second")
    one = make(world, alice, "triplestore_repository", first)
    two = make(world, carol, "triplestore_repository", second)
    own = make(world, bob, "triplestore_repository", None)
    join(world, first, bob)
    join(world, second, bob)
    assert rights(world, "bob") == sorted(f"WRITE_REPO_{r.name}" for r in (one, two, own))
    leave(world, first, bob)
    assert rights(world, "bob") == sorted(f"WRITE_REPO_{r.name}" for r in (two, own))
    assert editor(world, second, "bob") == {"permission": "EDIT"}


@pytest.mark.parametrize("backwards", [False, True])
def test_joining_and_leaving_quickly_ends_as_it_was_asked_last(
    alice: Person, bob: Person, world: World, backwards: bool
) -> None:
    """Two plans of one person wait for a system that is down: whichever runs first, the memberships
    count.
    """
    project = project_of(alice)
    database = make(world, alice, "sql_database", project)
    join(world, project, bob)
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("down"), kind="sql_server.grant", doing=quote_words(verb)
    )
    memberships.end(project, bob, actor="bob", systems=world.systems())
    memberships.add(project, bob, actor="alice", systems=world.systems())
    if not backwards:
        memberships.end(project, bob, actor="bob", systems=world.systems())
    work(world, turns=3)
    world.broken.clear()
    work(world)
    assert grant(world, database, "bob") == ({"use": "write"} if backwards else None)
    assert editor(world, project, "bob") == ({"permission": "EDIT"} if backwards else None)


def test_what_a_member_owns_leaves_the_project_with_the_member(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    project = project_of(alice)
    for member in (bob, carol):
        join(world, project, member)
    theirs = make(world, bob, "sql_database", project)
    assert grant(world, theirs, "carol") == {"use": "write"}
    leave(world, project, bob)
    theirs.refresh_from_db()
    assert theirs.project is None
    assert grant(world, theirs, "carol") is None
    assert grant(world, theirs, "alice") is None
    assert world.things[f"sql_server.database:{theirs.name}"] == {"grantees": ["bob"]}


def test_a_component_that_moves_takes_its_sharing_along(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    first, second = project_of(alice, "First"), project_of(alice, "Second")
    join(world, first, bob)
    join(world, second, carol)
    database = make(world, alice, "sql_database", first)
    components.move(database, second, by=alice, systems=world.systems())
    work(world)
    assert (grant(world, database, "bob"), grant(world, database, "carol")) == (
        None,
        {"use": "write"},
    )
    components.move(database, None, by=alice, systems=world.systems())
    work(world)
    assert grant(world, database, "carol") is None


def test_a_deleted_project_ends_what_it_gave_and_deletes_nobody_elses(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    project = project_of(alice)
    for member in (bob, carol):
        join(world, project, member)
    theirs = make(world, bob, "sql_database", project)
    repository = make(world, bob, "triplestore_repository", project)
    world.things[f"ontology_editor.project:{project.ontology_mark}"] = {"title": "Finds"}
    projects.delete(project, actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="This project is already being deleted"):
        projects.delete(project, actor="alice", systems=world.systems())
    work(world)
    assert not Project.objects.filter(id=project.id).exists()
    assert not Membership.objects.exists()
    assert [editor(world, project, name) for name in ("bob", "carol")] == [None, None]
    assert [grant(world, theirs, name) for name in ("alice", "carol")] == [None, None]
    assert f"sql_server.database:{theirs.name}" in world.things
    assert rights(world, "bob") == [f"WRITE_REPO_{repository.name}"]
    assert "triplestore.user:carol" not in world.things
    assert "triplestore.user:alice" not in world.things


def steps_of(plans: list[Plan]) -> list[tuple[str, str]]:
    return [(plan.person, step.name) for plan in plans for step in plan.steps.order_by("n")]


def test_who_only_loses_something_gets_no_account_for_it(
    alice: Person, bob: Person, carol: Person, world: World
) -> None:
    project = project_of(alice)
    join(world, project, bob)
    join(world, project, carol)
    make(world, bob, "sql_database", project)
    plans = memberships.end(project, bob, actor="bob", systems=world.systems())
    others = [one for one in steps_of(plans) if one[0] != "bob"]
    assert others == [("alice", "share_databases"), ("carol", "share_databases")]


def test_the_end_of_a_project_makes_nothing_for_its_owner(
    alice: Person, bob: Person, world: World
) -> None:
    project = project_of(alice)
    join(world, project, bob)
    make(world, bob, "sql_database", project)
    projects.delete(project, actor="alice", systems=world.systems())
    work(world)
    settled = Plan.objects.filter(kind="access.settle", person="alice").latest("created_at")
    assert steps_of([settled])[-1] == ("alice", "share_databases")
    assert ("alice", "create_sql_user") not in steps_of([settled])
