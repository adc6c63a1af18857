"""The queue of tasks (Huey), as few connections as it needs: of all threads of a process one at a
time waits for the next task, and nobody keeps a connection that a statement was made on.

A storage keeps bytes, and anybody may have written them: what does not verify is dropped and
counted.
"""

import contextlib
import logging
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
from django.conf import settings
from django.db import close_old_connections, connections
from huey import Huey
from huey.constants import EmptyData
from huey.exceptions import HueyException
from huey.storage import BaseStorage, PostgresStorage, RedisStorage, SqliteStorage

from workspace_manager.contract import log_ids, wait_hooks
from workspace_manager.core import dropped_tasks
from workspace_manager.core.connections import QUEUE
from workspace_manager.core.signed_tasks import ForeignTask, SignedTasks

log = logging.getLogger(__name__)

NAME: Final = "workspace-signed"
FORMER: Final = "workspace"
"""What earlier versions call theirs, which holds pickles. It is not read: such a version may run
beside this one, and neither takes from the other what it cannot read.
"""
LOOK_EVERY_S: Final = 0.02
"""How often a queue is looked at that tells nobody of a new task: SQLite's."""
AWAITED_S: Final = 1.0
"""How long a thread waits for a task before it asks whether it is to end, and for a queue that
cannot be asked.
"""
TABLES: Final = 0x68756579
"""The lock under which the queue's tables are made: two that do so at once would fail."""


class _OneWaits(BaseStorage):
    """Of the threads that have nothing to do, one asks the queue: all of them would be woken by
    each task, and each would hold connections. Tasks of this process alone pass it by (`put_here`).
    """

    blocking = True
    """Whoever is given no task has waited for one."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._changed = threading.Condition()
        self._here: deque[bytes] = deque()
        self._somebody_asks = False
        super().__init__(*args, **options)

    def put_here(self, data: bytes) -> None:
        """Have the next free thread of this process do it. It is lost with the process: only for
        what somebody else finds anyway.
        """
        with self._changed:
            self._here.append(data)
            self._changed.notify()

    def dequeue(self) -> bytes | None:
        """The next task, or None after a while: the thread's last one is over, and what it held of
        the database is given back.
        """
        close_old_connections()
        with self._changed:
            self._changed.wait_for(lambda: self._here or not self._somebody_asks, AWAITED_S)
            if self._here:
                return self._here.popleft()
            if self._somebody_asks:
                return None
            self._somebody_asks = True
        try:
            return self._next(time.monotonic() + AWAITED_S)
        except BaseException:
            wait_hooks.pause(AWAITED_S)
            raise
        finally:
            with self._changed:
                self._somebody_asks = False
                self._changed.notify()

    def _next(self, until: float) -> bytes | None:
        """Return a task of the queue, as soon as there is one."""
        raise NotImplementedError

    def peek_many(self, _keys: Any) -> dict[str, bytes]:
        """Nothing is kept of a task, and none is revoked: nobody has to be asked before each."""
        return {}

    def pop_data(self, _key: Any) -> Any:
        return EmptyData


class _OnSqlite(_OneWaits, SqliteStorage):
    def _next(self, until: float) -> bytes | None:
        while (data := SqliteStorage.dequeue(self)) is None and time.monotonic() < until:
            with self._changed:
                if self._changed.wait_for(lambda: self._here, LOOK_EVERY_S):
                    return self._here.popleft()
        return data


class _OnRedis(_OneWaits, RedisStorage):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, read_timeout=AWAITED_S, **options)

    def _next(self, _until: float) -> bytes | None:
        return RedisStorage.dequeue(self)


_PUT = (
    "WITH put AS (INSERT INTO {tasks} (queue, data, priority) VALUES (%s, %s, %s) RETURNING id)"
    " SELECT pg_notify(%s, '') FROM put"
)
"""Told of as it is put there: in one statement, and by the same transaction."""


class _OnPostgresql(_OneWaits, PostgresStorage):
    """On connections of Django's pool, each for one statement. Who waits for a task listens on one
    more, of this process.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, create_tables=False, read_timeout=AWAITED_S, **options)
        self._alias = QUEUE if QUEUE in settings.DATABASES else "default"
        # One listens at a time, whichever thread it is: the library has a connection for each.
        self._listen_local = SimpleNamespace()
        self._has_tables = False

    @contextlib.contextmanager
    def db(self, commit: bool = False, close: bool = False) -> Iterator[Any]:  # noqa: ARG002
        """Each statement is a transaction."""
        connection = connections[self._alias]
        had_one = connection.connection is not None
        try:
            with connection.cursor() as cursor:
                if not self._has_tables:
                    self._make_tables(cursor)
                yield cursor
        finally:
            if not had_one:
                connection.close()

    def _make_tables(self, cursor: Any) -> None:
        cursor.execute("SELECT to_regclass(%s)", [self.table_counter])
        if cursor.fetchone()[0] is None:
            made = "; ".join([f"SELECT pg_advisory_xact_lock({TABLES})", *self.ddl])
            cursor.execute(f"BEGIN; {made}; COMMIT")
        self._has_tables = True

    def enqueue(self, data: bytes, priority: float | None = None) -> None:
        statement = _PUT.format(tasks=self.table_task)
        self.sql(statement, (self.name, data, priority or 0, self.channel))

    def _next(self, until: float) -> bytes | None:
        # Listening before it looks: what is put there in between is told of.
        line = self._line()
        data = self._dequeue()
        while data is None and (rest := until - time.monotonic()) > 0:
            self._await_news(line, rest)
            data = self._dequeue()
        return data

    def _line(self) -> Any:
        """None where the server has no place for one more: the queue is looked at all the same."""
        try:
            return self._listen_conn()
        except psycopg.OperationalError:
            return None

    def _await_news(self, line: Any, seconds: float) -> None:
        try:
            if line is not None:
                list(line.notifies(timeout=seconds, stop_after=1))
                return
        except psycopg.OperationalError:
            """It broke: another one is opened next time."""
        wait_hooks.pause(min(seconds, AWAITED_S))


