"""The health strip: the seconds that a system spent in each state, by hour and by day. Time without
looks stays a gap.

Each look adds the time since the previous one to its hour and its day, so nothing is aggregated
later. Hours are kept for a week, days for `WORKSPACE_HEALTH_DAYS`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import F, Q

from workspace_manager.core.batch_deletion import clear
from workspace_manager.records.models import Health, HealthFinding, HealthSpan

HOURS_KEPT: Final = timedelta(days=7)
STATES: Final = tuple(Health.State.values)
UNITS: Final = {
    HealthSpan.Unit.HOUR: timedelta(hours=1),
    HealthSpan.Unit.DAY: timedelta(days=1),
}
MOST_CLEARED: Final = 2_000


@dataclass(frozen=True)
class Span:
    """One hour or day. `seconds` by state; `gap`: seconds of unknown state until now."""

    begins: datetime
    seconds: dict[str, float]
    gap: float


def longest_step() -> timedelta:
    """Return the longest time between two looks that counts as one state."""
    return timedelta(seconds=max(3 * settings.HEALTH_LOOK_SECONDS, 180))


def count(system: str, state: str, begun: datetime | None, ended: datetime) -> None:
    """Add the time from `begun` to `ended` to the last known state; nothing for a gap, or for a
    clock that jumped.
    """
    if begun is None or not timedelta(0) < ended - begun <= longest_step():
        return
    for unit in UNITS:
        for begins, seconds in _parts(unit, begun, ended):
            HealthSpan.objects.get_or_create(system=system, unit=unit, begins=begins)
            rows = HealthSpan.objects.filter(system=system, unit=unit, begins=begins)
            rows.update(**{state: F(state) + seconds})


def _parts(unit: str, begun: datetime, ended: datetime) -> Iterator[tuple[datetime, float]]:
    at = begun
    while at < ended:
        begins = beginning(unit, at)
        end = min(begins + UNITS[HealthSpan.Unit(unit)], ended)
        yield begins, (end - at).total_seconds()
        at = end


def beginning(unit: str, at: datetime) -> datetime:
    """Return when the hour or day (UTC) of a moment began."""
    hour = at.replace(minute=0, second=0, microsecond=0)
    return hour if unit == HealthSpan.Unit.HOUR else hour.replace(hour=0)


def days(system: str, now: datetime) -> list[Span]:
    """Return the last `WORKSPACE_HEALTH_DAYS` days, today last; unseen days are included."""
    return _spans(system, HealthSpan.Unit.DAY, settings.HEALTH_DAYS, now)


def days_of_all(systems: Iterable[str], now: datetime) -> dict[str, list[Span]]:
    """Return the days of many systems, in one query."""
    return _spans_of_all(list(systems), HealthSpan.Unit.DAY, settings.HEALTH_DAYS, now)


def hours(system: str, now: datetime) -> list[Span]:
    return _spans(system, HealthSpan.Unit.HOUR, int(HOURS_KEPT / timedelta(hours=1)), now)


def _spans(system: str, unit: HealthSpan.Unit, most: int, now: datetime) -> list[Span]:
    return _spans_of_all([system], unit, most, now)[system]


def _spans_of_all(
    systems: list[str], unit: HealthSpan.Unit, most: int, now: datetime
) -> dict[str, list[Span]]:
    length, last = UNITS[unit], beginning(unit, now)
    begins = [last - length * back for back in reversed(range(most))]
    rows = HealthSpan.objects.filter(system__in=systems, unit=unit, begins__gte=begins[0])
    known = {(row.system, row.begins): row for row in rows}
    return {
        system: [_span(known.get((system, one)), one, min(length, now - one)) for one in begins]
        for system in systems
    }


def _span(row: HealthSpan | None, begins: datetime, length: timedelta) -> Span:
    seconds = {state: float(getattr(row, state)) if row else 0.0 for state in STATES}
    return Span(begins, seconds, max(0.0, length.total_seconds() - sum(seconds.values())))


def forget_old(now: datetime) -> None:
    """Delete expired rows in batches."""
    oldest = now - timedelta(days=settings.HEALTH_DAYS)
    old = Q(unit=HealthSpan.Unit.HOUR, begins__lt=now - HOURS_KEPT)
    old |= Q(unit=HealthSpan.Unit.DAY, begins__lt=oldest)
    clear(HealthSpan.objects.filter(old), most=MOST_CLEARED)
    clear(HealthFinding.objects.filter(closed_at__lt=oldest), most=MOST_CLEARED)
