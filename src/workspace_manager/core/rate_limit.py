"""A limit of attempts in a stretch of time that holds exactly, however many processes count at
once: the database adds, and only where there is room.
"""

import hashlib
import time
from datetime import UTC, datetime
from typing import Final

from django.db.models import F

from workspace_manager.core.batch_deletion import clear
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import RateCounter

MOST_CLEARED: Final = 2_000


def wait(what: str, *, most: int, seconds: int) -> int | None:
    """Count this one of `what` in a stretch of so many seconds. None when there was room, else the
    seconds until the next stretch begins. Where there is no room nothing is counted.
    """
    now = time.time()
    begun = int(now // seconds) * seconds
    key = hashlib.sha256(f"{what} {seconds} {begun}".encode()).hexdigest()
    if _added(key, most) or _first(key, begun + seconds) or _added(key, most):
        return None
    return max(1, int(begun + seconds - now))


def _added(key: str, most: int) -> bool:
    return bool(RateCounter.objects.filter(key=key, count__lt=most).update(count=F("count") + 1))


def _first(key: str, until: int) -> bool:
    """Return whether nobody counted before us."""
    values = {"count": 1, "until": datetime.fromtimestamp(until, UTC)}
    return RateCounter.objects.get_or_create(key=key, defaults=values)[1]


def forget_old(now: datetime | None = None) -> None:
    """Delete counters whose stretch is over, some at a time."""
    clear(
        RateCounter.objects.filter(until__lt=now or database_now()).order_by("until"),
        most=MOST_CLEARED,
    )
