"""The queue: of all threads one asks for the next task, what is for later is nobody's turn, and
what no key of ours signed is dropped and counted.
"""

import json
import pickle
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import DatabaseError, OperationalError
from django.utils import timezone
from huey import Huey
from huey.consumer import Consumer
from huey.storage import SqliteStorage
from psycopg_pool import PoolTimeout

from tests.pickles import RAN, Attack
from workspace_manager import task_queue, worker
from workspace_manager.contract import slots, wait_hooks
from workspace_manager.core import connections, dropped_tasks
from workspace_manager.engine import run as engine
from workspace_manager.records.models import DroppedTasks
from workspace_manager.task_queue import FORMER, NAME, open_queue
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
    monkeypatch.setattr(wait_hooks, "pause", waits.append)
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


def read_rows(queue: Huey) -> dict[str, list[Any]]:
    """Every row of its tables but counters, by table."""
    with closing(sqlite3.connect(queue.storage.filename)) as database:
        tables = {"task": "data", "schedule": "data", "kv": "value"}
        return {
            table: [data for (data,) in database.execute(f"SELECT {column} FROM {table}")]
            for table, column in tables.items()
        }


def test_every_row_is_a_signature_and_json(queue: Huey) -> None:
    note = queue.task()(_note)
    note(1)
    note.schedule((2,), delay=3600)
    queue.execute(queue.dequeue())
    note(3)
    rows = read_rows(queue)
    assert not rows.pop("kv")
    for table, n in (("task", 3), ("schedule", 2)):
        [row] = rows[table]
        assert json.loads(row.partition(b":")[2])["arguments"] == [n]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "data", [pickle.dumps(Attack()), b"", "text", 7], ids=["pickle", "empty", "text", "number"]
)
def test_what_somebody_else_wrote_is_dropped_and_counted(queue: Huey, data: Any) -> None:
    note = queue.task()(_note)
    with closing(sqlite3.connect(queue.storage.filename)) as database, database:
        database.execute("INSERT INTO task (queue, data) VALUES (?, ?)", (NAME, data))
        database.execute("INSERT INTO schedule VALUES (NULL, ?, ?, 0)", (NAME, data))
    note(1)
    note.schedule((2,), delay=0.001)
    assert queue.dequeue() is None
    assert queue.dequeue().args == (1,)
    later = timezone.now().replace(tzinfo=None) + timedelta(hours=1)
    assert [task.args for task in queue.read_schedule(later)] == [(2,)]
    assert not any(read_rows(queue).values())
    assert RAN == []
    counted = DroppedTasks.objects.get()
    assert (counted.queue, counted.times) == (NAME, 2)
    assert counted.last_at >= counted.since


@pytest.mark.django_db
def test_what_cannot_be_counted_is_dropped_all_the_same(
    queue: Huey, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise DatabaseError

    monkeypatch.setattr(dropped_tasks, "database_now", fail)
    queue.storage.enqueue(b"what no key signed")
    assert queue.dequeue() is None
    assert "could not be counted" in caplog.text
    assert "what no key signed" not in caplog.text


@pytest.mark.django_db
def test_a_task_that_this_version_does_not_know_is_no_sign_of_somebody_else(
    queue: Huey, caplog: pytest.LogCaptureFixture
) -> None:
    note = queue.task()(_note)
    note(1)
    note.unregister()
    assert queue.dequeue() is None
    assert "another version" in caplog.text
    assert not DroppedTasks.objects.exists()


@pytest.fixture
def former(queue: Huey) -> Huey:
    """What the version before has open, on the same file: with pickles."""
    return Huey(FORMER, results=False, storage_class=SqliteStorage, filename=queue.storage.filename)


def test_the_version_before_runs_beside_it(queue: Huey, former: Huey) -> None:
    mine, theirs = queue.task()(_note), former.task()(_note)
    mine(1)
    mine.schedule((2,), delay=0.001)
    theirs(3)
    former.add_schedule(theirs.s(4))
    later = timezone.now().replace(tzinfo=None) + timedelta(hours=2)
    assert former.dequeue().args == (3,)
    assert former.dequeue() is None
    assert [task.args for task in former.read_schedule(later)] == [(4,)]
    assert queue.dequeue().args == (1,)
    assert [task.args for task in queue.read_schedule(later)] == [(2,)]


def test_what_the_version_before_left_is_deleted_unread(queue: Huey, former: Huey) -> None:
    mine, theirs = queue.task()(_note), former.task()(_note)
    mine(1)
    for _ in range(2):
        theirs(Attack())
    former.add_schedule(theirs.s(Attack()))
    assert queue.forget_former() == 3
    assert queue.forget_former() == 0
    assert (former.pending_count(), former.scheduled_count()) == (0, 0)
    assert queue.dequeue().args == (1,)
    assert RAN == []


@pytest.mark.django_db
def test_a_worker_begins_with_it(
    queue: Huey,
    former: Huey,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    done: list[str] = []
    former.task()(_note)(1)
    monkeypatch.setattr(worker, "queue", queue)
    monkeypatch.setattr(connections, "allow", lambda *_, **__: None)
    monkeypatch.setattr(slots, "set_patience", lambda *_, **__: None)
    for name in ("sweep", "look_at_systems", "send_letters", "send_webhooks"):
        monkeypatch.setattr(worker, name, lambda name=name: done.append(name))
    monkeypatch.setattr(Consumer, "run", lambda _: done.append("run"))
    worker.serve(workers=1)
    assert former.pending_count() == 0
    assert "tasks of an earlier version were dropped, and are looked for anew: 1" in caplog.text
    assert done == ["sweep", "look_at_systems", "send_letters", "send_webhooks", "run"]


def test_without_a_key_nothing_is_put_there(queue: Huey, settings: LazySettings) -> None:
    note = queue.task()(_note)
    settings.SECRET_KEYS = []
    note(1)
    note.schedule((2,), delay=3600)
    assert not any(read_rows(queue).values())
