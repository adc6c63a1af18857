"""Live a story through from what survived a kill, and say at each point what a kill there would leave.

The points find themselves: every write and every commit of the database, every call of every system and every effect within one.
"""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import pytest
from django.db import connection
from huey.signals import SIGNAL_ERROR

from tests.crash.clock import Clock
from tests.crash.snapshot import (
    Survivors,
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
"""So often somebody comes by before a story counts as hanging."""

Event = Callable[[int, str], None]
"""What happens at a point besides: its number, and what it is (`write`, `written`, `commit`, `committed`, `call`, `effect`)."""


class Story(Protocol):
    """Something that shall be finished whatever is killed on the way."""

    name: str

    def come_by(self) -> None:
        """Do what a person and a worker would do now: whatever is not done yet."""
        ...

    def done(self) -> bool: ...


@dataclass
class Life:
    """One run from some survivors to the end."""

    points: int = 0
    visits: int = 0
    survivors: list[Survivors] = field(default_factory=list)
    """What a kill at each point would leave, in order."""
    end: list[str] = field(default_factory=list)
    """The database at the end, in words."""
    outside: list[str] = field(default_factory=list)
    """What is there and what was written outside at the end, in words."""


class Theatre:
    """Where lives are lived: one database, one outside, one clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.outside: Any = None
        """What lies outside: can `keep` itself, be `put_back`, and tell its `essence` in words."""
        self.event: Event | None = None
        self.pace = 1.0
        self._watch = True
        self.known: frozenset[str] = frozenset()
        self.complaints: list[str] = []
        """What was wrong where the worker catches every exception."""
        self.seen: set[str] = set()
        """Keys of survivors that were kept once: they are not kept again."""
        self._life: Life | None = None
        self._last: Survivors | None = None
        self._changed = True

    def begin(self) -> Survivors:
        """What stands before the first act; ids that are there now count as known."""
        self.known = ids_in(dump())
        self._changed = True
        return self._survivors()

    def live(
        self,
        story: Story,
        start: Survivors,
        *,
        event: Event | None = None,
        pace: float = 1,
        watch: bool = True,
    ) -> Life:
        """Go on from `start` until the story is done. `pace`: hours from one visit to the next. `watch`: note what kills would leave.

        By the ordinary pace a lease or a wait of the one who was killed has ended when somebody comes by.
        """
        put_back_database(start.database)
        self.outside.put_back(start.outside)
        self.clock.set(start.hours)
        self.pace, self._watch = pace, watch
        self._last, self._changed, self.event = Survivors(start.key), False, event
        self.complaints.clear()
        life = self._life = Life()
        try:
            self._until_done(story, life)
        finally:
            self._life = self.event = None
        life.end, life.outside = dump(self.known), self._words()
        return life

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Let somebody else act in between; what they do has no points of its own."""
        life, self._life = self._life, None
        try:
            yield
        finally:
            self._life = life
            self._changed = True

    def _until_done(self, story: Story, life: Life) -> None:
        for _ in range(MOST_VISITS):
            self.clock.forward(self.pace)
            story.come_by()
            life.visits += 1
            if story.done():
                return
        rows = "\n".join(row[:250] for row in dump(self.known) if "state=" in row)
        raise AssertionError(f"{story.name}: not done, however often it is tried:\n{rows}")

    def point(self, what: str) -> None:
        """A place where a kill may strike."""
        life = self._life
        if life is None:
            return
        life.points += 1
        if what in {"call", "effect"}:
            if raw().in_transaction:
                self.complaints.append("a call was made while a transaction was open")
            self._changed = self._changed or what == "effect"
        elif what in {"written", "committed"}:
            self._changed = True
        if self._watch:
            life.survivors.append(self._survivors())
        if self.event:
            self.event(life.points, what)

    def failed(self, _signal: str, task: Any, error: BaseException | None = None) -> None:
        """A task ended with an exception, which its worker catches."""
        self.complaints.append(f"{task.name} failed: {error!r}")

    def _survivors(self) -> Survivors:
        """Inside a transaction it is what stood before it: nothing of it was committed."""
        if raw().in_transaction or not self._changed:
            assert self._last is not None, "begin outside a transaction"
            return self._last
        key = key_of(dump(self.known), self._words())
        if self._last is None or key != self._last.key:
            self._last = Survivors(key) if key in self.seen else self._keep(key)
        self._changed = False
        return self._last

    def _keep(self, key: str) -> Survivors:
        self.seen.add(key)
        return Survivors(key, keep_database(), self.outside.keep(), self.clock.database)

    def _words(self) -> list[str]:
        return [plain(text, self.known) for text in self.outside.essence()]

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
def theatre(clock: Clock) -> Iterator[Theatre]:
    """Watch this process's database connection; whatever is played is gone afterwards."""
    before = keep_database()
    stage = Theatre(clock)
    commit: Callable[[], None] = connection._commit  # type: ignore[attr-defined]

    def watched_commit() -> None:
        stage.point("commit")
        commit()
        stage.point("committed")

    queue.signal(SIGNAL_ERROR)(stage.failed)
    with pytest.MonkeyPatch.context() as patch, connection.execute_wrapper(stage.write):
        patch.setattr(connection, "_commit", watched_commit)
        patch.setattr(queue, "immediate", True)
        try:
            yield stage
        finally:
            queue.disconnect_signal(stage.failed, SIGNAL_ERROR)
            put_back_database(before)
