"""Machine keys: for a program, an account of its own that opens one component and nothing else."""

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import join, leave, make, project_of, rights
from workspace_manager.accounts import keys, machine_accounts
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine.plan import PlanDocument, PlannedStep
from workspace_manager.engine.rows import Vault, store
from workspace_manager.people import suspend
from workspace_manager.plan_kinds import view_plan
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    ServiceKey,
    Suspension,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return here(world, "alice")


def create_key(world: World, component: Component, purpose: str = "Nightly import") -> ServiceKey:
    key, _ = keys.create(component, purpose, actor="alice", systems=world.systems())
    work(world)
    return ServiceKey.objects.get(id=key.id)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["sql_database", "triplestore_repository"])
def test_a_program_gets_an_account_of_its_own(alice: Person, world: World, kind: str) -> None:
    component = make(world, alice, kind, None)
    other = make(world, alice, kind, None)
    key = create_key(world, component)
    assert key.account.startswith("wm_alice_")
    assert key.account in {name.partition(":")[2] for name in world.things}
    if kind == "sql_database":
        grant = world.things[f"sql_server.grant:{component.name} {key.account}"]
        assert grant == {"use": "define"}
        assert f"sql_server.grant:{other.name} {key.account}" not in world.things
    else:
        assert rights(world, key.account) == [f"WRITE_REPO_{component.name}"]
    personal = ServiceKey.objects.get(owner=alice, system=key.system, component=None)
    assert keys.reveal(key, by=alice) != keys.reveal(personal, by=alice)
    with pytest.raises(Refused, match="This key was already shown and is no longer stored here"):
        keys.reveal(key, by=alice)
    account = Account.objects.get(name=key.account)
    assert (account.machine, account.person) == (True, alice)
    assert not Plan.objects.exclude(state=Plan.State.DONE).exists()


def test_one_key_for_each_purpose(alice: Person, world: World) -> None:
    component = make(world, alice, "sql_database", None)
    create_key(world, component)
    with pytest.raises(Refused, match="already"):
        keys.create(component, " nightly IMPORT ", actor="alice", systems=world.systems())
    with pytest.raises(BadInput) as wrong:
        keys.create(component, " ", actor="alice", systems=world.systems())
    assert set(wrong.value.errors) == {"purpose"}
    second = create_key(world, component, "Backup")
    assert len({one.account for one in ServiceKey.objects.exclude(component=None)}) == 2
    assert second.label == "Backup"


def test_a_machine_key_is_not_the_persons(alice: Person, world: World) -> None:
    """What is made for the person afterwards uses the person's own account and key."""
    first = make(world, alice, "triplestore_repository", None)
    key = create_key(world, first)
    second = make(world, alice, "triplestore_repository", None)
    assert rights(world, "alice") == sorted(f"WRITE_REPO_{one.name}" for one in (first, second))
    assert rights(world, key.account) == [f"WRITE_REPO_{first.name}"]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["sql_database", "triplestore_repository"])
def test_a_deleted_key_leaves_nothing(alice: Person, world: World, kind: str) -> None:
    component = make(world, alice, kind, None)
    key = create_key(world, component)
    keys.delete(key, actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="already being deleted"):
        keys.delete(key, actor="alice", systems=world.systems())
    work(world)
    assert not ServiceKey.objects.filter(id=key.id).exists()
    assert not Account.objects.filter(name=key.account).exists()
    assert f"{machine_accounts.USERS[key.system]}:{key.account}" not in world.things
    assert f"{machine_accounts.USERS[key.system]}:alice" in world.things
    assert ServiceKey.objects.filter(owner=alice, system=key.system).exists()


def test_a_personal_key_is_not_deleted(alice: Person, world: World) -> None:
    make(world, alice, "sql_database", None)
    with pytest.raises(Refused, match="your own key"):
        keys.delete(ServiceKey.objects.get(), actor="alice", systems=world.systems())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["sql_database", "triplestore_repository"])
def test_accounts_of_programs_go_with_their_component(
    alice: Person, world: World, kind: str
) -> None:
    component = make(world, alice, kind, None)
    key = create_key(world, component)
    plan = components.delete(component, actor="alice", systems=world.systems())
    assert plan.steps.order_by("n").first().name == "remove_machine_accounts"  # type: ignore[union-attr]
    work(world)
    assert not Component.objects.exists()
    assert not Account.objects.filter(machine=True).exists()
    assert f"{machine_accounts.USERS[key.system]}:{key.account}" not in world.things


