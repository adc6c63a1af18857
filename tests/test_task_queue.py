"""The queue: of all threads one asks for the next task, and what is for later is nobody's turn."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from huey import Huey
from psycopg_pool import PoolTimeout

from workspace_manager import task_queue, worker
from workspace_manager.contract import waiting
from workspace_manager.engine import run as engine
from workspace_manager.task_queue import open_queue
from workspace_sandbox.patience import PATIENCE_S

PLAN = "7f9c4a9e-0000-4000-8000-000000000001"


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Huey:
    # Threads of a test have no database, and what they would close is the test's own.
    monkeypatch.setattr(task_queue, "close_old_connections", lambda: None)
    return open_queue(f"sqlite:///{tmp_path / 'queue.sqlite3'}")


def _note(n: int) -> None: ...


def dequeuing(queue: Huey, found: list[Any]) -> Callable[[], None]:
    def once() -> None:
        found.append(queue.dequeue())

    return once


def test_one_thread_asks_the_queue_and_the_others_wait_for_it(
    queue: Huey, monkeypatch: pytest.MonkeyPatch
) -> None:
    asking, most, over = [0], [0], threading.Event()

    def next_(_until: float) -> None:
        asking[0] += 1
        most[0] = max(most[0], asking[0])
        over.wait(0.01)
        asking[0] -= 1

    monkeypatch.setattr(queue.storage, "_next", next_)
    threads = [threading.Thread(target=dequeuing(queue, [])) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert most == [1]


def test_each_task_is_given_to_one_thread(queue: Huey) -> None:
    note = queue.task()(_note)
    for n in range(20):
        note(n)
    found: list[Any] = []
    threads = [threading.Thread(target=dequeuing(queue, found)) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(task.args[0] for task in found) == list(range(20))


def test_a_task_of_this_process_alone_comes_first_and_never_in_the_queue(queue: Huey) -> None:
    note = queue.task()(_note)
    note(1)
    queue.enqueue_here(note.s(2))
    assert queue.pending_count() == 1
    assert queue.dequeue().args == (2,)
    assert queue.dequeue().args == (1,)


def test_it_is_taken_by_a_thread_that_waits_already(
    queue: Huey, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = queue.task()(_note)
    monkeypatch.setattr(task_queue, "AWAITED_S", PATIENCE_S)
    found: list[Any] = []
    threads = [threading.Thread(target=dequeuing(queue, found), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for n in (1, 2):
        queue.enqueue_here(note.s(n))
    for thread in threads:
        thread.join(PATIENCE_S)
    assert sorted(task.args[0] for task in found) == [1, 2]


def test_what_is_for_later_goes_to_the_schedule_at_once(queue: Huey) -> None:
    note = queue.task()(_note)
    note.schedule((1,), delay=3600)
    assert (queue.pending_count(), queue.scheduled_count()) == (0, 1)


def test_nobody_asks_the_queue_whether_a_task_was_revoked(
    queue: Huey, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    note = queue.task(name="note")(done.append)
    note(1)
    task = queue.dequeue()
    monkeypatch.setattr(queue.storage, "db", lambda **_: pytest.fail("it was asked"))
    queue.execute(task)
    assert done == [1]


def test_a_queue_that_cannot_be_asked_is_not_asked_by_all_threads_in_turn(
    queue: Huey, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(waiting, "pause", waits.append)
    monkeypatch.setattr(queue.storage, "_next", lambda _until: (_ for _ in ()).throw(OSError))
    with pytest.raises(OSError):  # noqa: PT011  whatever the queue raises
        queue.dequeue()
    assert waits == [task_queue.AWAITED_S]


def raising(error: Exception) -> Callable[..., bool]:
    def run(*_: Any, **__: Any) -> bool:
        raise error

    return run


@pytest.mark.django_db
def test_a_plan_for_which_no_connection_was_free_waits_as_for_a_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    again: list[Any] = []
    busy = OperationalError("couldn't get a connection after 30.00 sec")
    busy.__cause__ = PoolTimeout()
    monkeypatch.setattr(worker.queue, "enqueue_here", lambda task: again.extend(task.args))
    monkeypatch.setattr(engine, "run", raising(busy))
    worker.run_plan.call_local(PLAN)
    assert again == [PLAN]
    monkeypatch.setattr(engine, "run", raising(OperationalError("deadlock detected")))
    with pytest.raises(OperationalError):
        worker.run_plan.call_local(PLAN)
    assert again == [PLAN]
