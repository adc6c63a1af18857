"""A moment as programs read it: the same text in a plan, in its proof, and in every answer of the
API.
"""

from datetime import datetime


def in_utc(moment: datetime | None) -> str | None:
    """A moment in UTC (ISO 8601), to the second; None stays None."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None
