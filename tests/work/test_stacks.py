"""Knowledge stacks and stacks: made, shared and deleted as plans, whatever fails on the way."""

from typing import Any

import pytest
import yaml

from tests.fake_world.people import here, make_person
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import grant
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.engine.actions import retry
from workspace_manager.engine.rows import change_of, read
from workspace_manager.knowledge_stacks import templates
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.records.models import (
    Account,
    Component,
    Person,
    Plan,
    PlanChange,
    PlanStep,
    Project,
    ServiceKey,
    Stack,
    StackTemplate,
    UnapprovedSignIn,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.systems.container_manager.names import KEEP_VOLUMES, MARK_LABEL
from workspace_manager.work import components, memberships, projects, stacks

pytestmark = pytest.mark.django_db(transaction=True)

SYSTEMS = ("sql_server", "triplestore", "identity_provider", "container_manager")


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return with_drive(here(world, "alice"))


@pytest.fixture
def bob(world: World) -> Person:
    return here(world, "bob")


def make_stack(world: World, owner: Person, project: Project | None = None) -> Stack:
    stack, _ = stacks.create(
        owner, label="Ferns", project=project, wanted=make_stack_request(), systems=world.systems()
    )
    work(world)
    stack.refresh_from_db()
    return stack


def knowledge_stack(stack: Stack) -> Component:
    return stack.parts.get(kind="knowledge_stack")


def list_leftovers(world: World) -> list[str]:
    """What of databases, accounts and everything of stacks is in the world. What an account was
    granted goes with it.
    """
    kept = (
        "identity_provider.user",
        "identity_provider.attributes",
        "sql_server.user:alice",
        "sql_server.grant",
    )
    return sorted(name for name in world.things if not name.startswith(kept))


def group(world: World, component: Component, which: int) -> Any:
    name = component.made_from["groups"][which]
    return world.things.get(f"identity_provider.group:{name}", {}).get("members")


def broken(verb: str) -> Invalid:
    return Invalid(quote_words("it says no"), kind="x", doing=quote_words(verb))


def test_a_stack_is_made_of_what_its_template_needs(alice: Person, world: World) -> None:
    offer_template(world)
    stack = make_stack(world, alice)
    assert stack.state == Stack.State.READY
    assert {part.state for part in stack.parts.all()} == {Component.State.READY}
    made = knowledge_stack(stack)
    assert stack.address == made.address == f"http://127.0.0.1:{made.port}/start"
    running = world.things[f"container_manager.stack:{made.name}"]
    assert running["health"] == f"http://127.0.0.1:{made.port}/health"
    web = yaml.safe_load(running["file"])["services"]["web"]
    assert web["labels"] == {MARK_LABEL: str(made.id)}
    assert web["environment"]["TITLE"] == "Ferns"
    assert web["environment"]["SECRET"] == "${OIDC_CLIENT_SECRET}"
    database = stack.parts.get(kind="sql_database")
    keys = {key.system: key for key in ServiceKey.objects.filter(used_by=made)}
    assert web["environment"]["DATABASE"].startswith(f"{keys['sql_server'].account}:${{SQL_PASSW")
    assert f"sql_server.user:{keys['sql_server'].account}" in world.things
    grant = f"sql_server.grant:{database.name} {keys['sql_server'].account}"
    assert grant in world.things
    client = world.things[f"identity_provider.client:{made.name}"]
    assert client["redirect_uris"] == [f"http://127.0.0.1:{made.port}/oidc/callback"]
    assert group(world, made, 0) == group(world, made, 1) == ["sub-of-alice"]


def test_what_a_stack_signs_in_with_is_kept_by_the_stack_alone(alice: Person, world: World) -> None:
    offer_template(world)
    used = ServiceKey.objects.filter(used_by__isnull=False)
    stack, _ = stacks.create(
        alice, label="Ferns", project=None, wanted=make_stack_request(), systems=world.systems()
    )
    assert all(key.secret for key in used), "a creation that is tried again sends it again"
    work(world)
    assert knowledge_stack(stack).state == Component.State.READY
    assert used.exists()
    assert not used.exclude(secret=None).exists()
    # Every secret is referred to, and none is written down in a plan.
    row = PlanChange.objects.get(kind="container_manager.stack")
    assert set(change_of(row).secrets) == {
        "OIDC_CLIENT_SECRET",
        "SQL_PASSWORD",
        "SPARQL_PASSWORD",
        "DRIVE_PASSWORD",
    }


def test_deleting_a_stack_leaves_nothing(alice: Person, world: World) -> None:
    """What the predecessor left running: containers, volumes, databases, clients and groups."""
    offer_template(world)
    before = list_leftovers(world)
    stack = make_stack(world, alice)
    world.things[f"container_manager.stack_volumes:{knowledge_stack(stack).name}"] = {"n": 1}
    plan = stacks.delete(stack, actor="alice", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert list_leftovers(world) == before
    assert not Stack.objects.exists()
    assert not Component.objects.exists()
    assert not Account.objects.filter(machine=True).exists()
    assert not ServiceKey.objects.exclude(component=None).exists()
    names = [step.name for step in read(plan).steps]
    assert names.index("delete_stack") < names.index("drop_database")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("finish", [True, False], ids=["finished", "deleted"])
def test_a_creation_that_failed_is_finished_or_deleted(
    alice: Person, world: World, system: str, finish: bool
) -> None:
    offer_template(world)
    before = list_leftovers(world)
    world.broken[system] = broken
    stack = make_stack(world, alice)
    # While nobody can say whether its owner may still sign in, a plan waits.
    waits = system == "identity_provider"
    assert stack.state == (Stack.State.WAITING if waits else Stack.State.FAILED)
    assert stack.parts.count() == 3
    del world.broken[system]
    if finish:
        for step in list(PlanStep.objects.filter(state=PlanStep.State.STUCK)):
            retry(step.plan, step.n, actor="root-admin")
        work(world)
        stack.refresh_from_db()
        assert stack.state == Stack.State.READY
    else:
        stacks.delete(stack, actor="alice", systems=world.systems())
        work(world)
        assert not Stack.objects.exists()
        assert list_leftovers(world) == before


def test_a_part_is_not_changed_or_deleted_alone(alice: Person, world: World) -> None:
    offer_template(world)
    stack = make_stack(world, alice)
    for part in stack.parts.all():
        with pytest.raises(Refused, match="Ferns"):
            components.delete(part, actor="alice", systems=world.systems())
        with pytest.raises(Refused, match="Ferns"):
            components.move(part, None, by=part.owner, systems=world.systems())


def test_a_stack_that_lost_its_parts_is_deleted(alice: Person, world: World) -> None:
    """The predecessor crashed on missing components of a stack."""
    stack = Stack.objects.create(owner=alice, label="Hollow", name="st-hollow")
    stacks.delete(stack, actor="alice", systems=world.systems())
    work(world)
    assert not Stack.objects.exists()


def test_without_a_template_a_stack_is_a_database_and_a_repository(
    alice: Person, world: World
) -> None:
    stack, _ = stacks.create(
        alice, label="Both", project=None, wanted=None, systems=world.systems()
    )
    work(world)
    stack.refresh_from_db()
    assert stack.state == Stack.State.READY
    assert {part.kind for part in stack.parts.all()} == {"sql_database", "triplestore_repository"}


def test_groups_follow_the_project(alice: Person, bob: Person, world: World) -> None:
    offer_template(world)
    project = Project.objects.create(owner=alice, label="Herbarium")
    made = knowledge_stack(make_stack(world, alice, project))
    memberships.add(project, bob, actor="alice", systems=world.systems())
    work(world)
    assert group(world, made, 1) == ["sub-of-alice", "sub-of-bob"]
    assert group(world, made, 0) == ["sub-of-alice"]
    memberships.change_role(project, bob, "manage", by=project.owner, systems=world.systems())
    work(world)
    assert group(world, made, 0) == ["sub-of-alice", "sub-of-bob"]
    stack = made.stack
    assert stack
    stacks.move(stack, None, by=stack.owner, systems=world.systems())
    work(world)
    assert group(world, made, 1) == ["sub-of-alice"]
    stacks.move(stack, project, by=stack.owner, systems=world.systems())
    work(world)
    assert group(world, made, 0) == ["sub-of-alice", "sub-of-bob"]
    memberships.end(project, bob, actor="bob", systems=world.systems())
    work(world)
    assert group(world, made, 0) == group(world, made, 1) == ["sub-of-alice"]


def test_the_owner_of_the_project_is_an_administrator_of_a_members_stack(
    alice: Person, bob: Person, world: World
) -> None:
    """Who the project is handed over to as well: in groups, databases and the records alike."""
    offer_template(world)
    carol = with_drive(here(world, "carol"))
    project = Project.objects.create(owner=alice, label="Herbarium")
    for member in (bob, carol):
        memberships.add(project, member, actor="alice", systems=world.systems(), role="read")
    stack = make_stack(world, carol, project)
    made, database = knowledge_stack(stack), stack.parts.get(kind="sql_database")
    assert group(world, made, 0) == ["sub-of-alice", "sub-of-carol"]
    assert grant(world, database, "bob") == {"use": "read"}
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(
        plan.id,
        digest=plan.digest,
        actor="root-admin",
        systems=world.systems(),
        transfer={str(project.id): "bob"},
    )
    work(world)
    assert group(world, made, 0) == ["sub-of-bob", "sub-of-carol"]
    assert grant(world, database, "bob") == {"use": "write"}
    project.refresh_from_db()
    projects.delete(project, actor="bob", systems=world.systems())
    work(world)
    assert group(world, made, 0) == group(world, made, 1) == ["sub-of-carol"]
    assert grant(world, database, "bob") is None


def test_another_account_takes_the_place_of_the_one_before_in_groups(
    alice: Person, bob: Person, world: World
) -> None:
    """Bob's user was made again: in the group of alice's stack, and as the owner of his own."""
    offer_template(world)
    project = Project.objects.create(owner=alice, label="Herbarium")
    memberships.add(project, bob, actor="alice", systems=world.systems())
    shared, own = (
        knowledge_stack(make_stack(world, *whose))
        for whose in ((alice, project), (with_drive(bob),))
    )
    stranger = UnapprovedSignIn.objects.create(sub="new-sub", username="bob", why="another sub")
    unlinked_sign_ins.relink(stranger.id, actor="root-admin", systems=world.systems())
    work(world)
    assert group(world, shared, 1) == ["new-sub", "sub-of-alice"]
    assert group(world, own, 0) == group(world, own, 1) == ["new-sub"]


def test_a_knowledge_stack_by_itself_uses_components_of_ones_own(
    alice: Person, bob: Person, world: World
) -> None:
    offer_template(world, "small", needs=("sql_database",))
    others, _ = components.create(
        bob, kind="sql_database", label="Bob's", project=None, systems=world.systems()
    )
    mine, _ = components.create(
        alice, kind="sql_database", label="Mine", project=None, systems=world.systems()
    )
    work(world)
    make = {
        "kind": "knowledge_stack",
        "label": "Ferns",
        "project": None,
        "systems": world.systems(),
    }
    for uses, said in (
        ({}, "create a stack, which includes one"),
        ({"sql_database": str(others.id)}, "that is yours and ready"),
        ({"sql_database": str(mine.id), "drive": "x"}, "does not use"),
    ):
        with pytest.raises(BadInput, match=said):
            components.create(alice, wanted=make_stack_request("small", **uses), **make)  # type: ignore[arg-type]
    assert not Component.objects.filter(kind="knowledge_stack").exists()
    made, _ = components.create(
        alice,
        wanted=make_stack_request("small", sql_database=str(mine.id)),
        **make,  # type: ignore[arg-type]
    )
    work(world)
    made.refresh_from_db()
    assert made.state == Component.State.READY
    # What it was made from may go meanwhile: its end does not need it.
    StackTemplate.objects.all().delete()
    made.refresh_from_db()
    plan = components.delete(made, actor="alice", systems=world.systems(), keep_volumes=True)
    assert "delete_volumes" not in {step.name for step in read(plan).steps}
    assert str(made.id) in read(plan).by_hand[0].english  # type: ignore[union-attr]
    (stack,) = PlanChange.objects.filter(step__plan=plan, kind="container_manager.stack")
    assert change_of(stack).note == KEEP_VOLUMES
    work(world)
    assert not Component.objects.filter(kind="knowledge_stack").exists()
    assert not Account.objects.filter(machine=True).exists()
    assert f"sql_server.database:{mine.name}" in world.things


def test_ports_run_out_in_words(alice: Person, world: World) -> None:
    offer_template(world, "small", needs=())
    systems = world.systems()
    settings = systems.settings["container_manager"]
    object.__setattr__(settings, "stack_ports", "20000-20001")
    ports = set()
    for _ in range(2):
        made, _plan = components.create(
            alice,
            kind="knowledge_stack",
            label="x",
            project=None,
            systems=systems,
            wanted=make_stack_request("small"),
        )
        ports.add(made.port)
    assert ports == {20000, 20001}
    with pytest.raises(Refused, match="2 ports"):
        components.create(
            alice,
            kind="knowledge_stack",
            label="x",
            project=None,
            systems=systems,
            wanted=make_stack_request("small"),
        )
    assert Component.objects.count() == 2


def test_what_cannot_be_is_said_before_anything_is_written(
    bob: Person, alice: Person, world: World
) -> None:
    def asked(person: Person, name: str, **more: str) -> None:
        stacks.create(
            person,
            label="x",
            project=None,
            wanted=make_stack_request(name, **more),
            systems=world.systems(),
        )

    with pytest.raises(BadInput, match="There is no template yet"):
        asked(bob, "sample")
    template = offer_template(world)
    with pytest.raises(BadInput, match="sample"):
        asked(bob, "other")
    with pytest.raises(Refused, match="drive is not connected"):
        asked(bob, "sample")
    nobody = make_person("nora")
    with pytest.raises(Refused, match="is not linked to an account"):
        asked(nobody, "sample")
    templates.withdraw(template, actor="root-admin")
    with pytest.raises(BadInput, match="There is no template yet"):
        asked(alice, "sample")
    assert not Stack.objects.exists()
    assert not Plan.objects.exists()
