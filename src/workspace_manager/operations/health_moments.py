"""The moments at which a look, and what belongs to it, is due."""

import secrets
from datetime import datetime, timedelta

from django.conf import settings


def is_due(at: datetime | None, now: datetime) -> bool:
    """Return whether a moment is past, or further ahead than any schedule: the clock was turned
    back.
    """
    longest = timedelta(seconds=2 * settings.HEALTH_LOOK_SECONDS)
    return at is None or at <= now or at > now + longest


def jittered(seconds: float) -> timedelta:
    """Vary a delay by a tenth, so that systems and installations are not asked in step."""
    return timedelta(seconds=seconds * (0.9 + secrets.randbelow(200) / 1000))


def is_over(at: datetime | None, now: datetime) -> bool:
    """Return whether a moment is past, or further ahead than any schedule: the clock was turned
    back.
    """
    longest = 2 * max(settings.HEALTH_PROOF_MINUTES, settings.HEALTH_CHECK_MINUTES)
    return at is None or at <= now or at > now + timedelta(minutes=longest)
