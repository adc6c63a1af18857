"""Each row of the housekeeping for itself: one that fails is set aside and tried later, and holds
up neither the other rows nor the other tasks.

The wait between two tries doubles, from a minute to a day.
"""

import contextlib
import logging
from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Final, TypeVar

from django.db import InterfaceError, OperationalError
from django.db.models import Model, QuerySet

from workspace_manager.core.clock import database_now
from workspace_manager.records.models import HousekeepingFailure

log = logging.getLogger(__name__)
R = TypeVar("R", bound=Model)

FIRST_WAIT: Final = timedelta(minutes=1)
LONGEST_WAIT: Final = timedelta(days=1)
SHOWN_AFTER: Final = 2
"""So many failures in a row are a fault; one may have been a moment's."""


@contextlib.contextmanager
def attempt(task: str, row: Any = "") -> Iterator[None]:
    """Do one part of a task. Whatever it raises is logged and written down, and does not come out.

    A database that cannot be used is no fault of the row: nothing is written down then.
    """
    try:
        yield
    except (OperationalError, InterfaceError):
        log.warning("housekeeping: %s %s waits for the database", task, row, exc_info=True)
    except Exception as error:
        log.error("housekeeping: %s %s failed", task, row, exc_info=error)
        _set_aside(task, str(row), type(error).__name__)
    else:
        HousekeepingFailure.objects.filter(task=task, row=str(row)).delete()


def due_rows(task: str, rows: QuerySet[R]) -> Iterator[R]:
    """The rows of a task but those that are set aside until later."""
    later = set(_waiting(task).values_list("row", flat=True))
    return (row for row in rows if str(row.pk) not in later)


def is_due(task: str) -> bool:
    """Return whether a task as a whole is not set aside until later."""
    return not _waiting(task).filter(row="").exists()


def _waiting(task: str) -> QuerySet[HousekeepingFailure]:
    """Failures that are not retried yet. None waits longer than the longest: the clock was turned
    back.
    """
    now = database_now()
    rows = HousekeepingFailure.objects.filter(task=task)
    return rows.filter(next_try_at__gt=now, next_try_at__lte=now + LONGEST_WAIT)


def repeated_failures() -> QuerySet[HousekeepingFailure]:
    """Tasks that failed more than once in a row, the longest first."""
    rows = HousekeepingFailure.objects.filter(times__gte=SHOWN_AFTER)
    return rows.order_by("since", "id")


def _set_aside(task: str, row: str, error: str) -> None:
    now = database_now()
    failure, new = HousekeepingFailure.objects.get_or_create(
        task=task,
        row=row,
        defaults={"error": error, "since": now, "next_try_at": now + FIRST_WAIT},
    )
    if new:
        return
    failure.error, failure.times = error, failure.times + 1
    failure.next_try_at = now + min(FIRST_WAIT * 2 ** min(failure.times - 1, 12), LONGEST_WAIT)
    failure.save(update_fields=["error", "times", "next_try_at"])
