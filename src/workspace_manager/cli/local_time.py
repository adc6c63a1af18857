"""Moments in the terminal's time zone, with its name.

Loaded before Django, which sets the process to UTC. In `--json` every moment is ISO 8601 in UTC.
"""

import os
from collections.abc import Mapping
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOST_ZONE = Path("/etc/localtime")


def zone_of(environment: Mapping[str, str], host: Path = HOST_ZONE) -> tzinfo:
    """Return the zone of `TZ`, or of the host; UTC if neither can be read."""
    try:
        if name := environment.get("TZ", "").removeprefix(":"):
            return ZoneInfo(name)
        with host.open("rb") as rules:
            return ZoneInfo.from_file(rules)
    except (OSError, ValueError, ZoneInfoNotFoundError):
        return UTC


ZONE = zone_of(os.environ)


def local(moment: str | None, zone: tzinfo | None = None) -> str:
    """Format a document's moment (ISO 8601) to the second; "" for none, other texts unchanged."""
    if not moment:
        return ""
    try:
        read = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    if read.tzinfo is None:
        return moment
    return f"{read.astimezone(zone or ZONE):%Y-%m-%d %H:%M:%S %Z}"
