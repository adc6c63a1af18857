"""Terms of a suspension: its reason and its end."""

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Final

from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import BadInput
from workspace_manager.core.timestamps import parse_moment
from workspace_manager.people.messages import message

LONGEST_REASON = 2000
FURTHEST = timedelta(days=3660)
NEVER: Final = "never"


@dataclass(frozen=True)
class Terms:
    """Ordered terms; None keeps the present value."""

    reason: str | None = None
    until: datetime | None = None
    endless: bool = False
    """Explicitly without end."""


UNCHANGED: Final = Terms()


def refuse_terms(terms: Terms) -> None:
    """Raise BadInput for an end that is past or too far away, and for a reason that is too long."""
    if terms.reason is not None and len(terms.reason) > LONGEST_REASON:
        raise BadInput({"reason": message("reason_too_long", count=LONGEST_REASON)})
    now = database_now()
    if terms.until is not None and not now < terms.until <= now + FURTHEST:
        raise BadInput({"until": message("until_in_future")})


def read_until(text: str, zone: tzinfo) -> datetime | None:
    """Return the moment of a text (`core.timestamps.named`); None for "never". Raises BadInput."""
    if text.strip().casefold() == NEVER:
        return None
    try:
        return parse_moment(text, zone)
    except ValueError as wrong:
        raise BadInput({"until": message("until_format")}) from wrong
