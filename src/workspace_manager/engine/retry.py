"""Times of further tries: waits double, are jittered, bounded, and honour what the system
asked for.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from workspace_manager.contract.connector import CallPolicy

LONGEST: Final = timedelta(days=2)
"""No try is further off. One that is was put off before the clock was turned back."""


def next_try(
    now: datetime, *, attempts: int, policy: CallPolicy, retry_after: float | None = None
) -> datetime:
    """The time of the next try after `attempts` failures (1 = the first one just failed).

    The jitter (up to a quarter) keeps many plans from waking at once. The longest wait is the
    smaller of the policy's and `WORKSPACE_LONGEST_WAIT_SECONDS`; a Retry-After is honoured up to a
    day.
    """
    longest = min(policy.longest_wait_s, settings.LONGEST_WAIT_SECONDS)
    wait = min(policy.first_wait_s * 2 ** min(max(attempts, 1) - 1, 20), longest)
    wait *= 1 + secrets.randbelow(250) / 1000
    if retry_after is not None:
        wait = max(wait, min(retry_after, 86_400))
    return now + timedelta(seconds=wait)
