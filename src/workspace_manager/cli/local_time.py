"""A moment as somebody at this terminal reads it: in the zone of the terminal, which is named.

Loaded before Django, which puts the whole process into UTC. Programs read `--json`, where every
moment is ISO 8601 in UTC.
"""

import os
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOST_ZONE = Path("/etc/localtime")


def zone_of(environment: Mapping[str, str], host: Path = HOST_ZONE) -> tzinfo:
    """The zone of `TZ`, or else of the host; UTC where neither can be read."""
    try:
        if name := environment.get("TZ", "").removeprefix(":"):
            return ZoneInfo(name)
        with host.open("rb") as rules:
            return ZoneInfo.from_file(rules)
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return UTC


ZONE = zone_of(os.environ)


def local(moment: str | None, zone: tzinfo | None = None) -> str:
    """A moment of a document (ISO 8601), to the second; "" for none, what is no moment as it is."""
    if not moment:
        return ""
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    if read.tzinfo is None:
        return moment
    return f"{read.astimezone(zone or ZONE):%Y-%m-%d %H:%M:%S %Z}"
