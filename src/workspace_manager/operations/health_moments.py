"""The moments at which a look at a system, and what belongs to it, is due."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings


def is_look_due(at: datetime | None, now: datetime) -> bool:
    """Return whether a look is due."""
    return _is_due(at, now, longest=timedelta(seconds=2 * settings.HEALTH_LOOK_SECONDS))


def is_check_due(at: datetime | None, now: datetime) -> bool:
    """Return whether a call with our credential, or a whole check, is due."""
    longest = 2 * max(settings.HEALTH_PROOF_MINUTES, settings.HEALTH_CHECK_MINUTES)
    return _is_due(at, now, longest=timedelta(minutes=longest))


def _is_due(at: datetime | None, now: datetime, *, longest: timedelta) -> bool:
    """Return whether a moment is past, or further ahead than any schedule: the clock was turned
    back.
    """
    return at is None or at <= now or at > now + longest


def jittered(seconds: float) -> timedelta:
    """Vary a delay by a tenth, so that systems and installations are not asked in step."""
    return timedelta(seconds=seconds * (0.9 + secrets.randbelow(200) / 1000))
