"""Figures of an administrator's first page: arrivals and departures, open plans, and people by
state.

Counted by the database, in three queries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from django.db.models import (
    CharField,
    Count,
    DateTimeField,
    Exists,
    OuterRef,
    Q,
    QuerySet,
    Value,
)
from django.db.models.functions import Coalesce, TruncWeek

from workspace_manager.people.end_dates import SHOWN
from workspace_manager.records.models import AuditEntry, Person, Plan, Tombstone

WEEKS: Final = 12
DAYS: Final = 30
ENTERED: Final = "person:entered"


@dataclass(frozen=True)
class Week:
    """One week from Monday (UTC). The last one is not over."""

    begins: date
    came: int
    left: int


@dataclass(frozen=True)
class Day:
    """One day of UTC with the number of plans open at its end; today's is the present number."""

    day: date
    plans: int


@dataclass(frozen=True)
class Figures:
    """Present and past figures. `people`: by state; `plans`: open ones by state."""

    weeks: Sequence[Week]
    days: Sequence[Day]
    people: Mapping[str, int]
    never_signed_in: int
    end_soon: int
    plans: Mapping[str, int]


def figures(now: datetime) -> Figures:
    days, plans = _plans(now)
    here = _here(now.astimezone(UTC).date())
    never, soon = here.pop("never"), here.pop("soon")
    return Figures(_weeks(now), days, here, never, soon, plans)


def _here(today: date) -> dict[str, int]:
    by_state = {state: Count("id", Q(state=state)) for state in Person.State.values}
    near = Q(ends_at__gte=today, ends_at__lte=today + SHOWN)
    return Person.objects.aggregate(
        **by_state, never=Count("id", Q(last_sign_in=None)), soon=Count("id", near)
    )


def _weeks(now: datetime) -> list[Week]:
    monday = now.astimezone(UTC).date() - timedelta(days=now.astimezone(UTC).weekday())
    begins = [monday - timedelta(weeks=back) for back in reversed(range(WEEKS))]
    since = _begin(begins[0])
    # Only the audit log keeps a row of former members.
    gone = ~Exists(Person.objects.filter(username=OuterRef("subject")))
    entered = AuditEntry.objects.filter(gone, event=ENTERED)
    rows = _by_week(Person.objects.all(), "created_at", "came", since).union(
        _by_week(entered, "at", "gone", since),
        _by_week(Tombstone.objects.all(), "created_at", "left", since),
        all=True,
    )
    found = {(what, week.astimezone(UTC).date()): n for what, week, n in rows}
    return [
        Week(
            one,
            found.get(("came", one), 0) + found.get(("gone", one), 0),
            found.get(("left", one), 0),
        )
        for one in begins
    ]


def _by_week(rows: QuerySet[Any], moment: str, what: str, since: datetime) -> QuerySet[Any, Any]:
    weeks = rows.filter(**{f"{moment}__gte": since}).annotate(
        what=Value(what, CharField()),
        week=TruncWeek(moment, output_field=DateTimeField(), tzinfo=UTC),
    )
    counted = weeks.order_by().values("what", "week").annotate(n=Count("pk"))
    found: QuerySet[Any, Any] = counted.values_list("what", "week", "n")
    return found


def _plans(now: datetime) -> tuple[list[Day], dict[str, int]]:
    """Count open plans. A replaced plan has no moment of its end, and counts on no day."""
    today = now.astimezone(UTC).date()
    days = [today - timedelta(days=back) for back in reversed(range(DAYS))]
    open_now = Q(state__in=Plan.OPEN)
    done = Q(state=Plan.State.DONE)
    counts = {}
    for n, day in enumerate(days):
        end = _begin(day + timedelta(days=1))
        counts[f"day{n}"] = Count(
            "id", Q(begun__lt=end) & (open_now | (done & Q(finished_at__gte=end)))
        )
    states = {str(state): Count("id", Q(state=state)) for state in Plan.OPEN}
    rows = Plan.objects.filter(
        open_now | (done & Q(finished_at__gte=_begin(days[0]))), belongs_to=None
    )
    found = rows.annotate(begun=Coalesce("approved_at", "created_at")).aggregate(**counts, **states)
    by_day = [Day(day, found[f"day{n}"]) for n, day in enumerate(days)]
    return by_day, {state: found[state] for state in states}


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
