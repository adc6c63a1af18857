"""Items of administrators about plans: there while it is so, and gone when it has ended."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.leaving import SUB, alice_with_everything, approved_removal
from tests.fake_world.world import FakeConnector, World
from tests.inbox.reading import LATER, the_one, waits
from workspace_manager.contract.connector import Change, Evidence, Outcome, Result
from workspace_manager.contract.errors import ConnectorError, Invalid, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.engine import actions
from workspace_manager.engine.run import run
from workspace_manager.inbox.plan_items import TOLD_FOR
from workspace_manager.people import tombstones
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Person, Plan, PlanStep

pytestmark = pytest.mark.django_db(transaction=True)


class ByHand(FakeConnector):
    """Accounts that only a person can delete."""

    def remove(self, change: Change) -> Outcome:
        return Outcome(result=Result.CHANGED, by_hand=(quote_words("Delete it there."),))

    def verify(self, change: Change) -> Evidence | None:
        return FakeConnector(self.world, "nothing.at_all").verify(change)


class ByHandWorld(World):
    def connector(self, kind: str) -> FakeConnector:
        return ByHand(self, kind) if kind == "drive.account" else FakeConnector(self, kind)


def breaks(error: type[ConnectorError]) -> Callable[[str], ConnectorError]:
    return lambda verb: error(
        quote_words("no answer"), kind="drive.account", doing=quote_words(verb)
    )


def leaving(world: World) -> tuple[Plan, Person]:
    alice_with_everything(world)
    plan = approved_removal(world)
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    return plan, Person.objects.get(username="root-admin")


def rerun_plan(plan: Plan, world: World) -> None:
    """The time of everything has come."""
    PlanStep.objects.filter(plan=plan).exclude(next_try_at=None).update(next_try_at=timezone.now())
    Plan.objects.filter(id=plan.id).update(due_at=timezone.now())
    for _ in range(2):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()


def test_a_stuck_plan_until_somebody_has_dealt_with_it() -> None:
    world = World(broken={"drive": breaks(Invalid)})
    plan, admin = leaving(world)
    item = the_one(admin, "plan_stuck")
    assert item.what.english == "The removal of alice needs attention."
    assert item.why is not None
    assert item.why.english == "Still open: drive. no answer"
    assert item.action.address == f"/manage/plans/{plan.id}"
    assert item.serious
    assert item.since == plan.steps.get(state="stuck").since
    assert not waits(admin, "plan_waiting", after=LATER)
    actions.skip(plan, 3, actor="root-admin", reason="It stays.")
    rerun_plan(plan, world)
    assert not waits(admin, "plan_stuck")
    assert the_one(admin, "left_by_hand").what.english.startswith("Removal: alice has work left")


def test_a_plan_that_waits_for_a_system_for_long() -> None:
    world = World(broken={"drive": breaks(Unavailable)})
    plan, admin = leaving(world)
    assert not waits(admin, "plan_waiting")
    item = the_one(admin, "plan_waiting", after=LATER)
    assert item.what.english == "The removal of alice is waiting for a system."
    assert item.why == quote_words("no answer")
    PlanStep.objects.filter(plan=plan, state="waiting").update(cause="suspended")
    assert not waits(admin, "plan_waiting", after=LATER)
    PlanStep.objects.filter(plan=plan, state="waiting").update(cause="unavailable")
    world.broken.clear()
    rerun_plan(plan, world)
    assert plan.state == Plan.State.DONE
    assert not waits(admin, "plan_waiting", after=LATER)


def test_what_a_look_after_a_removal_found() -> None:
    world = World()
    plan, admin = leaving(world)
    rerun_plan(plan, world)
    recheck = plan.rechecks.get()
    world.things[f"drive.account:{SUB}"] = {"exists": True}
    world.broken["drive"] = breaks(Invalid)
    rerun_plan(recheck, world)
    stuck = the_one(admin, "recheck_stuck")
    assert stuck.what.english == "The follow-up check after the removal of alice needs attention."
    assert stuck.action.address == f"/manage/plans/{plan.id}"
    assert not waits(admin, "plan_stuck")
    assert not waits(admin, "recheck_found")
    world.broken.clear()
    rerun_plan(recheck, world)
    assert not waits(admin, "recheck_stuck")
    found = the_one(admin, "recheck_found")
    assert found.action.address == f"/manage/plans/{plan.id}"
    assert found.why is not None
    assert found.why.english.endswith("it was removed.") or "came back" in found.why.english
    assert not waits(admin, "recheck_found", after=TOLD_FOR)


def test_what_is_left_to_do_by_hand_until_the_name_is_released() -> None:
    world = ByHandWorld()
    plan, admin = leaving(world)
    rerun_plan(plan, world)
    assert plan.state == Plan.State.DONE
    item = the_one(admin, "left_by_hand")
    assert item.why is not None
    assert item.since == plan.finished_at
    tombstones.release("alice", actor="root-admin")
    assert not waits(admin, "left_by_hand")


def test_nothing_is_left_where_a_plan_says_nothing(ada: Person) -> None:
    plan = Plan.objects.create(kind="removal", state="done", finished_at=timezone.now())
    assert not waits(ada, "left_by_hand")
    plan.by_hand = [quote_words("Take the key card back.")]
    plan.save()
    assert the_one(ada, "left_by_hand").why == quote_words("Take the key card back.")
    assert not waits(ada, "left_by_hand", after=TOLD_FOR)


def test_what_a_suspension_left_to_do_is_over_with_it(ada: Person) -> None:
    suspended = {"kind": "suspension", "subject": "7", "person": "anna", "state": "done"}
    Plan.objects.create(**suspended, finished_at=timezone.now(), by_hand=["Disable it there."])
    assert the_one(ada, "left_by_hand")
    later = timezone.now() + timedelta(seconds=1)
    Plan.objects.create(kind="resumption", subject="7", state="running", created_at=later)
    assert not waits(ada, "left_by_hand")
