"""The rooms do on PostgreSQL what they do on SQLite.

It keeps JSON in another order, refuses what is too long for its column, and has its own arithmetic
of days: each of these was a fault that tests on SQLite cannot see.
"""

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from workspace_sandbox.real import postgresql

# Each test in the other process has a bound, and how many there are says nothing about any of them.
pytestmark = [pytest.mark.real, pytest.mark.timeout(0)]
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
OF_SQLITE = ("people_in_motion/test_restored.py",)
"""It goes back to an earlier state by SQLite's own copy."""
EVERYDAY = "not real and not browser and not thorough and not everything"


def test_the_rooms_do_what_they_do_on_sqlite(server: postgresql.Address) -> None:
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE rooms")
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", EVERYDAY,
        "-p", "tests.real.on_postgresql", *[f"--ignore=tests/{one}" for one in OF_SQLITE],
        *[f"tests/{room}" for room in ROOMS]],
        cwd=ROOT, env={**os.environ, "WORKSPACE_DATABASE_URL": server.url("rooms")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
