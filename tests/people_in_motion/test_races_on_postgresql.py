"""The races on a real PostgreSQL, where rows are locked one by one and a transaction of somebody
else may come in between.
"""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.figures import report
from workspace_sandbox.real import postgresql

SEEDS = os.environ.get("RACES", "5")


@pytest.mark.real
@pytest.mark.timeout(0)  # each race in the other process has a bound
def test_no_interleaving_ends_wrong(
    real_part: Callable[..., Any], request: pytest.FixtureRequest
) -> None:
    """In a process of its own: which database the tables are in is chosen before the first test."""
    real_part("PostgreSQL", version=postgresql.version(), why_not=postgresql.why_not())
    server = postgresql.PostgreSQL()
    try:
        environment = {
            **os.environ,
            "WORKSPACE_DATABASE_URL": server.start().url("postgres"),
            "RACES": SEEDS,
        }
        command = [sys.executable, "-m", "pytest", "tests/people_in_motion/test_races.py", "-q"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
    finally:
        server.stop()
    assert done.returncode == 0, done.stdout[-4000:]
    told = [line for line in done.stdout.splitlines() if "none ended wrong" in line]
    assert told
    for line in told:
        report(request.node, f"on PostgreSQL: {line}")
