"""Time limits for what happens unless something hangs."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

PATIENCE_S: Final = 400
"""Seconds for an answer, a state, or the end of a thread."""
START_S: Final = 900
"""Seconds for a program to be made, to start and to answer."""


def eventually(what: str, look: Callable[[], Any]) -> Any:
    """Look again until the result is true, and return it.

    The looks become fewer: each of them takes time from what it waits for.
    """
    __tracebackhide__ = True  # a test fails where it waits, and two waits are two causes
    end = time.monotonic() + PATIENCE_S
    pause = 0.1
    while not (seen := look()):
        assert time.monotonic() < end, f"{what}: not within {PATIENCE_S} seconds"
        time.sleep(pause)
        pause = min(1.2 * pause, 1)
    return seen


@contextlib.contextmanager
def ends_before(other: threading.Event) -> Iterator[None]:
    """Fail unless the block ends while the other side still holds it: `other` is what lets the
    other side go. It is set after minutes, so that a block that waits for it ends too.
    """
    gives_up = threading.Timer(PATIENCE_S, other.set)
    gives_up.daemon = True
    gives_up.start()
    try:
        yield
        assert not other.is_set(), "it ended because the other side gave up"
    finally:
        gives_up.cancel()
