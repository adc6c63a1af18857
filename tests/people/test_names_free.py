"""The rule whether a name may be given: one, whichever way somebody would get it."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.world import World
from tests.visitors import Visitor
from tests.web.api.documents import problem
from workspace_manager.contract.connector import Change
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Forbidden, Refused
from workspace_manager.operations import settings as system_settings
from workspace_manager.operations.system_configuration import every_configured
from workspace_manager.people import admit, approve, names_free, register, unlinked_sign_ins
from workspace_manager.people.admit import Claims
from workspace_manager.people.register import RegistrationInput
from workspace_manager.records.models import (
    Lock,
    Person,
    Plan,
    Registration,
    Tombstone,
    UnapprovedSignIn,
)
from workspace_manager.removal import recheck
from workspace_manager.removal.recheck import being_looked_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def systems(world: World) -> ConnectedSystems:
    """Things in memory, and settings as they are stored."""
    return ConnectedSystems(
        by_name=world.systems().by_name,
        settings={name: state.settings for name, state in every_configured().items()},
    )


def application(name: str) -> RegistrationInput:
    return RegistrationInput(
        name, f"{uuid.uuid4()}@example.org", "Some", "Body", "a very long passphrase 77"
    )


def by_approval(name: str, systems: ConnectedSystems) -> None:
    row = Registration.objects.create(username=name, email="x@example.org")
    approve.approve(row.id, actor="ada", systems=systems)


def by_adoption(name: str, systems: ConnectedSystems) -> None:
    row = UnapprovedSignIn.objects.create(sub=str(uuid.uuid4()), username=name, why="not approved")
    unlinked_sign_ins.approve_existing(row.id, actor="ada", systems=systems)


def by_admission(name: str, systems: ConnectedSystems) -> None:
    """Somebody the identity provider vouches for, where nobody has to be approved."""
    admit.admit(Claims(sub=str(uuid.uuid4()), username=name), admit_unregistered=True)


DOORS = [by_approval, by_adoption, by_admission]
Door = Callable[[str, ConnectedSystems], None]


def a_person() -> None:
    Person.objects.create_user("alice")


def a_person_in_other_letters() -> None:
    Person.objects.create_user("Alice")


def an_approval() -> None:
    Registration.objects.create(username="alice", status=Registration.Status.APPROVED, sub="s")


def a_tombstone() -> None:
    end = timezone.now() + timedelta(days=1)
    Tombstone.objects.create(username="alice", plan=uuid.uuid4(), expires_at=end)


def an_open_removal() -> None:
    Plan.objects.create(kind="removal", person="alice", state=Plan.State.STUCK)


def a_recheck() -> None:
    until = database_now() + timedelta(minutes=1)
    Lock.objects.create(name=being_looked_at("alice"), owner="t", until=until)


def an_administrator_of_a_system() -> None:
    system_settings.save("triplestore", {"admin_username": "Alice"}, actor="ada")


def a_container_of_a_system() -> None:
    system_settings.save("drive", {"container_name": "alice"}, actor="ada")


OBSTACLES = [
    *(a_person, a_person_in_other_letters, an_approval, a_tombstone, an_open_removal, a_recheck),
    *(an_administrator_of_a_system, a_container_of_a_system),
]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("obstacle", OBSTACLES)
def test_no_door_gives_a_name_that_is_not_free(
    door: Door, obstacle: Callable[[], None], world: World
) -> None:
    obstacle()
    systems = ConnectedSystems(by_name=world.systems().by_name, settings=names_free.settings_now())
    with pytest.raises((Refused, Forbidden)):
        door("alice", systems)
    assert not Registration.objects.filter(
        username="alice", status=Registration.Status.APPROVED
    ).exclude(sub="s")
    assert not world.writes


@pytest.mark.parametrize("door", DOORS)
def test_a_free_name_is_given(door: Door, systems: ConnectedSystems, world: World) -> None:
    if door is by_approval:
        with pytest.raises(Exception, match="no user id"):
            door("alice", systems)  # this world gives no ids; it came as far as making the user
    else:
        door("alice", systems)


@pytest.mark.parametrize("door", [by_approval, by_adoption])
@pytest.mark.parametrize("left", ["notebook_hub.container:jupyter-alice", "volume:alice"])
def test_what_bears_the_name_is_inherited_by_nobody(
    door: Door, left: str, systems: ConnectedSystems, world: World
) -> None:
    world.things[left] = {"running": False}
    with pytest.raises(Refused, match="Data of a former alice still exists:"):
        door("alice", systems)
    assert not Registration.objects.filter(status=Registration.Status.APPROVED).exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice", "alice"),
        ("ALICE", "alice"),
        ("m\u00fcller", "mu\u0308ller"),
        ("a b", "a_b"),
        ("\uff41lice", "alice"),
    ],
)
def test_names_that_count_as_one(one: str, other: str, systems: ConnectedSystems) -> None:
    Person.objects.create_user(one)
    with pytest.raises(Refused, match=r"counts as the same|belongs to somebody"):
        names_free.refuse(other, systems)


def test_a_name_that_counts_as_that_of_somebody_who_leaves_is_not_free(
    systems: ConnectedSystems,
) -> None:
    """Both have one account, and one volume, in a system that rewrites names."""
    plan = Plan.objects.create(kind="removal", person="j.doe@x", state=Plan.State.WAITING)
    assert names_free.is_leaving("j.doe_x")
    with pytest.raises(Refused):
        names_free.refuse("j.doe_x", systems)
    Plan.objects.filter(id=plan.id).update(state=Plan.State.DONE)
    names_free.refuse("j.doe_x", systems)
    until = database_now() + timedelta(minutes=1)
    Lock.objects.create(name=being_looked_at("j.doe@x"), owner="t", until=until)
    with pytest.raises(Refused):
        names_free.refuse("j.doe_x", systems)


def test_a_recheck_leaves_alone_what_is_somebodys_whose_name_counts_as_the_same() -> None:
    change = Change(kind="sql_server.user", subject="", target={"username": "j.doe_x"})
    change = change.model_copy(update={"note": "j.doe@x"})
    assert recheck.may_act(change)
    Person.objects.create_user("j.doe_x")
    assert not recheck.may_act(change)


@pytest.mark.parametrize("name", ["a.lice", "a-lice", "alice2", "al"])
def test_names_that_only_look_alike_are_two(name: str, systems: ConnectedSystems) -> None:
    Person.objects.create_user("alice")
    names_free.refuse(name, systems)


RESERVED = [
    *("guest", "uest", "est", "Root", "mariadb.sys", "pg_monitor", "service-account-x"),
    *("jupyterhub", "admin", "administrator", "postgres", "rdf4j", "pma", "keycloak-x", "ws_db"),
    *("public", "none", "anonymous", "healthcheck", "mysql"),
]


@pytest.mark.parametrize("name", RESERVED)
def test_what_a_system_uses_for_itself_can_nobody_register(name: str) -> None:
    with pytest.raises(BadInput) as caught:
        register.register(application(name))
    assert (
        "This user name is reserved for one of the workspace’s systems."
    ) in caught.value.errors["username"]


@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("door", DOORS)
def test_nor_get_it_otherwise(name: str, door: Door, systems: ConnectedSystems) -> None:
    with pytest.raises(
        (Refused, Forbidden),
        match=r"A system uses the name .* itself|Nobody in this workspace can have your user name",
    ):
        door(name.lower(), systems)


def test_an_administrator_set_later_is_reserved_from_then_on() -> None:
    system_settings.save("sql_server", {"admin_username": "dora"}, actor="ada")
    with pytest.raises(BadInput):
        register.register(application("Dora"))
    register.register(application("dorothy"))


def test_rest_says_422_and_409(as_nobody: Visitor, as_administrator: Visitor) -> None:
    wished = {
        "username": "mariadb.sys",
        "email": "x@example.org",
        "first_name": "Some",
        "last_name": "Body",
        "password": "a very long passphrase 77",
    }
    problem(as_nobody.ask("POST", "/registrations", wished), 422)
    stranger = UnapprovedSignIn.objects.create(sub="s1", username="mariadb.sys", why="not approved")
    problem(as_administrator.ask("POST", f"/strangers/{stranger.id}/adopt"), 409)
