"""A reader's access to a component, its reasons, and the test of the connection: each finding for
something that really is not as it should be.
"""

from collections.abc import Callable

import pytest

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.work.shared_project import join, make, project_of
from workspace_manager.accounts import reader_access
from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.records.models import Account, Component, Membership, Person, ServiceKey
from workspace_manager.work import connection_test

pytestmark = pytest.mark.django_db(transaction=True)
KINDS = ["sql_database", "triplestore_repository"]


@pytest.fixture
def alice() -> Person:
    return make_person("alice", sub="sub-of-alice")


@pytest.fixture
def bob() -> Person:
    return make_person("bob", sub="sub-of-bob")


@pytest.fixture(params=KINDS)
def shared(request: pytest.FixtureRequest, alice: Person, bob: Person, world: World) -> Component:
    """Alice's, which bob writes in."""
    project = project_of(alice)
    join(world, project, bob)
    return make(world, alice, request.param, project)


def describe_access(person: Person, component: Component) -> tuple[str, str, str]:
    found = reader_access.find_access(person, Component.objects.get(id=component.id))
    return found.account, found.level, found.why.code.partition(".")[2]


def run_connection_test(component: Component, person: Person, world: World) -> dict[str, Finding]:
    found = connection_test.test(component, person, world.systems())
    return {one.name: one for one in found}


def test_everybody_has_an_account_and_a_key_of_their_own(
    shared: Component, alice: Person, bob: Person
) -> None:
    assert describe_access(alice, shared) == ("alice", "write", "access_own")
    assert describe_access(bob, shared) == ("bob", "write", "access_writes")
    keys = [reader_access.find_access(one, shared).key for one in (alice, bob)]
    assert [key and key.owner for key in keys] == [alice, bob]
    machine = ServiceKey.objects.create(
        owner=bob, system="sql_server", account="ws_m", component=shared, purpose="the scanner"
    )
    kind = reader_access.USERS[Component.Kind(shared.kind)]
    account = {"system": kind.partition(".")[0], "kind": kind, "username": "bob", "person": bob}
    Account.objects.create(name="a-machine", machine=True, **account)
    assert describe_access(bob, shared)[0] == "bob"
    assert reader_access.find_access(bob, shared).key == keys[1]
    assert reader_access.machine_keys(bob, shared) == [machine]
    assert reader_access.machine_keys(alice, shared) == []


def test_why_follows_the_role_and_the_state(shared: Component, alice: Person, bob: Person) -> None:
    role = Membership.objects.get(person=bob)
    for name, level, why in (
        ("read", "read", "access_reads"),
        ("manage", "write", "access_manages"),
    ):
        role.role = name
        role.save()
        assert describe_access(bob, shared)[1:] == (level, why)
    Component.objects.update(state="waiting")
    assert (
        describe_access(bob, shared)[1:]
        == describe_access(alice, shared)[1:]
        == ("", "access_not_ready")
    )
    Component.objects.update(state="ready")
    role.delete()
    administrator = make_person("root-admin", role="administrator")
    assert describe_access(administrator, shared) == ("", "", "access_by_permission")
    assert describe_access(bob, shared)[1:] == ("", "access_by_permission")
    Component.objects.update(owner=bob)
    assert describe_access(alice, shared)[1:] == ("write", "access_project_owner")


def test_a_connection_that_works_is_found_well(
    shared: Component, alice: Person, bob: Person, world: World
) -> None:
    grant = world.things.get(f"sql_server.grant:{shared.name} bob")
    for person in (alice, bob):
        found = run_connection_test(shared, person, world)
        assert [one.severity for one in found.values()] == [Severity.OK] * 3
        said = f"Your account {person.username} exists and is not locked."
        assert found["account"].text == said
    assert world.things.get(f"sql_server.grant:{shared.name} bob") == grant


def _without(kind: str) -> Callable[[World, Component], object]:
    def broken(world: World, component: Component) -> object:
        system = "sql_server" if component.kind == "sql_database" else "triplestore"
        name = component.name if kind in {"database", "repository"} else "bob"
        return world.things.pop(f"{system}.{kind}:{name}")

    return broken


def _rights(world: World, component: Component) -> object:
    if component.kind == "sql_database":
        return world.things.pop(f"sql_server.grant:{component.name} bob")
    user = world.things["triplestore.user:bob"]
    return user.update(authorities=["ROLE_USER", f"READ_REPO_{component.name}"])


def _thing(world: World, component: Component) -> object:
    return _without("database" if component.kind == "sql_database" else "repository")(
        world, component
    )


@pytest.mark.parametrize(
    ("broken", "where"), [(_thing, "answer"), (_without("user"), "account"), (_rights, "rights")]
)
def test_what_is_not_as_it_should_be_is_said(
    shared: Component,
    bob: Person,
    world: World,
    broken: Callable[[World, Component], object],
    where: str,
) -> None:
    broken(world, shared)
    found = run_connection_test(shared, bob, world)
    assert [name for name, one in found.items() if one.severity != Severity.OK] == [where]
    assert list(found)[-1] == where
    assert found[where].remedy


def test_a_locked_account_and_a_silent_system_are_said(
    alice: Person, bob: Person, world: World
) -> None:
    project = project_of(alice)
    join(world, project, bob)
    shared = make(world, alice, "sql_database", project)
    world.things["sql_server.user:bob"]["locked"] = True
    assert "locked" in run_connection_test(shared, bob, world)["account"].text
    world.broken["sql_server"] = lambda verb: Unavailable(
        quote_words("it does not answer"), kind="sql_server.database", doing=quote_words(verb)
    )
    (only,) = connection_test.test(shared, bob, world.systems())
    assert "it does not answer" in only.text
    assert connection_test.worst_severity([only]) is Severity.FAILING


def test_who_may_not_use_it_tests_nothing(shared: Component, world: World) -> None:
    with pytest.raises(Forbidden):
        run_connection_test(shared, make_person("eve", sub="sub-of-eve"), world)
    administrator = make_person("root-admin", role="administrator")
    found = run_connection_test(shared, administrator, world)
    assert found["answer"].severity is Severity.OK
    assert "your account was not checked" in found["account"].text
    Component.objects.update(state="waiting")
    with pytest.raises(Refused):
        run_connection_test(Component.objects.get(), administrator, world)
