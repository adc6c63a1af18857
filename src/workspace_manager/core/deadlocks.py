"""A story that the database ended because two transactions waited for each other is told once more.

Rows are locked in one order (`records/lock_order.py`), so this is for what that order does not
cover: keys of other tables, and indexes. SQLite lets one writer in at a time and has no deadlocks.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from django.db import OperationalError, connection

P = ParamSpec("P")
R = TypeVar("R")

DEADLOCK_DETECTED: Final = "40P01"
"""PostgreSQL, appendix A."""


def retry_after_deadlock(story: Callable[P, R]) -> Callable[P, R]:
    """Tell a story again, once. It has to be one transaction: then nothing of the first try is
    left. Inside a transaction of the caller's the error is the caller's.
    """

    @wraps(story)
    def told(*args: P.args, **named: P.kwargs) -> R:
        try:
            return story(*args, **named)
        except OperationalError as error:
            if connection.in_atomic_block or not is_deadlock(error):
                raise
        return story(*args, **named)

    return told


def is_deadlock(error: OperationalError) -> bool:
    return getattr(error.__cause__, "sqlstate", "") == DEADLOCK_DETECTED
