"""A moment as programs read it: the same text in a plan, in its proof, and in every answer of the
API; and as people and programs name one.
"""

from datetime import datetime, tzinfo


def in_utc(moment: datetime | None) -> str | None:
    """A moment in UTC (ISO 8601), to the second; None stays None."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None


def named(text: str, zone: tzinfo) -> datetime:
    """The moment a text names (ISO 8601): a date is its first minute in `zone`, a time without zone
    is in it. Raises ValueError.
    """
    moment = datetime.fromisoformat(text.strip())
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)
