"""Work that one thread of a process does at a time."""

import threading
from collections.abc import Callable
from functools import wraps


def one_at_a_time(work: Callable[[], None]) -> Callable[[], None]:
    """A system or mail server that drips takes one thread of these. Who comes meanwhile is not
    lost: it is done once more.
    """
    wanted, running = threading.Event(), threading.Lock()

    @wraps(work)
    def once() -> None:
        wanted.set()
        while wanted.is_set() and running.acquire(blocking=False):
            wanted.clear()
            is_done = False
            try:
                work()
                is_done = True
            finally:
                running.release()
                if not is_done and wanted.is_set():
                    once()  # who came while it failed is not lost either

    return once
