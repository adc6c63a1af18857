"""The stacks of a person who leaves or is suspended."""

import pytest

from tests.fake_world.people import here
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work
from tests.fake_world.world import World
from workspace_manager.people import suspend
from workspace_manager.people.suspension_terms import Terms
from workspace_manager.people.suspension_view import suspension_view
from workspace_manager.records.models import (
    Account,
    Component,
    Membership,
    Plan,
    Project,
    ServiceKey,
    Stack,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import stacks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def stack(world: World) -> Stack:
    """Alice's, which bob and carol use."""
    here(world, "root-admin", role="administrator")
    alice = with_drive(here(world, "alice"))
    project = Project.objects.create(owner=alice, label="Herbarium")
    for name, role in (("bob", "write"), ("carol", "manage")):
        Membership.objects.create(project=project, person=here(world, name), role=role)
    offer_template(world)
    stack, _ = stacks.create(
        alice, label="Ferns", project=project, wanted=make_stack_request(), systems=world.systems()
    )
    work(world)
    stack.refresh_from_db()
    assert stack.state == Stack.State.READY
    return stack


def join_remarks(plan: Plan) -> str:
    return " ".join(str(one.english) for one in plan.remarks)


def test_nothing_of_a_leavers_stacks_is_left(world: World, stack: Stack) -> None:
    """What the predecessor orphaned: containers, volumes, client, groups, and every access."""
    name = stack.parts.get(kind="knowledge_stack").name
    world.things[f"container_manager.stack_volumes:{name}"] = {"n": 1}
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    assert "“Ferns” is deleted with everything in it" in join_remarks(plan)
    assert (
        "carol, bob use it in the project “Herbarium”. carol could create another"
        in join_remarks(plan)
    )
    work(world, turns=2)
    plan.refresh_from_db()
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    kept = (
        "identity_provider.user:",
        "identity_provider.attributes:sub-of-",
        "sql_server.user:",
        "triplestore.user:",
        "sql_server.grant",
    )
    assert [one for one in world.things if not one.startswith(kept)] == []
    accounts = {one for one in world.things if one.startswith(kept[2:4])}
    assert not {one for one in accounts if "wm_" in one or one.endswith(":alice")}
    assert not Component.objects.exists()
    assert not Stack.objects.exists()
    assert not Account.objects.filter(machine=True, gone_at=None).exists()
    assert not ServiceKey.objects.exclude(component=None).exists()
    removed = [one for one in world.writes if one.startswith("remove")]
    containers = next(n for n, one in enumerate(removed) if "container_manager.stack:" in one)
    database = next(n for n, one in enumerate(removed) if "sql_server.database:" in one)
    assert containers < database


def test_a_suspended_owners_stack_goes_on_serving_others(world: World, stack: Stack) -> None:
    made = stack.parts.get(kind="knowledge_stack")
    before = {
        name: about
        for name, about in world.things.items()
        if made.name in name or "wm_" in name or "container_manager" in name
    }
    repository = stack.parts.get(kind="triplestore_repository")
    view = suspension_view("alice", world.systems(), actor="root-admin")
    assert any(
        "“Ferns” keeps running for carol, bob in the project" in text for text in view.remarks
    )
    assert not any("stays public" in text for text in view.remarks)
    Component.objects.filter(id=repository.id).update(public_read=True)
    view = suspension_view("alice", world.systems(), actor="root-admin")
    assert any(
        f"“{repository.label}” ({repository.name}) stays public" in text for text in view.remarks
    )
    suspend.suspend("alice", actor="root-admin", systems=world.systems(), terms=Terms())
    work(world)
    assert {name: world.things.get(name) for name in before} == before
    stack.refresh_from_db()
    assert stack.state == Stack.State.READY
