"""A plan that finds no place at a slow system was not tried: nothing is counted, and it goes on as
soon as there is one.
"""

import contextlib
import threading
from collections.abc import Iterator

import pytest

from tests.contract.test_slots import fill_slots
from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from workspace_manager import worker
from workspace_manager.contract import deadline, slots
from workspace_manager.contract.message import in_words
from workspace_manager.contract.share import Patience
from workspace_manager.core.one_at_a_time import one_at_a_time
from workspace_manager.engine import change as changes
from workspace_manager.engine.messages import message
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.wiring import connected_systems
from workspace_sandbox.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)
STEP = "drop_sql_users"


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    slots.forget()
    slots.set_patience(Patience(seconds=0))
    yield
    slots.forget()


def removal(world: World) -> Plan:
    alice_with_everything(world)
    return approved_removal(world)


def worked(plan: Plan, world: World) -> Plan:
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    return plan


def test_it_is_no_try_and_everything_else_goes_on(world: World) -> None:
    plan = removal(world)
    with fill_slots("sql_server", times=slots.AT_ONCE):
        worked(plan, world)
        step = plan.steps.get(name=STEP)
        assert (step.state, step.attempts, step.next_try_at) == (PlanStep.State.PENDING, 0, None)
        assert "under way" in in_words(step.reason)
        assert plan.steps.get(name="remove_drive_account").state in PlanStep.ENDED
        assert plan.due_at is not None
        assert plan.state == Plan.State.RUNNING
    assert worked(plan, world).state == Plan.State.DONE
    assert plan.steps.get(name=STEP).reason is None


def test_what_was_seen_of_a_failure_is_not_forgotten_for_it(world: World) -> None:
    plan = removal(world)
    step = plan.steps.get(name=STEP)
    PlanStep.objects.filter(id=step.id).update(state=PlanStep.State.WAITING, cause="unavailable")
    with fill_slots("sql_server", times=slots.AT_ONCE):
        worked(plan, world)
        step.refresh_from_db()
        assert (step.state, step.cause) == (PlanStep.State.WAITING, "unavailable")


def test_whoever_was_turned_away_is_woken_by_the_next_free_place(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = removal(world)
    woken: list[str] = []
    monkeypatch.setattr(worker.queue, "enqueue_here", lambda task: woken.extend(task.args))
    monkeypatch.setattr(worker, "connected_systems", world.systems)
    slots.set_patience(Patience(seconds=0), tell=worker._tell_of_a_place)
    with fill_slots("sql_server", times=slots.AT_ONCE):
        for _ in range(3):
            worker.run_plan.call_local(str(plan.id))
        assert woken == []
    assert woken == [str(plan.id)]


def test_a_preview_is_looked_at_again_when_there_is_a_place(world: World) -> None:
    alice_with_everything(world)
    plan = approved_removal(world)
    Plan.objects.filter(id=plan.id).update(state=Plan.State.DRAFT)
    with fill_slots("sql_server", times=slots.AT_ONCE), _through_places(world):
        worked(plan, world)
        assert plan.due_at is not None
    assert worked(plan, world).due_at is None


@contextlib.contextmanager
def _through_places(world: World) -> Iterator[None]:
    """Have looks at the SQL server ask for a place, as a client of one does."""

    def full(verb: str) -> slots.Busy:
        with (
            pytest.raises(slots.Busy) as caught,
            slots.hold_slot("sql_server", kind="sql_server.user", doing=message("doing.waiting")),
        ):
            pytest.fail(f"there was a place for {verb}")
        return caught.value

    world.broken["sql_server"] = full
    try:
        yield
    finally:
        del world.broken["sql_server"]


def test_no_call_of_a_change_outlasts_the_lease(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looks too: each is made with an end, which is that of the lease."""
    plan, ends = removal(world), []

    def noted(call: object) -> object:
        def called(*args: object) -> object:
            ends.append(deadline.remaining_time(None))
            return call(*args)  # type: ignore[operator]

        return called

    monkeypatch.setattr(changes, "_call", noted(changes._call))
    monkeypatch.setattr(changes, "_look", noted(changes._look))
    worked(plan, world)
    outside = [end for end in ends if end is not None]
    assert outside
    assert max(outside) <= 150
    assert ends.count(None) <= _records_of(plan)


def _records_of(plan: Plan) -> int:
    """Looks and changes at records of our own, which are in one transaction and call nobody."""
    kinds = plan.steps.values_list("changes__kind", flat=True)
    return 2 * sum(kind.startswith("records.") for kind in kinds if kind)


def test_the_worker_has_a_thread_for_each_place_and_some_more(db: None) -> None:
    systems = connected_systems()
    assert worker.threads_for(systems) > slots.AT_ONCE * len(systems.settings)


@pytest.mark.parametrize("fails", [False, True])
def test_what_comes_while_it_is_done_is_done_once_more(fails: bool) -> None:
    """Also when what was done meanwhile fails."""
    begun, over, times = threading.Semaphore(0), threading.Event(), list[int]()
    raised: list[RuntimeError] = []

    def work() -> None:
        times.append(1)
        begun.release()
        over.wait(PATIENCE_S)
        if fails and len(times) == 1:
            raise RuntimeError

    once = one_at_a_time(work)

    def run() -> None:
        try:
            once()
        except RuntimeError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert begun.acquire(timeout=PATIENCE_S)
    once()
    once()
    assert len(times) == 1
    over.set()
    thread.join()
    assert len(times) == 2
    assert len(raised) == fails
