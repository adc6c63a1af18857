"""The progress of long work, for the person who ordered it.

A dump may take hours, and the right to act lasts minutes. Whoever moves content says so after each
piece; the engine renews the right then, or ends the work when somebody else has it by now.
"""

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import TypeAlias

Report: TypeAlias = Callable[[int], None]


class WorkEnded(Exception):
    """The order was withdrawn: the work stops, and nothing of it is recorded."""


def _to_nobody(_count: int) -> None:
    return None


_report: ContextVar[Report] = ContextVar("report", default=_to_nobody)


def report(count: int) -> None:
    """Say that so many bytes more are done. Raises WorkEnded."""
    _report.get()(count)


@contextlib.contextmanager
def also(report: Report) -> Iterator[None]:
    """Have it reported to one more."""
    before = _report.get()

    def both(count: int) -> None:
        before(count)
        report(count)

    with reported_to(both):
        yield


@contextlib.contextmanager
def reported_to(report: Report) -> Iterator[None]:
    """Have what is done in this block reported; in this thread alone."""
    token = _report.set(report)
    try:
        yield
    finally:
        _report.reset(token)
