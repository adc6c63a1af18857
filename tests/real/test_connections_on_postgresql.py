"""A process has few connections to PostgreSQL, for however many threads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.real.test_manager_on_postgresql import execute
from workspace_sandbox.real import postgresql

pytestmark = pytest.mark.real
HERE = Path(__file__).parent


def test_few_connections_do_for_many_threads(server: postgresql.Address) -> None:
    execute(server, "postgres", "CREATE DATABASE few")
    url = server.url("few")
    environment = {**os.environ, "WORKSPACE_DATABASE_URL": url, "WORKSPACE_QUEUE_URL": url}
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout=600",
        str(HERE / "connections_on_postgresql.py")],
        cwd=HERE.parents[1], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
