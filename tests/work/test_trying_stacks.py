"""The test of the connection of a knowledge stack: a part of a stack, one by itself, and one whose
secrets were erased here when its plan ended.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.templates import draft, make_stack_request, offer_template, with_drive
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import make
from tests.work.test_stacks import knowledge_stack, make_stack
from workspace_manager import wiring
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.secret import Secret
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.knowledge_stacks import templates
from workspace_manager.records.models import Component, Person, Plan, VaultEntry
from workspace_manager.systems.container_manager.connector import ContainerManager, connect
from workspace_manager.systems.container_manager.settings import Settings
from workspace_manager.work import components, connection_test
from workspace_sandbox.server import running
from workspace_sandbox.stand_ins.container_manager import ContainerManagerStandIn

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "ptr_canary-5f2a"
COMPOSE = """
services:
  web: {image: sandbox/notebook, environment: {P: '${SQL_PASSWORD}', T: '${TITLE}'}}
"""


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return with_drive(here(world, "alice"))


def run_connection_test(component: Component, person: Person, world: World) -> dict[str, Finding]:
    found = connection_test.test(component, person, world.systems())
    return {one.name: one for one in found}


def severities(component: Component, person: Person, world: World) -> dict[str, Severity]:
    return {
        name: one.severity for name, one in run_connection_test(component, person, world).items()
    }


def test_a_part_of_a_stack_is_found_well(alice: Person, world: World) -> None:
    """Also when the plan that made it is forgotten."""
    offer_template(world)
    made = knowledge_stack(make_stack(world, alice))
    well = {"answer": Severity.OK, "rights": Severity.OK}
    assert severities(made, alice, world) == well
    Plan.objects.all().delete()
    assert severities(made, alice, world) == well
    group = made.made_from["groups"][0]
    for name in made.made_from["groups"]:
        world.things[f"identity_provider.group:{name}"]["members"] = []
    assert severities(made, alice, world) == {**well, "rights": Severity.FAILING}
    world.things[f"identity_provider.group:{group}"]["members"] = ["sub-of-alice"]
    world.things[f"container_manager.stack:{made.name}"]["health"] = ""
    assert severities(made, alice, world) == {"answer": Severity.FAILING}


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[ContainerManager]:
    """The container manager's stand-in among the systems of the world."""
    stand_in = ContainerManagerStandIn(api_key=KEY)
    with running(stand_in):
        settings = Settings(url=stand_in.url, api_key=Secret(KEY))
        manager = connect(settings, wiring.resolve)
        others = World.systems

        def systems(world: World) -> ConnectedSystems:
            found = others(world)
            return replace(found, by_name={**found.by_name, "container_manager": manager})

        monkeypatch.setattr(World, "systems", systems)
        yield manager


def test_its_secrets_are_not_needed(alice: Person, world: World, engine: ContainerManager) -> None:
    asked = replace(draft("small", needs=("sql_database",), compose=COMPOSE), web_service="")
    template = templates.add(asked, actor="root-admin", systems=world.systems())
    templates.offer(template, actor="root-admin", systems=world.systems())
    database = make(world, alice, "sql_database", None)
    made, _ = components.create(
        alice,
        kind="knowledge_stack",
        label="Wiki",
        project=None,
        systems=world.systems(),
        wanted=make_stack_request("small", sql_database=str(database.id)),
    )
    work(world)
    made.refresh_from_db()
    assert made.state == Component.State.READY
    assert not VaultEntry.objects.exists()
    assert severities(made, alice, world) == {"answer": Severity.OK}
    (container,) = engine.client.containers_of(made.name)
    engine.client.stop(container.id, grace_s=1)
    assert severities(made, alice, world) == {"answer": Severity.FAILING}
