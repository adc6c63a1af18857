"""The owner of a stack that is being made leaves, or is suspended, at every moment of its making:
the removal wins and leaves nothing, and a suspension lets nobody in by what comes to be.
"""

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work, work_now
from tests.fake_world.world import PLAIN
from tests.people_in_motion.people import ROOT, administrator, remove, settle_person
from tests.people_in_motion.test_leaving import down
from workspace_manager.people import suspend
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    PlanChange,
    ServiceKey,
    Stack,
    VaultEntry,
)
from workspace_manager.work import stacks

pytestmark = pytest.mark.django_db(transaction=True)

CALLS = (
    "sql_server.user",
    "sql_server.database",
    "sql_server.grant",
    "identity_provider.attributes",
    "triplestore.user",
    "triplestore.repository",
    "identity_provider.group",
    "identity_provider.client",
    "container_manager.stack",
)
GRANT = "sql_server.grant"
SYSTEMS = ("sql_server", "triplestore", "identity_provider", "container_manager")


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def making(world: WorldWithIdentities) -> tuple[Person, Plan]:
    """Alice asked for a stack; how far it comes depends on the world."""
    alice = with_drive(settle_person("alice", world))
    offer_template(world)
    _stack, plan = stacks.create(
        alice, label="Ferns", project=None, wanted=make_stack_request(), systems=world.systems()
    )
    return alice, plan


def of_stacks(world: WorldWithIdentities) -> list[str]:
    """What of a stack, its parts and its accounts is anywhere. A grant goes with its account."""
    kinds = {kind for kind in CALLS if kind != "identity_provider.attributes"} - {GRANT}
    return sorted(name for name in world.things if name.partition(":")[0] in kinds)


def nothing_left(world: WorldWithIdentities) -> None:
    assert of_stacks(world) == []
    assert not [name for name in world.named("alice") if not name.startswith(GRANT)]
    for rows in (Stack, Component, ServiceKey, VaultEntry):
        assert not rows.objects.exists(), rows
    assert not Account.objects.filter(machine=True, gone_at=None).exists()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", CALLS)
def test_leaving_while_a_call_for_a_stack_is_under_way(
    world: WorldWithIdentities, kind: str
) -> None:
    """Its effect comes after the removal began, and is removed with the rest."""
    world.slow.add((kind, "apply"))
    _alice, creation = making(world)
    work_now(world)
    assert PlanChange.objects.filter(kind=kind, state=PlanChange.State.RUNNING).exists()
    removal = remove("alice", world)
    world.slow.clear()
    creation.refresh_from_db()
    assert creation.state == Plan.State.SUPERSEDED
    work_now(world)
    world.effects_come()
    work(world)
    removal.refresh_from_db()
    assert removal.state == Plan.State.DONE
    nothing_left(world)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_leaving_while_a_stack_waits_for_a_system(world: WorldWithIdentities, system: str) -> None:
    """It waits for that system alone, and leaves nothing once it is back."""
    _alice, creation = making(world)
    world.broken[system] = down
    work(world, turns=3)
    creation.refresh_from_db()
    assert creation.state == Plan.State.WAITING
    removal = remove("alice", world)
    work(world, turns=3)
    world.broken.clear()
    work(world)
    removal.refresh_from_db()
    assert removal.state == Plan.State.DONE
    creation.refresh_from_db()
    assert creation.state == Plan.State.SUPERSEDED
    nothing_left(world)


def open_accounts(world: WorldWithIdentities) -> list[str]:
    """Accounts in the SQL server and the triplestore that let somebody in."""
    sql = [
        name
        for name, user in world.things.items()
        if name.startswith("sql_server.user:") and not user.get("locked")
    ]
    store = [
        name
        for name, user in world.things.items()
        if name.startswith("triplestore.user:") and set(user.get("authorities", ())) - {PLAIN}
    ]
    return sorted([*sql, *store])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind", CALLS)
def test_suspended_while_a_call_for_a_stack_is_under_way(
    world: WorldWithIdentities, kind: str
) -> None:
    """What comes of the call opens nothing; the rest waits, and is made once she is back."""
    world.slow.add((kind, "apply"))
    _alice, creation = making(world)
    work_now(world)
    assert PlanChange.objects.filter(kind=kind, state=PlanChange.State.RUNNING).exists()
    suspend.suspend("alice", actor=ROOT, systems=world.systems())
    world.slow.clear()
    work_now(world)
    world.effects_come()
    work(world)
    assert Plan.objects.get(kind="suspension").state == Plan.State.DONE
    assert open_accounts(world) == []
    assert not next(iter(world.users("alice").values()))["enabled"]
    creation.refresh_from_db()
    assert creation.state == Plan.State.WAITING
    stack = Stack.objects.get()
    assert stack.state == Stack.State.WAITING
    suspend.resume("alice", actor=ROOT, systems=world.systems())
    work(world)
    creation.refresh_from_db()
    stack.refresh_from_db()
    assert (creation.state, stack.state) == (Plan.State.DONE, Stack.State.READY)
    accounts = {
        name for name in world.things if name.startswith(("sql_server.user:", "triplestore.user:"))
    }
    assert set(open_accounts(world)) == accounts


@pytest.mark.one_in(2)
@pytest.mark.parametrize("system", SYSTEMS)
def test_suspended_and_removed_while_a_stack_waits_for_a_system(
    world: WorldWithIdentities, system: str
) -> None:
    """Nothing of it is made while she is suspended, and her removal leaves nothing."""
    making(world)
    world.broken[system] = down
    work(world, turns=3)
    suspend.suspend("alice", actor=ROOT, systems=world.systems())
    world.broken.clear()
    made = of_stacks(world)
    work(world)
    assert of_stacks(world) == made
    assert open_accounts(world) == []
    removal = remove("alice", world)
    work(world)
    removal.refresh_from_db()
    assert removal.state == Plan.State.DONE
    nothing_left(world)
