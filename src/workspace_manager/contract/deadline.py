"""Deadlines of acting: a worker that was frozen past its lease touches nothing any more when
it goes on.

Other systems know no fencing number. So the last look at the clock is where the call is made,
microseconds before it, and no call may last longer than the right to make it.
"""

import contextlib
import math
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import partial
from typing import Final

from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Goes on while the host sleeps, and is not turned by anybody."""
_until: ContextVar[float] = ContextVar("until", default=math.inf)
_moving: ContextVar[Callable[[], float] | None] = ContextVar("moving", default=None)


moment: Final[Callable[[], float]] = partial(time.clock_gettime, _CLOCK)
"""Now, in seconds of a clock that only goes forward; to be compared with itself alone."""


@contextlib.contextmanager
def act_until(end: float) -> Iterator[None]:
    """Make no call after `end` (a `moment`), in this thread and within this block. Of several ends
    the first counts.
    """
    token = _until.set(min(end, _until.get()))
    try:
        yield
    finally:
        _until.reset(token)


@contextlib.contextmanager
def act_while(end: Callable[[], float]) -> Iterator[None]:
    """Make no call after `end()`, which somebody moves on while this block goes on."""
    token = _moving.set(end)
    try:
        yield
    finally:
        _moving.reset(token)


def _end() -> float:
    moving = _moving.get()
    return min(_until.get(), moving() if moving else math.inf)


def time_limit(seconds: float) -> contextlib.AbstractContextManager[None]:
    """Make no call, and let none go on, later than so many seconds from now."""
    return act_until(moment() + seconds)


def remaining_time(wanted: float | None) -> float | None:
    """Of so many seconds (None: without end) those in which we may still act; 0 or less for
    none.
    """
    end = _end()
    if end == math.inf:
        return wanted
    rest = end - moment()
    return rest if wanted is None else min(wanted, rest)


def seconds_left(wanted: float, *, kind: str, doing: Message) -> float:
    """Return how long a call that would take `wanted` seconds may take. Raises Unavailable when
    there is no time left to begin it.
    """
    left = _end() - moment()
    if left <= 0:
        raise Unavailable(
            message("time_ran_out"),
            kind=kind,
            doing=doing,
            advice=message("tried_again"),
        )
    return min(wanted, left)


keep_earlier_names(__name__, within="time_limit", left="remaining_time")
