"""Run a scenario from the snapshot that a kill left, and take at each point the snapshot that a
kill there would leave.

The points find themselves: every write and every commit of the database, every call of every system
and every effect within one.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest
from django.db import connection
from huey.signals import SIGNAL_ERROR

from tests.clock import Clock
from tests.crash.snapshot import (
    Snapshot,
    dump,
    ids_in,
    keep_database,
    key_of,
    plain,
    put_back_database,
    raw,
)
from workspace_manager.worker import queue

WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")
MOST_VISITS = 12
"""So often somebody comes by before a scenario counts as hanging."""

Event = Callable[[int, str], None]
"""What happens at a point besides: its number, and what it is (`write`, `written`, `commit`,
`committed`, `call`, `effect`).
"""


class Scenario(Protocol):
    """Something that shall be finished whatever is killed on the way."""

    name: str

    def come_by(self) -> None:
        """Do what a person and a worker would do now: whatever is not done yet."""
        ...

    def done(self) -> bool: ...


@dataclass
class Run:
    """What one run from a snapshot to the end showed."""

    points: int = 0
    visits: int = 0
    snapshots: list[Snapshot] = field(default_factory=list)
    """What a kill at each point would leave, in order."""
    end: list[str] = field(default_factory=list)
    """The database at the end, in words."""
    fakes: list[str] = field(default_factory=list)
    """What is there and what was written outside at the end, in words."""


class Replay:
    """Runs scenarios again and again: one database, one set of fake systems, one clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.fakes: Any = None
        """The systems in memory: can `keep` itself, be `put_back`, and tell its `essence`
        in words.
        """
        self.event: Event | None = None
        self.pace = 1.0
        self._watch = True
        self.known: frozenset[str] = frozenset()
        self.complaints: list[str] = []
        """What was wrong where the worker catches every exception."""
        self.seen: set[str] = set()
        """Keys of snapshots that were kept once: they are not kept again."""
        self._run: Run | None = None
        self._last: Snapshot | None = None
        self._changed = True

    def begin(self) -> Snapshot:
        """What stands before the first act; ids that are there now count as known."""
        self.known = ids_in(dump())
        self._changed = True
        return self._snapshot()

    def run(
        self,
        scenario: Scenario,
        start: Snapshot,
        *,
        event: Event | None = None,
        pace: float = 1,
        watch: bool = True,
    ) -> Run:
        """Go on from `start` until the scenario is done. `pace`: hours from one visit to the next.
        `watch`: note what kills would leave.

        By the ordinary pace a lease or a wait of the one who was killed has ended when somebody
        comes by.
        """
        put_back_database(start.database)
        self.fakes.put_back(start.fakes)
        self.clock.set(start.hours)
        self.pace, self._watch = pace, watch
        self._last, self._changed, self.event = Snapshot(start.key), False, event
        self.complaints.clear()
        run = self._run = Run()
        try:
            self._until_done(scenario, run)
        finally:
            self._run = self.event = None
        run.end, run.fakes = dump(self.known), self._words()
        return run

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Let somebody else act in between; what they do has no points of its own."""
        run, self._run = self._run, None
        try:
            yield
        finally:
            self._run = run
            self._changed = True

    def _until_done(self, scenario: Scenario, run: Run) -> None:
        for _ in range(MOST_VISITS):
            self.clock.forward(self.pace)
            scenario.come_by()
            run.visits += 1
            if scenario.done():
                return
        rows = "\n".join(row[:250] for row in dump(self.known) if "state=" in row)
        raise AssertionError(f"{scenario.name}: not done, however often it is tried:\n{rows}")

    def point(self, what: str) -> None:
        """A place where a kill may strike."""
        run = self._run
        if run is None:
            return
        run.points += 1
        if what in {"call", "effect"}:
            if raw().in_transaction:
                self.complaints.append("a call was made while a transaction was open")
            self._changed = self._changed or what == "effect"
        elif what in {"written", "committed"}:
            self._changed = True
        if self._watch:
            run.snapshots.append(self._snapshot())
        if self.event:
            self.event(run.points, what)

    def failed(self, _signal: str, task: Any, error: BaseException | None = None) -> None:
        """A task ended with an exception, which its worker catches."""
        self.complaints.append(f"{task.name} failed: {error!r}")

    def _snapshot(self) -> Snapshot:
        """Inside a transaction it is what stood before it: nothing of it was committed."""
        if raw().in_transaction or not self._changed:
            assert self._last is not None, "begin outside a transaction"
            return self._last
        key = key_of(dump(self.known), self._words())
        if self._last is None or key != self._last.key:
            self._last = Snapshot(key) if key in self.seen else self._keep(key)
        self._changed = False
        return self._last

    def _keep(self, key: str) -> Snapshot:
        self.seen.add(key)
        return Snapshot(key, keep_database(), self.fakes.keep(), self.clock.database)

    def _words(self) -> list[str]:
        return [plain(text, self.known) for text in self.fakes.essence()]

    def write(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Django calls this around each statement."""
        writes = sql.lstrip().upper().startswith(WRITES)
        if writes:
            self.point("write")
        answer = execute(sql, params, many, context)
        if writes:
            self.point("written")
        return answer


@contextlib.contextmanager
def replaying(clock: Clock) -> Iterator[Replay]:
    """Watch this process's database connection; whatever a run wrote is gone afterwards."""
    before = keep_database()
    replay = Replay(clock)
    commit: Callable[[], None] = connection._commit  # type: ignore[attr-defined]

    def watched_commit() -> None:
        replay.point("commit")
        commit()
        replay.point("committed")

    queue.signal(SIGNAL_ERROR)(replay.failed)
    with pytest.MonkeyPatch.context() as patch, connection.execute_wrapper(replay.write):
        patch.setattr(connection, "_commit", watched_commit)
        patch.setattr(queue, "immediate", True)
        try:
            yield replay
        finally:
            queue.disconnect_signal(replay.failed, SIGNAL_ERROR)
            put_back_database(before)
