"""Kill a removal at every point of every outside write, singly and in every pair: it ends as the undisturbed run does.

The points are counted by a run, not listed: a new step is covered without anybody remembering.
"""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from tests.lifecycle.people import make_person, settle_in
from tests.lifecycle.world import Killed, World
from workspace_manager.lifecycle.deprovision import start
from workspace_manager.lifecycle.followers import FOLLOWERS
from workspace_manager.lifecycle.planning.run import run
from workspace_manager.records.models import AuditEntry, Person, Plan, PlanStep, Tombstone

pytestmark = pytest.mark.django_db
SUB = "6f2d9a4e-0000-4000-8000-00000000000a"


class Undo(Exception):
    """Roll a try back, so that thousands share one database."""


def attempt(kills: Sequence[int]) -> World:
    """One removal from beginning to end, killed at each of `kills` (counted on from the last kill)."""
    world = World()
    try:
        with transaction.atomic():
            make_person("root-admin", sub="admin-sub", role="administrator")
            person = make_person("alice", sub=SUB)
            settle_in(person, SUB, world)
            plan = start.draft("alice", actor="root-admin", driven=world.driven())
            plan = start.approve(
                plan.id, digest=plan.digest, actor="root-admin", driven=world.driven()
            )
            for kill in kills:
                world.ticks, world.kill_at = 0, kill
                with pytest.raises(Killed):  # noqa: PT012  Undo says that the point does not exist
                    turn(plan, world)
                    raise Undo  # not killed: the point does not exist
            world.kill_at = -1
            for _ in range(5):
                turn(plan, world)
            plan.refresh_from_db()
            assert plan.state == Plan.State.DONE
            assert not Person.objects.filter(username="alice").exists()
            assert Tombstone.objects.count() == 1
            assert AuditEntry.objects.filter(event="removal:finished").count() == 1
            raise Undo
    except Undo:
        pass
    return world


def turn(plan: Plan, world: World) -> None:
    """A worker comes by: the dead one's lease has run out, every wait is over."""
    past = timezone.now() - timedelta(hours=1)
    PlanStep.objects.filter(plan=plan).exclude(next_try_at=None).update(next_try_at=past)
    Plan.objects.filter(id=plan.id).exclude(due_at=None).update(due_at=past, lease_until=None)
    run(plan.id, world.driven(), followers=FOLLOWERS)


@pytest.fixture(scope="module")
def clean(django_db_setup: None, django_db_blocker: object) -> World:
    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        world = attempt([])
        transaction.set_rollback(True)
    connection.close()
    return world


def same_end(world: World, clean: World) -> None:
    assert world.things == clean.things
    assert sorted(world.writes) == sorted(clean.writes)
    assert len(world.writes) == len(set(world.writes)), "a verified write was repeated"


def test_every_single_point(clean: World) -> None:
    points = clean.ticks
    assert points >= 20
    for kill in range(1, points + 1):
        same_end(attempt([kill]), clean)


def test_every_pair_of_points(clean: World) -> None:
    points = clean.ticks
    for first in range(1, points + 1, 2):
        for second in range(1, points - first + 2, 3):
            same_end(attempt([first, second]), clean)
