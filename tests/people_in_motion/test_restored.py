"""A restored backup: the records are of yesterday, the systems of today. Plans look again before
they act; nothing is done twice.

See docs/howto/back-up-and-restore.md, which promises what is tried here.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import (
    ROOT,
    administrator,
    approve_registration,
    come_in,
    make,
    register,
    remove,
    settle_person,
)
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.people import approve
from workspace_manager.records.fields import _cipher
from workspace_manager.records.models import (
    Component,
    Person,
    Plan,
    PlanStep,
    Registration,
    ServiceKey,
    StoredSetting,
    Tombstone,
)
from workspace_manager.records.reencrypt import reencrypt

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


@contextmanager
def restored_afterwards() -> Iterator[None]:
    """Back the database up, do something, and put the backup back."""
    connection.ensure_connection()
    with closing(sqlite3.connect(":memory:")) as kept:
        connection.connection.backup(kept)
        yield
        kept.backup(connection.connection)


def down(verb: str) -> Unavailable:
    return Unavailable(quote_words("down"), kind="x", doing=quote_words(verb))


def test_a_removal_that_had_ended_ends_again_without_a_second_write(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    make(alice, "sql_database", world)
    work(world)
    plan = remove("alice", world)
    with restored_afterwards():
        work(world)
        assert not world.named("alice")
    before = list(world.writes)
    plan.refresh_from_db()
    assert plan.state == Plan.State.RUNNING
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert world.writes == before
    states = set(plan.steps.values_list("state", flat=True))
    assert states <= {PlanStep.State.DONE, PlanStep.State.ALREADY_GONE}


def test_who_left_after_the_backup_is_removed_again(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    with restored_afterwards():
        remove("alice", world)
        work(world)
    assert Person.objects.filter(username="alice").exists()
    assert not world.users("alice")
    plan = remove("alice", world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert Tombstone.objects.get().username == "alice"


def test_an_approval_after_the_backup_is_found_by_its_mark(world: WorldWithIdentities) -> None:
    row = register("alice")
    with restored_afterwards():
        sub = approve.approve(row.id, actor=ROOT, systems=world.systems()).sub
    assert Registration.objects.get().status == Registration.Status.PENDING
    assert approve.approve(row.id, actor=ROOT, systems=world.systems()).sub == sub
    assert list(world.users("alice")) == [sub]


def test_a_registration_after_the_backup_is_nobodys_to_take_over(
    world: WorldWithIdentities,
) -> None:
    """Registered and approved after the backup: the user is there, and no row of ours carries its
    mark.
    """
    with restored_afterwards():
        approve_registration("alice", world)
    again = register("alice")
    with pytest.raises(Exception, match="does not carry our mark"):
        approve.approve(again.id, actor=ROOT, systems=world.systems())


def test_a_creation_goes_on_where_it_was_and_finds_what_was_made(
    world: WorldWithIdentities,
) -> None:
    alice = settle_person("alice", world)
    world.broken["identity_provider"] = down
    component = make(alice, "sql_database", world)
    work(world, turns=2)
    world.broken.clear()
    with restored_afterwards():
        work(world)
        component.refresh_from_db()
        assert component.state == Component.State.READY
    before = [w for w in world.writes if "sql_server" in w]
    work(world)
    component.refresh_from_db()
    assert component.state == Component.State.READY
    assert [w for w in world.writes if "sql_server" in w] == before


def test_a_creation_of_after_the_backup_stands_in_nobodys_way(world: WorldWithIdentities) -> None:
    """The account was made after the backup: it is not known to be ours any more, so a person is
    asked, and nothing is overwritten.
    """
    alice = settle_person("alice", world)
    with restored_afterwards():
        make(alice, "sql_database", world)
        work(world)
    make(alice, "sql_database", world)
    work(world)
    plan = Plan.objects.get(kind="component.create")
    assert plan.state == Plan.State.STUCK
    assert "was not created by the manager" in str(plan.steps.get(n=1).reason)


def test_keys_of_the_backup_read_it_and_without_them_nothing_is_read(
    world: WorldWithIdentities, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = come_in("alice", approve_registration("alice", world).sub, world)
    make(alice, "sql_database", world)
    key = ServiceKey.objects.get()
    clear = key.secret.reveal()
    old = list(settings.SECRET_KEYS)
    monkeypatch.setattr(settings, "SECRET_KEYS", ["a newer key", *old])
    assert ServiceKey.objects.get().secret.reveal() == clear
    assert reencrypt() >= 1
    monkeypatch.setattr(settings, "SECRET_KEYS", ["a newer key"])
    assert ServiceKey.objects.get().secret.reveal() == clear
    monkeypatch.setattr(settings, "SECRET_KEYS", ["a lost key"])
    _cipher.cache_clear()
    with pytest.raises(Exception):  # noqa: B017, PT011
        ServiceKey.objects.get()


def test_the_schema_of_a_backup_is_brought_up_to_date_by_migrate(
    world: WorldWithIdentities,
) -> None:
    call_command("migrate", verbosity=0)
    assert StoredSetting.objects.count() == 0
