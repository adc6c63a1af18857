"""A person's language and time zone from a form, a program or the identity provider; only valid
ones are kept.
"""

import re
import zoneinfo
from functools import lru_cache

from workspace_manager.records.models import Person

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}")
_LONGEST = Person._meta.get_field("locale").max_length or 0


def is_language(text: str) -> bool:
    """Return whether this is a language tag (BCP 47) that fits."""
    return len(text) <= _LONGEST and _LANGUAGE.fullmatch(text) is not None


def is_time_zone(text: str) -> bool:
    return text in _time_zones()


def language(*told: str) -> str:
    """Return the first valid language; English if there is none."""
    return next((text for text in told if is_language(text)), "en")


def time_zone(*told: str) -> str:
    """Return the first valid time zone; UTC if there is none."""
    return next((text for text in told if is_time_zone(text)), "UTC")


@lru_cache(maxsize=1)
def _time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())
