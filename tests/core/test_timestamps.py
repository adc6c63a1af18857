"""A moment that somebody names can be stored, and shown wherever its reader is."""

from datetime import UTC, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from workspace_manager.core.timestamps import parse_moment

ZONES = (UTC, ZoneInfo("Pacific/Kiritimati"), timezone(-timedelta(hours=12)))


@pytest.mark.parametrize(
    "text",
    [
        *("9999-12-31", "9999-12-31T23:59", "9999-12-31T23:59Z", "9999-12-31T23:59-12:00"),
        *("0001-01-01", "0001-01-01T00:00Z", "0001-01-01T00:00+12:00", "garbage", ""),
    ],
)
def test_what_no_clock_shows_everywhere_is_no_moment(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_moment(text, UTC)


def test_every_other_moment_is_one() -> None:
    for text in ("0002-01-01", "9999-12-30T00:00Z"):
        moment = parse_moment(text, UTC)
        assert all(moment.astimezone(zone) == moment for zone in ZONES)
