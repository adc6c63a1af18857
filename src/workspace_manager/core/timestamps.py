"""A moment as programs read it: the same text in a plan, in its proof, and in every answer of the
API; and as people and programs name one.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

ONE_DAY: Final = timedelta(days=1)
"""No two clocks are further apart."""


def in_utc(moment: datetime | None) -> str | None:
    """A moment in UTC (ISO 8601), to the second; None stays None."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None


def parse_moment(text: str, zone: tzinfo) -> datetime:
    """The moment a text names (ISO 8601): a date is its first minute in `zone`, a time without zone
    is in it. Raises ValueError, also for one that the years of UTC, or those of somebody elsewhere,
    do not have: it could not be stored, or not be shown.
    """
    moment = datetime.fromisoformat(text.strip())
    moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
    try:
        for day in (-ONE_DAY, ONE_DAY):
            moment.astimezone(UTC) + day
    except OverflowError as outside:
        raise ValueError(f"{text} is before or after all years of UTC") from outside
    return moment
