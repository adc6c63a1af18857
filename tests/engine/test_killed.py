"""Faults that the matrix of kills found, each once more by itself."""

from datetime import timedelta

import pytest
from django.db import transaction

from tests.fake_world.leaving import SUB, alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core import locks
from workspace_manager.core.clock import database_now
from workspace_manager.engine import actions, invariants
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Lock, Plan, PlanChange, PlanStep, Project
from workspace_manager.removal.sign_in_block import USER
from workspace_manager.work import projects

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def removal(world: World) -> Plan:
    alice_with_everything(world)
    return approved_removal(world)


def test_what_was_there_before_stays_written_down_when_a_cut_off_try_is_resumed(
    world: World, removal: Plan
) -> None:
    row = PlanChange.objects.get(step__plan=removal, kind="sql_server.user")
    sent = {**row.change, "before": {"exists": True}}
    PlanChange.objects.filter(id=row.id).update(
        state=PlanChange.State.RUNNING, change=sent, sent_at=database_now() - timedelta(hours=1)
    )
    del world.things["sql_server.user:alice"]
    run(removal.id, world.systems(), kinds=PLAN_KINDS)
    row.refresh_from_db()
    assert row.state == PlanChange.State.DONE  # we did it, not somebody else
    assert row.change["before"] == {"exists": True}


def test_a_fence_that_was_raised_just_before_a_kill_still_gets_its_late_look(
    world: World, removal: Plan
) -> None:
    """Its worker was killed between the end of step 2 and the note; then people skip what
    is left.
    """
    world.broken["drive"] = lambda verb: Unavailable(
        quote_words("down"), kind="drive.account", doing=quote_words(verb)
    )
    run(removal.id, world.systems(), kinds=PLAN_KINDS)
    removal.refresh_from_db()
    assert removal.recheck_due_at
    assert invariants.standing_since(removal, USER)
    Plan.objects.filter(id=removal.id).update(
        state=Plan.State.RUNNING, recheck_due_at=None, due_at=database_now()
    )
    PlanStep.objects.filter(plan=removal, n__in=(3, 4)).update(state=PlanStep.State.STUCK)
    for n in (3, 4):
        actions.skip(removal, n, actor="root-admin", reason="done by others")
    run(removal.id, world.systems(), kinds=PLAN_KINDS)
    removal.refresh_from_db()
    assert removal.recheck_due_at


def test_a_project_and_its_plan_are_stored_together_or_not_at_all(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = make_person("alice", sub=SUB)

    def killed(*_args: object, **_kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(projects, "link", killed)
    with pytest.raises(KeyboardInterrupt):
        projects.make(owner, world.systems(), label="Dig")
    assert not Project.objects.exists()


def test_the_lock_of_a_killed_worker_is_forgotten(world: World) -> None:
    with transaction.atomic():
        Lock.objects.create(name="old", owner="x", until=database_now() - timedelta(seconds=1))
        Lock.objects.create(name="held", owner="x", until=database_now() + timedelta(seconds=9))
        Lock.objects.create(name="turned", owner="x", until=database_now() + timedelta(hours=1))
    locks.forget_old_locks()
    assert list(Lock.objects.values_list("name", flat=True)) == ["held"]
