"""Reports, within a process, that a system gave no answer, or one that says it is in trouble.

Whatever calls a system passes `HttpClient` (or the SQL server's sessions), and says so here. It
proves nothing: a call may have been given little time, or be about one thing that is broken. So
somebody who looks is told, once in a while, and decides.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Final

from workspace_manager.contract.deadline import moment
from workspace_manager.contract.earlier_names import keep_earlier_names

AGAIN_S: Final = 10.0
"""A system in trouble is told of no oftener than this, however many calls meet it."""

_tell: Callable[[str], None] | None = None
_told: dict[str, float] = {}
_lock = threading.Lock()
_quiet: ContextVar[bool] = ContextVar("quiet", default=False)


def install(tell: Callable[[str], None] | None) -> None:
    """Say who is told the name of a system in trouble; None for nobody."""
    global _tell
    _tell = tell
    _told.clear()


@contextlib.contextmanager
def suppress_reports() -> Iterator[None]:
    """Tell nobody in this block: whoever looks knows what they see, and settings that are tried out
    say nothing of the system that is connected.
    """
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


def report_failure(system: str) -> None:
    """A call to this system was met by no answer, or by one that says it is in trouble."""
    if _tell is None or _quiet.get():
        return
    with _lock:
        now = moment()
        if now - _told.get(system, float("-inf")) < AGAIN_S:
            return
        _told[system] = now
    _tell(system)


keep_earlier_names(__name__, trouble="report_failure", quiet="suppress_reports")
