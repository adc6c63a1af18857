"""One clock for all tests. A pytest plugin: it moves the whole run to the moment and the zone that
the environment names (`WORKSPACE_TEST_MOMENT`, `WORKSPACE_TEST_ZONE`; tools/clocks.py), and a clock
that one test can turn (`turned`).

Moved are Python with its threads, SQLite, PostgreSQL, child processes and the zone. The moved clock
goes on as the real one does. Not moved: monotonic clocks, by which everything waits; times of
files; and what OpenSSL asks when it looks at a certificate.
"""

import contextlib
import os
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.utils import timezone

from tests.child_clock import sitecustomize as child
from tools import clocks
from workspace_manager.contract import deadline
from workspace_manager.core import connections

chosen = pytest.StashKey[clocks.Moment]()


def pytest_configure(config: pytest.Config) -> None:
    """Move this process, unless it is the child of one that is moved; and tell its children."""
    moment = clocks.read_moment(os.environ)
    if moment is None:
        return
    config.stash[chosen] = moment
    if child.AHEAD not in os.environ:
        os.environ.update(moment.environment)
        os.environ[child.AHEAD] = repr(moment.at.timestamp() - time.time())
        folder = str(Path(child.__file__).parent)
        others = os.environ.get("PYTHONPATH", "")
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (folder, others)))
    child.move(float(os.environ[child.AHEAD]))
    _into_zone()


def _into_zone() -> None:
    """Django has put this process into UTC when it read the settings."""
    zone = os.environ[clocks.ZONE]
    os.environ["TZ"] = zone
    time.tzset()
    hours = datetime.now(ZoneInfo(zone)).utcoffset()
    if hours != timedelta(seconds=time.localtime().tm_gmtoff):
        raise pytest.UsageError(f"this machine does not know the zone {zone}; is tzdata installed?")


def pytest_runtest_setup() -> None:
    """A test that changed a setting of Django's has left UTC behind."""
    if clocks.ZONE in os.environ and os.environ.get("TZ") != os.environ[clocks.ZONE]:
        _into_zone()


def pytest_report_header(config: pytest.Config) -> str | None:
    if (moment := config.stash.get(chosen, None)) is None:
        return None
    return f"clock: {moment}{f' ({moment.why})' if moment.why else ''}"


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Whoever reads of a failure reads how to have it again."""
    if moment := config.stash.get(chosen, None):
        again = " ".join(f"{name}={value}" for name, value in moment.environment.items())
        terminalreporter.write_line(f"clock: this run began at {moment}; the same again: {again}")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """PostgreSQL is moved as soon as the tests' database is there."""
    if child.AHEAD in os.environ and connection.vendor == "postgresql":
        with django_db_blocker.unblock():
            move_postgresql(float(os.environ[child.AHEAD]))


def move_postgresql(ahead: float) -> None:
    """Have this database tell the moved time to whoever connects to it from now on.

    Its own functions live in `pg_catalog`, which is looked through before every other schema unless
    the path names it; CURRENT_TIMESTAMP is no function, and cannot be moved. They stand in
    `public`, as tables that a test makes go to the first schema of the path.
    """
    with connection.cursor() as cursor:
        for name, kind in (
            ("now", "STABLE"),
            ("statement_timestamp", "STABLE"),
            ("clock_timestamp", "VOLATILE"),
        ):
            cursor.execute(
                f"CREATE OR REPLACE FUNCTION public.{name}() RETURNS timestamptz LANGUAGE sql "
                f"{kind} AS $$ SELECT pg_catalog.{name}() + interval '{ahead:.6f} seconds' $$"
            )
        base = connection.ops.quote_name(connection.settings_dict["NAME"])
        cursor.execute(f"ALTER DATABASE {base} SET search_path TO public, pg_catalog")
    connections.close_all()  # the path is set for whoever connects, not for who is connected


def noon(days: int) -> datetime:
    """Noon in UTC so many days from now, for dates that tests type: what lies in the future when a
    test is written does not stay there. At noon it is that day from Pago Pago to Auckland's winter.
    """
    at = datetime.now(UTC) + timedelta(days=days)
    return at.replace(hour=12, minute=0, second=0, microsecond=0)


def just_over() -> datetime:
    """A moment that is over for whoever asks the database: SQLite's clock has whole milliseconds,
    and Python's now is ahead of it by less than one.
    """
    return timezone.now() - timedelta(seconds=1)


def ahead_s(hours: float) -> float:
    """Seconds by which a database is ahead of the real time, where it is so many hours ahead of the
    run.
    """
    return float(os.environ.get(child.AHEAD, "0")) + hours * 3600


class Clock:
    """Hours that the database's clock and the host's are ahead of the time of the run."""

    def __init__(self) -> None:
        self._database = 0.0
        self.host = 0.0
        self.passed = 0.0

    @property
    def database(self) -> float:
        return self._database

    @database.setter
    def database(self, hours: float) -> None:
        self._database = hours
        if connection.vendor == "postgresql":
            move_postgresql(ahead_s(hours))

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


ASKED = re.compile(r"(strftime\('[^']*',\s*'now')\)", re.IGNORECASE)
"""What the engine asks SQLite for the time by."""


@contextlib.contextmanager
def turned() -> Iterator[Clock]:
    """Put the clock into the database and into Django. On PostgreSQL in no transaction: whoever
    connects anew has the turned time.

    On SQLite each statement asks for another moment. A Python function in the place of SQLite's
    would stay registered, and wait for the interpreter while SQLite holds the connection. Two
    threads that share a connection, as those of a live server do, could wait for each other for
    ever.
    """
    clock = Clock()

    def ask(execute: Any, sql: str, *rest: Any) -> Any:
        if connection.vendor == "sqlite" and "strftime" in sql.lower():
            sql = ASKED.sub(rf"\1, '{ahead_s(clock.database):+f} seconds')", sql)
        return execute(sql, *rest)

    with pytest.MonkeyPatch.context() as patch, connection.execute_wrapper(ask):
        patch.setattr(timezone, "now", clock.host_now)
        patch.setattr(deadline, "moment", clock.moment)
        try:
            yield clock
        finally:
            clock.database = 0


@pytest.fixture
def clock(db: None) -> Iterator[Clock]:
    """A clock that the test can turn."""
    with turned() as clock:
        yield clock
