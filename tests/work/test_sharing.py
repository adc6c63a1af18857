"""What members get and lose in the systems, computed from all memberships together."""

import uuid
from typing import Any

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Person,
    Plan,
    Project,
    ServiceKey,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components, memberships, projects

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return here(world, "alice")


@pytest.fixture
def bob(world: World) -> Person:
    return here(world, "bob")


@pytest.fixture
def carol(world: World) -> Person:
    return here(world, "carol")


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


def test_the_triplestore_user_goes_with_the_last_component_that_uses_it(
    alice: Person, bob: Person, world: World
) -> None:
    project = project_of(alice)
    join(world, project, bob)
    first = make(world, alice, "triplestore_repository", project)
    second = make(world, alice, "triplestore_repository", None)
    for repository in (first, second):
        components.delete(repository, actor="alice", systems=world.systems())
    # Both are being deleted at once: neither plan may leave the user to the other.
    work(world)
    assert not [name for name in world.things if name.startswith("triplestore.")]
    assert not Account.objects.filter(kind="triplestore.user").exists()
    assert not ServiceKey.objects.filter(system="triplestore").exists()


def test_two_repositories_made_at_once_are_both_open(alice: Person, world: World) -> None:
    made = [
        components.create(
            alice, kind="triplestore_repository", label=label, project=None, systems=world.systems()
        )[0]
        for label in ("one", "two")
    ]
    work(world)
    assert rights(world, "alice") == sorted(f"WRITE_REPO_{one.name}" for one in made)


def test_a_new_one_while_the_last_is_deleted_keeps_the_user(alice: Person, world: World) -> None:
    last = make(world, alice, "triplestore_repository", None)
    deletion = components.delete(last, actor="alice", systems=world.systems())
    fresh, _ = components.create(
        alice, kind="triplestore_repository", label="new", project=None, systems=world.systems()
    )
    work(world)
    deletion.refresh_from_db()
    assert deletion.state == Plan.State.DONE
    assert rights(world, "alice") == [f"WRITE_REPO_{fresh.name}"]
    assert Account.objects.filter(kind="triplestore.user", person=alice).count() == 1


def test_nobody_s_account_is_taken_over_by_name(alice: Person, world: World) -> None:
    """A foreign account of that name: stuck; and a second try does not take it for ours because we
    reserved the name.
    """
    world.things["sql_server.user:alice"] = {"exists": True}
    first, plan = components.create(
        alice, kind="sql_database", label="one", project=None, systems=world.systems()
    )
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STUCK
    components.delete(first, actor="alice", systems=world.systems())
    work(world)
    _, again = components.create(
        alice, kind="sql_database", label="two", project=None, systems=world.systems()
    )
    work(world)
    again.refresh_from_db()
    assert again.state == Plan.State.STUCK
    assert not [w for w in world.writes if w.startswith("apply sql_server.user")]


def test_two_names_that_the_editor_takes_for_one_are_kept_apart(world: World) -> None:
    make_person("root-admin", sub="admin-sub", role="administrator")
    one, two = make_person("b+c", sub="s1"), make_person("b_c", sub="s2")
    projects.make(one, world.systems(), label="One")
    project = projects.make(two, world.systems(), label="Two")
    work(world)
    plan = Plan.objects.get(about=str(project.id))
    assert plan.state == Plan.State.DONE
    assert "belongs to somebody else" in str(plan.steps.get().reason)
    project.refresh_from_db()
    assert project.ontology_project_id == ""


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
