"""Move this process to the moment of the tests, before anything in it asks for the time.

Python imports a module of this name when it starts, where PYTHONPATH names its folder. In a moved
run it does (tests/clock.py): so the workers of xdist and every child process are moved too. It
needs nothing but time-machine: a program that has not got it is not ours, and keeps the real time.
"""

import contextlib
import datetime
import os
import sqlite3
import sys
import time
from typing import Any

AHEAD = "WORKSPACE_TEST_AHEAD"
"""Seconds by which this run is ahead of the real time. A distance, not a moment: however late a
child starts, it has the time of its parent.
"""
_plain = sqlite3.connect(":memory:", check_same_thread=False)
_connect = sqlite3.connect


def move(ahead: float) -> None:
    """Put Python, its threads and every connection to SQLite so many seconds ahead, ticking."""
    machine = _time_machine()
    if machine.escape_hatch.is_travelling():
        return
    # A number: for a moment with a zone, time-machine would change TZ.
    machine.travel(time.time() + ahead).start().time_ns()
    sqlite3.connect = sqlite3.dbapi2.connect = connect  # type: ignore[assignment]


def connect(*what: Any, **more: Any) -> sqlite3.Connection:
    """What `sqlite3.connect` gives, with the moved time. At the connecting, and not at Django's
    signal for it: a child has no Django when it starts, and the queue has connections of its own.
    """
    connection: sqlite3.Connection = _connect(*what, **more)
    connection.create_function("strftime", 2, strftime)
    return connection


def strftime(form: str, moment: str) -> str | None:
    """SQLite's own, but for 'now', which it reads from the machine."""
    if isinstance(moment, str) and moment.lower() == "now":
        moment = text_of(datetime.datetime.now(datetime.UTC))
    found: str | None = _plain.execute("SELECT strftime(?, ?)", (form, moment)).fetchone()[0]
    return found


def text_of(moment: datetime.datetime) -> str:
    """A moment as SQLite reads it."""
    return moment.strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def _time_machine() -> Any:
    """Without pytest, which it would load for a fixture of its own, in every child; and pytest is
    told that it came too late to rewrite its asserts.
    """
    loaded = "pytest" in sys.modules
    if not loaded:
        sys.modules["pytest"] = None  # type: ignore[assignment]
    try:
        import time_machine
    finally:
        if not loaded:
            del sys.modules["pytest"]
    time_machine.__doc__ = "PYTEST_DONT_REWRITE"
    return time_machine


if AHEAD in os.environ:
    with contextlib.suppress(ImportError):
        move(float(os.environ[AHEAD]))
