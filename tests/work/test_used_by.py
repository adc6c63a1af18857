"""The components that a knowledge stack uses stay until the stack is gone, and no account that may
still be there is forgotten.
"""

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import make
from tests.work.test_stacks import broken, make_stack
from workspace_manager.accounts import keys
from workspace_manager.core.refusal import Refused
from workspace_manager.engine import actions
from workspace_manager.engine.actions import retry
from workspace_manager.knowledge_stacks.stack_choice import StackRequest
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    PlanStep,
    ServiceKey,
    Stack,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components, stacks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return with_drive(here(world, "alice"))


def knowledge_stack(world: World, owner: Person, what: StackRequest) -> Component:
    made, _ = components.create(
        owner,
        kind="knowledge_stack",
        label="Wiki",
        project=None,
        systems=world.systems(),
        wanted=what,
    )
    work(world)
    made.refresh_from_db()
    assert made.state == Component.State.READY
    return made


def machines(world: World) -> list[str]:
    return [name for name in world.things if ".user:wm_" in name]


def test_a_stack_stays_while_another_knowledge_stack_uses_it(alice: Person, world: World) -> None:
    offer_template(world)
    data, _ = stacks.create(alice, label="Data", project=None, wanted=None, systems=world.systems())
    work(world)
    uses = {str(part.kind): str(part.id) for part in data.parts.all()}
    wiki = knowledge_stack(world, alice, make_stack_request(**uses))
    with pytest.raises(Refused, match=r"“Wiki” uses this component\. Delete the stack"):
        stacks.delete(data, actor="alice", systems=world.systems())
    data.refresh_from_db()
    assert data.state == Stack.State.READY
    assert not Component.objects.filter(state=Component.State.DELETING).exists()
    assert len(machines(world)) == ServiceKey.objects.filter(used_by=wiki).count() == 2
    components.delete(wiki, actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="“Wiki” uses this component and is being deleted"):
        stacks.delete(data, actor="alice", systems=world.systems())
    work(world)
    stacks.delete(data, actor="alice", systems=world.systems())
    work(world)
    assert not Component.objects.exists()
    assert not machines(world)
    assert not Account.objects.filter(machine=True).exists()


def test_a_stack_does_not_keep_itself(alice: Person, world: World) -> None:
    offer_template(world)
    stack = make_stack(world, alice)
    stacks.delete(stack, actor="alice", systems=world.systems())
    work(world)
    assert not Stack.objects.exists()
    assert not machines(world)


@pytest.mark.parametrize("leaves", [False, True], ids=["tried again", "owner leaves"])
def test_what_is_used_stays_until_the_deletion_has_ended(
    alice: Person,
    world: World,
    leaves: bool,
) -> None:
    offer_template(world, needs=("sql_database",))
    database = make(world, alice, "sql_database", None)
    wiki = knowledge_stack(world, alice, make_stack_request(sql_database=str(database.id)))
    world.broken["container_manager"] = broken
    deletion = components.delete(wiki, actor="alice", systems=world.systems())
    work(world)
    with pytest.raises(Refused, match="is being deleted"):
        components.delete(database, actor="alice", systems=world.systems())
    assert len(machines(world)) == Account.objects.filter(machine=True).count() == 1
    del world.broken["container_manager"]
    if leaves:
        plan = draft_removal("alice", actor="root-admin", systems=world.systems())
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
        work(world)
        plan.refresh_from_db()
        assert plan.state == Plan.State.DONE
    else:
        retry(deletion, 1, actor="root-admin")
        work(world)
        components.delete(database, actor="alice", systems=world.systems())
        work(world)
    assert not Component.objects.exists()
    assert not machines(world)
    assert not Account.objects.filter(machine=True).exists()


@pytest.mark.parametrize("whole", [False, True], ids=["key", "component"])
def test_an_account_that_was_not_removed_stays_written_down(
    alice: Person,
    world: World,
    whole: bool,
) -> None:
    """Somebody skipped its removal: the record goes, and the owner's removal takes the account."""
    database = make(world, alice, "sql_database", None)
    key, _ = keys.create(database, "Import", actor="alice", systems=world.systems())
    work(world)
    world.broken["sql_server"] = broken
    plan = (
        components.delete(database, actor="alice", systems=world.systems())
        if whole
        else keys.delete(key, actor="alice", systems=world.systems())
    )
    work(world)
    for n in (1, 2) if whole else (1,):
        step = PlanStep.objects.get(plan=plan, n=n)
        assert step.state in {PlanStep.State.STUCK, PlanStep.State.PENDING}
        actions.skip(plan, n, actor="root-admin", reason="later")
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert not ServiceKey.objects.filter(id=key.id).exists()
    assert Account.objects.get(name=key.account).person == alice
    del world.broken["sql_server"]
    removal = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(removal.id, digest=removal.digest, actor="root-admin", systems=world.systems())
    work(world)
    removal.refresh_from_db()
    assert removal.state == Plan.State.DONE
    assert not machines(world)


def test_an_account_that_somebody_removed_by_hand_is_forgotten(alice: Person, world: World) -> None:
    database = make(world, alice, "sql_database", None)
    key, _ = keys.create(database, "Import", actor="alice", systems=world.systems())
    work(world)
    world.broken["sql_server"] = broken
    plan = keys.delete(key, actor="alice", systems=world.systems())
    work(world)
    actions.by_hand(plan, 1, actor="root-admin", note="dropped")
    work(world)
    assert not Account.objects.filter(name=key.account).exists()
