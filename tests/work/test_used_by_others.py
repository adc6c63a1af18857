"""The person who could make another of a leaver's stacks: somebody who can."""

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.templates import offer_template, with_drive
from tests.fake_world.world import World
from tests.work.shared_project import join, project_of
from tests.work.test_stacks import make_stack
from workspace_manager.contract.message import in_words
from workspace_manager.records.models import Person, Project
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work.used_by_others import StackInUse, used_by_others

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice(world: World) -> Person:
    """With a stack in a project of carol's, that bob shares too."""
    make_person("root-admin", sub="admin-sub", role="administrator")
    alice = with_drive(here(world, "alice"))
    offer_template(world)
    project = project_of(make_person("carol", sub="sub-of-carol"))
    for member in (alice, make_person("bob", sub="sub-of-bob")):
        join(world, project, member)
    make_stack(world, alice, project)
    return alice


def list_uses(owner: Person) -> list[StackInUse]:
    return list(used_by_others(owner))


def put(state: str, *names: str) -> None:
    Person.objects.filter(username__in=names).update(state=state)


def test_only_somebody_active_is_named(alice: Person, world: World) -> None:
    project = Project.objects.get().label
    assert list_uses(alice) == [StackInUse("Ferns", project, ("carol", "bob"), "carol")]
    put("suspended", "carol")
    assert list_uses(alice) == [StackInUse("Ferns", project, ("carol", "bob"), "bob")]
    put("leaving", "carol")
    assert list_uses(alice) == [StackInUse("Ferns", project, ("bob",), "bob")]
    put("suspended", "bob")
    assert list_uses(alice) == [StackInUse("Ferns", project, ("bob",), "")]
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    (said,) = (one for one in plan.remarks if one.code.endswith("stack_ends_alone"))
    assert "None of them can create another one while they are suspended" in in_words(said)
    put("leaving", "bob")
    assert list_uses(alice) == []
