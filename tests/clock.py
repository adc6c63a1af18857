"""A clock that tests can turn: the database's and the host's, together or apart."""

import contextlib
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from workspace_manager.contract import deadline


class Clock:
    """Hours that the database's clock and the host's are ahead of the real time."""

    def __init__(self) -> None:
        self.database = 0.0
        self.host = 0.0
        self.passed = 0.0

    def set(self, hours: float) -> None:
        """Turn both."""
        self.database = self.host = self.passed = hours

    def forward(self, hours: float = 1) -> None:
        """Let time pass: leases end, waits are over."""
        self.database += hours
        self.host += hours
        self.passed += hours

    def moment(self) -> float:
        """What no clock on the wall shows: how long this host has been there. Time passes for it as
        for the database.
        """
        return time.monotonic() + self.passed * 3600

    def host_now(self) -> datetime:
        return datetime.now(UTC) + timedelta(hours=self.host)


shown: list[Clock] = []
"""The clock that counts, last; SQLite never gives its own function back, so ours tells the real
time when there is none.
"""


def strftime(_format: str, _moment: str) -> str:
    """What `strftime(…, 'now')` answers, the one way the engine asks the database for the time."""
    moment = datetime.now(UTC) + timedelta(hours=shown[-1].database if shown else 0)
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


@contextlib.contextmanager
def turned() -> Iterator[Clock]:
    """Put the clock into the database and into Django."""
    clock = Clock()
    connection.ensure_connection()
    assert connection.connection is not None
    shown.append(clock)
    for _ in range(
        2
    ):  # only a second time are statements forgotten that were prepared with SQLite's own
        connection.connection.create_function("strftime", 2, strftime)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", clock.host_now)
        patch.setattr(deadline, "moment", clock.moment)
        try:
            yield clock
        finally:
            shown.remove(clock)
