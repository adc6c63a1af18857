"""Few connections for many threads, run on PostgreSQL by `test_manager_on_postgresql.py`: first in
a process of its own, whose pool is that of a worker.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.db import connections as databases
from django.test import Client
from huey import Huey

from tests.dripping import Dripping
from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from workspace_manager import task_queue, worker
from workspace_manager.contract import wait_hooks
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.http import HttpClient
from workspace_manager.contract.message import quote_words
from workspace_manager.core import connections
from workspace_manager.engine import change as changes
from workspace_manager.records.models import Person, Plan, PlanStep, SystemStatus
from workspace_manager.task_queue import open_queue
from workspace_manager.web.headers import identity_provider_origin
from workspace_sandbox.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)
FEW = 4
MANY = 20


@pytest.fixture(autouse=True)
def few() -> Iterator[None]:
    connections.allow(FEW, wait_s=PATIENCE_S)
    yield
    connections.allow(FEW, wait_s=PATIENCE_S)


@pytest.fixture
def queue() -> Huey:
    """In the database of the test."""
    server = os.environ["WORKSPACE_DATABASE_URL"].rpartition("/")[0]
    return open_queue(f"{server}/{connection.settings_dict['NAME']}")


def at_once(work: Callable[[], Any], times: int = MANY) -> list[Any]:
    """Do it in many threads that end afterwards, as a worker's do a task."""

    def once(_: int) -> Any:
        try:
            return work()
        finally:
            connections.let_go()

    with ThreadPoolExecutor(times) as threads:
        return list(threads.map(once, range(times)))


def ours() -> int:
    """How many connections this process has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def test_this_is_postgresql() -> None:
    assert connection.vendor == "postgresql"


def test_many_threads_call_a_slow_system_with_few_connections() -> None:
    """Each asks the database before and after its call; all are in their calls together, which no
    four connections would allow were they kept.
    """
    inside = threading.Barrier(MANY)

    def work() -> int:
        people = Person.objects.count()
        wait_hooks.begin()
        inside.wait(PATIENCE_S)
        return people + Person.objects.count()

    assert at_once(work) == [0] * MANY
    assert ours() <= FEW


def test_a_call_by_http_keeps_no_connection() -> None:
    with Dripping(asked=False).running() as system:
        client = HttpClient(
            f"http://127.0.0.1:{system.port}",
            system="drive",
            policy=CallPolicy(connect_s=1, answer_s=1),
        )
        assert Person.objects.count() == 0
        assert connections.is_held(databases["default"])
        with pytest.raises(Unavailable):
            client.send("GET", "/", doing=quote_words("asking"))
        assert not connections.is_held(databases["default"])


def test_a_thread_that_comes_for_its_next_task_has_given_back_its_connection(queue: Huey) -> None:
    queue.storage.enqueue(b"a task")

    def work() -> bool:
        Person.objects.count()
        assert connections.is_held(databases["default"])
        assert queue.storage.dequeue() == b"a task"
        return connections.is_held(databases["default"])

    with ThreadPoolExecutor(1) as thread:
        assert not thread.submit(work).result()


def test_of_the_threads_that_have_nothing_to_do_one_listens(queue: Huey) -> None:
    at_once(queue.storage.dequeue)
    assert ours() <= FEW + 1


def test_what_is_put_there_is_taken_once(queue: Huey) -> None:
    wanted = sorted(b"%d" % n for n in range(MANY))
    for data in wanted:
        queue.storage.enqueue(data)
    assert sorted(at_once(queue.storage.dequeue)) == wanted


def test_who_waits_is_told_of_what_is_put_there(
    queue: Huey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_queue, "AWAITED_S", PATIENCE_S)
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(queue.storage.dequeue)
        while not queue.storage._somebody_asks:
            assert not found.done()
        queue.storage.enqueue(b"a task")
        assert found.result(PATIENCE_S) == b"a task"


@contextlib.contextmanager
def none_free() -> Iterator[None]:
    """Have other threads keep every connection of this process."""
    kept, over = threading.Semaphore(0), threading.Event()

    def keep() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            kept.release()
            over.wait(PATIENCE_S)
        connections.let_go()

    connections.let_go()
    with ThreadPoolExecutor(FEW) as threads:
        for _ in range(FEW):
            threads.submit(keep)
        for _ in range(FEW):
            assert kept.acquire(timeout=PATIENCE_S)
        connections.allow(FEW, wait_s=0.1)
        try:
            yield
        finally:
            over.set()
    connections.allow(FEW, wait_s=PATIENCE_S)


def test_no_connection_free_is_busy_for_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits: no try is counted, nothing is paused or stuck, and it is done once there is one."""
    world, again = World(), []
    alice_with_everything(world)
    plan = approved_removal(world)
    monkeypatch.setattr(worker, "connected_systems", world.systems)
    monkeypatch.setattr(worker.queue, "enqueue_here", lambda task: again.append(task.args[0]))
    with none_free():
        worker.run_plan.call_local(str(plan.id))
    assert again == [str(plan.id)]
    steps = PlanStep.objects.filter(plan=plan)
    assert {(step.attempts, step.cause) for step in steps} == {(0, "")}
    assert not SystemStatus.objects.filter(paused=True).exists()
    worker.run_plan.call_local(str(plan.id))
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE


def test_none_that_is_free_after_a_call_is_no_try_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was sent stands in the journal, as if the worker had been killed after it."""
    world, again = World(), []
    alice_with_everything(world)
    plan = approved_removal(world)
    monkeypatch.setattr(worker, "connected_systems", world.systems)
    monkeypatch.setattr(worker.queue, "enqueue_here", lambda task: again.append(task.args[0]))
    call = changes._call
    with contextlib.ExitStack() as gone:

        def called(*given: Any) -> Any:
            outcome = call(*given)
            gone.enter_context(none_free())
            return outcome

        monkeypatch.setattr(changes, "_call", called)
        worker.run_plan.call_local(str(plan.id))
        assert again == [str(plan.id)]
        assert world.writes
    steps = PlanStep.objects.filter(plan=plan)
    assert {step.attempts for step in steps} == {0}
    assert not steps.filter(state=PlanStep.State.STUCK).exists()


def test_a_load_balancer_is_told_that_none_is_free() -> None:
    identity_provider_origin.until = 0
    with none_free():
        assert Client().get("/health/ready").status_code == 503
    assert Client().get("/health/ready").status_code == 200


def test_the_limit_of_the_server_is_seen() -> None:
    room = connections.room()
    assert room
    assert 0 < room.taken < room.most
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        name = cursor.fetchone()[0]
        # One, which this test has: how many others have meanwhile, is chance.
        cursor.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT 1')
        try:
            few_left = connections.room()
        finally:
            cursor.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT -1')
    assert few_left
    assert (few_left.is_near, few_left.most) == (True, 1)