def open_queue(url: str) -> "Tasks":
    """`sqlite:///file` on one host, `redis://…` or `postgresql://…` where there are many. Results
    are not kept: rows are.
    """
    scheme = urlsplit(url).scheme
    if scheme == "sqlite":
        return Tasks(_OnSqlite, filename=url.removeprefix("sqlite:///"), fsync=False)
    if scheme in {"redis", "rediss"}:
        return Tasks(_OnRedis, url=url)
    return Tasks(_OnPostgresql, dsn=url)


class Tasks(Huey):
    """The tasks of one storage, each signed."""

    def __init__(self, storage: type[_OneWaits], **options: Any) -> None:
        serializer = SignedTasks()
        super().__init__(
            NAME, results=False, serializer=serializer, storage_class=storage, **options
        )

    def enqueue(self, task: Any) -> Any:
        """Store a task. A task for later goes to no thread, which would only put it off."""
        if not settings.SECRET_KEYS:
            return None  # nobody would take what is not signed; the sweep finds what it is for
        if self.immediate or self.ready_to_run(task):
            return super().enqueue(task)
        self.add_schedule(task)
        return None

    def enqueue_here(self, task: Any) -> None:
        """Have this process do it, without asking the queue; `put_here` says for what."""
        if self.immediate:
            self.execute(task)
        else:
            self.storage.put_here(self.serialize_task(task))

    def execute(self, task: Any, timestamp: datetime | None = None) -> Any:
        """A task that is declared with `log_ids` names its arguments by them in every line of the
        log, the one of its failure too, which Huey writes.
        """
        named = dict(zip(getattr(task, "log_ids", ()), task.args, strict=False))
        with log_ids.binding(task=task.name, **named):
            return super().execute(task, timestamp)

    def dequeue(self) -> Any:
        data = self.storage.dequeue()
        return None if data is None else next(self._ours([data]), None)

    def read_schedule(self, timestamp: datetime | None = None) -> list[Any]:
        return list(self._ours(self.storage.read_schedule(timestamp or self._get_timestamp())))

    def _ours(self, rows: Iterable[Any]) -> Iterator[Any]:
        """The tasks among what was taken out. Of the rest nothing is done, and a sweep finds what
        it was for.
        """
        for data in rows:
            try:
                yield self.deserialize_task(data)
            except ForeignTask:
                dropped_tasks.count(self.name)
            except HueyException as unknown:
                log.warning("a task of another version of the manager was dropped: %s", unknown)

    def forget_former(self) -> int:
        """Delete what an earlier version left behind; gives how much that was."""
        former = type(self.storage)(FORMER, **self.storage_kwargs)
        left = former.queue_size() + former.schedule_size()
        former.flush_queue()
        former.flush_schedule()
        former.close()
        return int(left)
