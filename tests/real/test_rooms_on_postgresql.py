"""The rooms do on PostgreSQL what they do on SQLite.

It keeps JSON in another order, refuses what is too long for its column, and has its own arithmetic
of days: each of these was a fault that tests on SQLite cannot see. `make test` runs here what asks
the database in words of its own; the other tests of the rooms ran on SQLite before, and run here by
`make everything`. Who waits for whom is in test_manager_on_postgresql.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.sample import first_of
from workspace_sandbox.real import postgresql

ROOT = Path(__file__).parents[2]
ROOMS = (
    "core",
    "engine",
    "work",
    "removal",
    "people",
    "people_in_motion",
    "operations",
    "drive_credentials",
    "inbox",
    "reconcile",
    "notices",
    "records",
)
SQL_OF_THEIR_OWN = {
    "core/test_account_link.py": "JSON of an account's target, in another order",
    "core/test_deadlocks.py": "two that wait for each other",
    "core/test_signed_cache.py": "a row that is there already is written over",
    "core/test_timestamps.py": "moments that a column holds",
    "engine/test_approval_check.py": "JSON of a plan's steps, in another order",
    "engine/test_forget.py": "what lies longest ago",
    "engine/test_heartbeat.py": "leases by the database's clock",
    "engine/test_killed.py": "leases that nobody renews",
    "engine/test_waking.py": "what is due by the database's clock",
    "inbox": "one union of everything that waits, made of JSON members and ids as text",
    "notices": "letters and deliveries that one of many workers takes",
    "operations/test_health.py": "how long something has lasted",
    "operations/test_health_findings.py": "JSON of findings",
    "audit/test_erasure.py": "names inside of JSON",
    "people/test_everybody.py": "one union of three tables, ordered by what some of them lack",
    "people/test_figures.py": "weeks and days",
    "people/test_filters.py": "an order with what is empty, dates",
    "people/test_former_people.py": "names inside of JSON",
    "audit/test_timeline.py": "what happened, out of JSON and ids as text",
    "people/test_who_is_there.py": "days",
    "people_in_motion/test_end_dates.py": "days",
    "reconcile/test_differences.py": "what was found compared with JSON of records",
    "reconcile/test_take_over.py": "the same, taken over",
    "reconcile/test_walk.py": "rows that are there already, what is read ahead by page",
    "test_hold.py": "the time by which things open and end, in the middle of a query",
    "test_turned_back.py": "what lies further off than any wait",
    "records": "what a column refuses, the first migration to the last",
}
"""Rooms, or files of a room, and what of a database they are about."""

OWN = re.compile(
    r"django\.db\.models\.functions|django\.db import connection\b|KeyTransform|KeyTextTransform"
    r"|\bFunc\(|RawSQL|ignore_conflicts|update_conflicts|__contains|__has_key"
)
"""What a module of ours holds that asks a database in words of its own."""

OF_SQLITE = ("people_in_motion/test_restored.py",)
"""It goes back to an earlier state by SQLite's own copy."""
EVERYDAY = "not real and not browser and not thorough and not everything"


@pytest.mark.real
@pytest.mark.timeout(0)  # each test in the other processes has a bound
@pytest.mark.parametrize(
    "rooms", first_of([tuple(SQL_OF_THEIR_OWN), ROOMS]), ids=["SQL of their own", "all"]
)
def test_the_rooms_do_what_they_do_on_sqlite(
    server: postgresql.Address, rooms: tuple[str, ...], tmp_path: Path
) -> None:
    """Two processes, each with a database of its own. The folder is theirs, too: a run of pytest
    that ends clears those of others away, unless they have put their lock there by then.
    """
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE rooms_{len(rooms)}".encode())
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment["WORKSPACE_DATABASE_URL"] = server.url(f"rooms_{len(rooms)}")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", EVERYDAY,
        "-n", "2", "--dist", "loadfile", "-p", "tests.real.on_postgresql",
        f"--basetemp={tmp_path / 'run'}",
        *[f"--ignore=tests/{one}" for one in OF_SQLITE], *[f"tests/{room}" for room in rooms]],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    failed = re.findall(r"^(?:FAILED|ERROR) .*", run.stdout, re.MULTILINE)
    assert run.returncode == 0, "\n".join([*failed, run.stdout[-20000:], run.stderr[-2000:]])


def test_every_room_that_asks_a_database_in_words_of_its_own_is_named() -> None:
    source = ROOT / "src/workspace_manager"
    asking = {
        room for room in ROOMS
        for module in (source / room).rglob("*.py")
        if "migrations" not in module.parts and OWN.search(module.read_text())
    }  # fmt: skip
    assert asking <= {one.partition("/")[0] for one in SQL_OF_THEIR_OWN}
    assert all((ROOT / "tests" / one).exists() for one in SQL_OF_THEIR_OWN)
