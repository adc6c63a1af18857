"""A key is shown once nothing that is under way gives its account another secret, whichever plan
that would be.
"""

import pytest

from tests.fake_world.people import here, make_person
from tests.fake_world.templates import make_stack_request, offer_template, with_drive
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.work.shared_project import make, project_of
from tests.work.test_stacks import broken
from workspace_manager.accounts import keys, renewal
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import Component, Person, PlanChange, ServiceKey
from workspace_manager.wiring import resolve
from workspace_manager.work import components, memberships, stacks, step_retry

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = {"sql_server": "sql_database", "triplestore": "triplestore_repository"}


@pytest.fixture
def alice(world: World) -> Person:
    make_person("root-admin", sub="admin-sub", role="administrator")
    return with_drive(here(world, "alice"))


def personal(owner: Person, system: str) -> ServiceKey:
    return ServiceKey.objects.get(owner=owner, system=system, component=None)


def refuses_reveal(owner: Person, system: str) -> bool:
    with pytest.raises(Refused, match="still being created") as said:
        keys.reveal(personal(owner, system), by=owner)
    return bool(said.value.plan)


@pytest.mark.parametrize("system", KINDS)
def test_not_while_a_stack_makes_its_account(alice: Person, world: World, system: str) -> None:
    """With its system down for a while, and something else asked for meanwhile: one secret."""
    offer_template(world)
    world.broken[system] = broken
    stack, _ = stacks.create(
        alice, label="Ferns", project=None, wanted=make_stack_request(), systems=world.systems()
    )
    assert refuses_reveal(alice, system)
    work(world)
    assert refuses_reveal(alice, system)
    components.create(
        alice, kind=KINDS[system], label="More", project=None, systems=world.systems()
    )
    rows = PlanChange.objects.filter(kind=f"{system}.user", name="alice")
    references = [change_of(row).secrets.get("password") for row in rows]
    assert len({resolve(one).reveal() for one in references if one}) == 1
    del world.broken[system]
    step_retry.retry(stack, actor="alice")
    work(world)
    assert keys.reveal(personal(alice, system), by=alice)


@pytest.mark.parametrize("system", KINDS)
def test_not_while_sharing_makes_its_account(alice: Person, world: World, system: str) -> None:
    bob = here(world, "bob")
    project = project_of(alice)
    make(world, alice, KINDS[system], project)
    memberships.add(project, bob, actor="alice", systems=world.systems())
    assert refuses_reveal(bob, system)
    work(world)
    assert keys.reveal(personal(bob, system), by=bob)


def test_not_while_the_sql_tool_does_not_have_it(alice: Person, world: World) -> None:
    """Nor is it renewed: what is stuck would put the old one there afterwards."""
    world.call = lambda system, verb: _down(system, verb)  # type: ignore[method-assign]
    components.create(
        alice, kind="sql_database", label="First", project=None, systems=world.systems()
    )
    work(world)
    assert "sql_server.user:alice" in world.things
    key = personal(alice, "sql_server")
    assert refuses_reveal(alice, "sql_server")
    with pytest.raises(Refused, match="still being created"):
        renewal.renew(key, actor="alice", systems=world.systems())
    del world.call
    step_retry.retry(Component.objects.get(), actor="alice")
    work(world)
    assert keys.reveal(key, by=alice)


def _down(system: str, verb: str) -> None:
    if (system, verb) == ("identity_provider", "apply"):
        raise broken(verb)
