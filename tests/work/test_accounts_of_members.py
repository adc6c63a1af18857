"""Accounts that members share: made once, kept while something needs them, and never another's."""

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import join, make, project_of, rights
from workspace_manager.accounts import repositories
from workspace_manager.contract.connector import Change
from workspace_manager.records.models import (
    Account,
    Person,
    Plan,
    ServiceKey,
)
from workspace_manager.work import components, projects

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_a_repository_that_is_being_deleted_takes_nobody_s_password(
    alice: Person, bob: Person, world: World
) -> None:
    """Until it is gone its rights are there: only making the account anew takes them earlier."""
    project = project_of(alice)
    join(world, project, bob)
    going = make(world, alice, "triplestore_repository", project)
    kept = make(world, bob, "triplestore_repository", None)
    assert ending(alice) == ending(bob) == []
    components.delete(going, actor="alice", systems=world.systems())
    assert ending(alice) == ending(bob) == [going.name]
    wanted = repositories.desired(change_of(bob)).after
    assert wanted
    assert wanted["ending"] == [going.name]
    assert f"WRITE_REPO_{kept.name}" in str(wanted["authorities"])
    work(world)
    assert ending(bob) == []
    assert "ending" not in (repositories.desired(change_of(bob)).after or {})


def test_neither_does_one_that_goes_with_its_owner(
    alice: Person, bob: Person, world: World
) -> None:
    project = project_of(alice)
    join(world, project, bob)
    shared = make(world, alice, "triplestore_repository", project)
    own = make(world, alice, "triplestore_repository", None)
    Person.objects.filter(id=alice.id).update(state=Person.State.LEAVING)
    assert ending(bob) == [shared.name]
    assert own.name not in ending(bob)


def ending(person: Person) -> list[str]:
    return repositories.ending_repositories(person)


def change_of(person: Person) -> Change:
    return Change(kind=repositories.USER, subject=str(person.id), target={"user": person.username})