def test_what_a_knowledge_stack_uses_stays(alice: Person, world: World) -> None:
    component = make(world, alice, "sql_database", None)
    stack = Component.objects.create(
        owner=alice, kind="knowledge_stack", label="Wiki", name="stack-1", state="ready"
    )
    key = machine_accounts.reserve(alice, component, purpose="Wiki", used_by=stack)
    for refused in (
        lambda: keys.delete(key, actor="alice", systems=world.systems()),
        lambda: components.delete(component, actor="alice", systems=world.systems()),
        lambda: keys.reveal(key, by=alice),
    ):
        with pytest.raises(Refused, match="Wiki"):
            refused()


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ["sql_database", "triplestore_repository"])
def test_a_program_loses_what_its_owner_loses(alice: Person, world: World, kind: str) -> None:
    """A knowledge stack of bob's uses a thing of alice's, as long as bob may."""
    bob = here(world, "bob")
    project = project_of(alice)
    component = make(world, alice, kind, project)
    stack = Component.objects.create(
        owner=bob, kind="knowledge_stack", label="Wiki", name="stack-1", state="ready"
    )
    with pytest.raises(Refused, match="you no longer have access to it"):
        machine_accounts.reserve(bob, component, purpose="Wiki", used_by=stack)
    join(world, project, bob)
    key = machine_accounts.reserve(bob, component, purpose="Wiki", used_by=stack)
    vault = Vault()
    changes = machine_accounts.creation(key, vault, world.systems())
    step = PlannedStep(n=1, name="create_machine_account", system=key.system, changes=changes)
    document = PlanDocument(
        kind=keys.CREATION.name, person="bob", subject=str(bob.id), about="", steps=(step,)
    )
    store(document, actor="bob", state=Plan.State.RUNNING, vault=vault)
    work(world)
    assert may_use(world, component, key.account)
    leave(world, project, bob)
    assert not may_use(world, component, key.account)
    assert f"{machine_accounts.USERS[key.system]}:{key.account}" in world.things
    join(world, project, bob)
    assert may_use(world, component, key.account)
    components.move(component, None, by=component.owner, systems=world.systems())
    work(world)
    assert not may_use(world, component, key.account)


def may_use(world: World, component: Component, account: str) -> bool:
    if component.kind == "sql_database":
        return f"sql_server.grant:{component.name} {account}" in world.things
    return list(rights(world, account)) == [f"WRITE_REPO_{component.name}"]


def test_a_suspension_shuts_what_is_the_persons_and_not_what_others_use(
    alice: Person, world: World
) -> None:
    bob = here(world, "bob")
    component = make(world, alice, "sql_database", None)
    project = project_of(alice)
    stack = Component.objects.create(
        owner=alice, kind="knowledge_stack", label="Wiki", name="stack-1", state="ready",
        project=project,
    )  # fmt: skip
    hers, its = (
        create_key(world, component),
        machine_accounts.reserve(alice, component, purpose="Wiki", used_by=stack),
    )
    world.things[f"sql_server.user:{its.account}"] = {"exists": True}
    preview = suspend.suspension(alice, world.systems(), Suspension(person=alice))
    assert its.account in str(preview.steps), "nobody else uses the stack: the key is hers alone"
    join(world, project, bob)
    suspend.suspend("alice", actor="root-admin", systems=world.systems())
    plan = Plan.objects.get(kind="suspension")
    assert any("Wiki" in remark.english and "bob" in remark.english for remark in plan.remarks)
    work(world)
    locked = {name for name, has in world.things.items() if has.get("locked")}
    assert locked == {f"sql_server.user:{name}" for name in ("alice", hers.account)}
    suspend.resume("alice", actor="root-admin", systems=world.systems())
    work(world)
    assert not any(has.get("locked") for has in world.things.values())


def test_a_leaver_takes_all_machine_keys_along(alice: Person, world: World) -> None:
    """Also that of somebody else's knowledge stack on a thing of the leaver's."""
    bob = here(world, "bob")
    project = project_of(alice)
    database = make(world, alice, "sql_database", project)
    key = create_key(world, database)
    join(world, project, bob)
    stack = Component.objects.create(
        owner=bob, kind="knowledge_stack", label="Wiki", name="stack-1", state="ready"
    )
    theirs = machine_accounts.reserve(bob, database, purpose="Wiki", used_by=stack)
    world.things[f"sql_server.user:{theirs.account}"] = {"exists": True}
    draft = draft_removal("alice", actor="root-admin", systems=world.systems())
    work(world)
    draft.refresh_from_db()
    approve_removal(draft.id, digest=draft.digest, actor="root-admin", systems=world.systems())
    work(world)
    draft.refresh_from_db()
    assert draft.state == Plan.State.DONE
    assert not [name for name in world.things if name.startswith("sql_server.user:wm_")]
    assert not Account.objects.filter(machine=True).exists()
    assert not ServiceKey.objects.filter(component__isnull=False).exists()
    proof = {entry.credential: entry.state for entry in view_plan(draft).end_of_access}
    assert proof["machine_key"] == "ended"
    assert Component.objects.filter(id=stack.id).exists()
    assert key.account != theirs.account
