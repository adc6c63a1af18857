"""The hold: while nobody confirmed that the clock is right, nothing that was shut opens, nothing is
erased, and nothing that was given until a moment expires. What closes access goes on.

A worker writes each minute what the database's clock says. Where that is far from what the minute
before lets expect, the clock was turned, or no worker ran for long: these look alike, and a person
says which. A clock that is set right again ends the hold by itself.

See docs/explanation/hold.md.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import DateTimeField, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from workspace_manager.contract import deadline
from workspace_manager.core.clock import LEAP, database_now
from workspace_manager.records.models import AuditEntry, Hold, LastMinute

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Minute:
    """The time that a worker uses until the next minute. `now`: the database's clock; `hold`: why
    things that open, erase or expire wait, or None.
    """

    now: datetime
    hold: Hold | None


@dataclass(frozen=True)
class _Seen:
    """The minute that this process wrote last, and when by a count that nobody can turn."""

    at: datetime
    moment: float


_seen: _Seen | None = None


def current_hold() -> Hold | None:
    """The hold that stands, if any."""
    return _standing().order_by("id").first()


def _standing() -> QuerySet[Hold]:
    return Hold.objects.filter(ended_at=None)


def opens_by() -> Coalesce:
    """In a query: the time by which that opens again which was shut until a moment. While a hold
    stands it stands too, and as soon as one is to begin.
    """
    since = _standing().values("since")[:1]
    last = unseen_leaps(Now()).values("at")[:1]
    return Coalesce(Subquery(since), Subquery(last), Now(), output_field=DateTimeField())


def unseen_leaps(now: datetime | Now) -> QuerySet[LastMinute]:
    """The last minute, where it is so long ago that the next one of a worker begins a hold."""
    return LastMinute.objects.filter(at__lt=now - LEAP)


def ends_by() -> Coalesce:
    """In a query: the time by which that ends which was given until a moment. Nothing is done for
    it to end, and so nothing of it is lost where a clock is set right again.
    """
    goes_by = _standing().exclude(goes_by=None).values("goes_by")[:1]
    return Coalesce(Subquery(goes_by), Now(), output_field=DateTimeField())


def note_minute() -> Minute:
    """Write what the clock says, and begin or end the hold by it; called by a worker each minute,
    before it does anything by the time.
    """
    global _seen
    with transaction.atomic():
        last = locked_minute()
        now, moment = database_now(), deadline.moment()
        passed, was_seen = _passed(last, now, moment)
        last.believed, last.at = last.believed + passed, now
        hold = _held(last, was_seen=was_seen)
        if hold is None:
            last.believed = now
        last.save(update_fields=["at", "believed"])
    _seen = _Seen(now, moment)
    return Minute(now, hold)


def locked_minute() -> LastMinute:
    """The row, in the caller's transaction; on the first day it is made. Whoever begins or ends a
    hold has it locked.
    """
    now = database_now()
    LastMinute.objects.get_or_create(id=1, defaults={"at": now, "believed": now})
    return LastMinute.objects.select_for_update().get(id=1)


def _passed(last: LastMinute, now: datetime, moment: float) -> tuple[timedelta, bool]:
    """Return how much time passed since then; and whether this process counted it, while the clock
    says something else. What nobody counted is taken for none.
    """
    if abs(now - last.at) <= LEAP:
        return now - last.at, False
    if _seen is not None and _seen.at == last.at:
        return timedelta(seconds=moment - _seen.moment), True
    return timedelta(0), False


def _held(last: LastMinute, *, was_seen: bool) -> Hold | None:
    hold, leapt = current_hold(), abs(last.at - last.believed) > LEAP
    if hold is None and leapt:
        log.error("the clock says %s after %s: a hold begins", last.at, last.believed)
        return Hold.objects.create(
            reason=Hold.Reason.CLOCK,
            since=last.believed,
            said=last.at,
            goes_by=last.believed if was_seen else None,
            begun_by=AuditEntry.MANAGER,
        )
    if hold is not None and hold.reason == Hold.Reason.CLOCK and not leapt:
        log.warning("the clock says %s, as before the leap: the hold ends", last.at)
        # Nobody decided anything: it is as if it had not been.
        hold.delete()
        return None
    if hold is not None and hold.goes_by is not None:
        hold.goes_by = last.believed
        hold.save(update_fields=["goes_by"])
    return hold
