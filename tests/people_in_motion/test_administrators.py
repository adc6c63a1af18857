"""One administrator always stays, and whoever is none any more decides nothing."""

from collections.abc import Callable

import pytest

from tests.fake_world.identities import WorldWithIdentities
from tests.fake_world.work import work
from tests.people_in_motion.people import ROOT, administrator, remove, settle_person
from workspace_manager.core.refusal import Refused
from workspace_manager.people import roles, suspend
from workspace_manager.records.models import AuditEntry, Person, Plan
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal

pytestmark = pytest.mark.django_db(transaction=True)
OTHER = "other-admin"


@pytest.fixture
def world() -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


def test_the_last_one_stays_whatever_is_tried(world: WorldWithIdentities) -> None:
    administrator(OTHER)
    suspend.suspend(OTHER, actor=ROOT, systems=world.systems())
    tries: list[Callable[[], object]] = [
        lambda: roles.make_user(ROOT, actor=OTHER),
        lambda: roles.make_user(ROOT, actor="command line"),
        lambda: suspend.suspend(ROOT, actor="command line", systems=world.systems()),
        lambda: draft_removal(ROOT, actor="command line", systems=world.systems()),
        lambda: draft_removal(ROOT, actor=ROOT, systems=world.systems()),
    ]
    for attempt in tries:
        with pytest.raises(Refused):
            attempt()
    assert Person.objects.active_administrators().get().username == ROOT


def test_it_is_asked_again_at_approval(world: WorldWithIdentities) -> None:
    administrator(OTHER)
    plan = draft_removal(ROOT, actor=OTHER, systems=world.systems())
    roles.make_user(OTHER, actor=ROOT)
    for actor in (OTHER, "command line"):
        with pytest.raises(Refused, match=r"is no longer an administrator|last active"):
            approve_removal(plan.id, digest=plan.digest, actor=actor, systems=world.systems())
    assert Person.objects.get(username=ROOT).state == Person.State.ACTIVE


def test_who_was_shut_out_decides_nothing_any_more(world: WorldWithIdentities) -> None:
    administrator(OTHER)
    administrator("third")
    remove(OTHER, world)
    with pytest.raises(Refused, match="is no longer an administrator"):
        draft_removal(ROOT, actor=OTHER, systems=world.systems())
    with pytest.raises(Refused, match="is no longer an administrator"):
        roles.make_administrator("friend", actor=OTHER)


def test_actors_stay_readable_after_they_are_gone(world: WorldWithIdentities) -> None:
    administrator(OTHER)
    settle_person("alice", world)
    plan = remove("alice", world, actor=OTHER)
    work(world)
    remove(OTHER, world)
    work(world)
    assert not Person.objects.filter(username=OTHER).exists()
    plan.refresh_from_db()
    assert plan.approved_by == OTHER
    assert AuditEntry.objects.get(event="removal:approved", subject="alice").actor == OTHER


def test_one_who_leaves_is_made_nothing(world: WorldWithIdentities) -> None:
    settle_person("alice", world)
    remove("alice", world)
    with pytest.raises(Refused, match="alice is being removed and cannot get a role"):
        roles.make_administrator("alice", actor=ROOT)
    assert Plan.objects.filter(kind="removal").count() == 1
