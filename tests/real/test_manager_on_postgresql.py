"""The manager itself on PostgreSQL: database and queue, with two workers; and many at once, where
SQLite lets in one at a time.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.attack import rows
from tests.attack.in_the_database import a_proof_that_is_edited_is_no_proof_any_more
from tests.attack.scene import Scene
from tests.figures import report
from tests.life.person import Life, Workspace
from tests.life.test_life import fresh, whole_life
from workspace_sandbox import children
from workspace_sandbox.demo import Demo
from workspace_sandbox.patience import eventually
from workspace_sandbox.real import postgresql

pytestmark = pytest.mark.real
ROOT = Path(__file__).parents[2]
DATABASE, QUEUE = "manager", "queue"
TOGETHER = (
    "tests/real/connections_on_postgresql.py",
    "tests/real/together_on_postgresql.py",
    "tests/real/verifying_on_postgresql.py",
    "tests/people_in_motion/test_races.py",
)
"""In this order: the first counts the connections of its process, of which the others have many."""


@pytest.fixture(scope="module")
def workspace(server: postgresql.Address) -> Iterator[Workspace]:
    """A demo of stand-ins whose manager keeps everything in PostgreSQL, with a second worker."""
    for name in (DATABASE, QUEUE):
        execute(server, "postgres", f"CREATE DATABASE {name}")
    urls = {
        "WORKSPACE_DATABASE_URL": server.url(DATABASE),
        "WORKSPACE_QUEUE_URL": server.url(QUEUE),
        "WORKSPACE_LEASE_SECONDS": "5",
    }
    demo = Demo(port=0, settings=urls)
    try:
        told = demo.start()
        demo.processes["second"] = worker(told, demo.folder, "second")
        told["processes"]["second"] = demo.processes["second"].pid
        yield Workspace(told)
    finally:
        demo.stop()


def worker(told: dict[str, Any], folder: Path, name: str) -> "subprocess.Popen[bytes]":
    return children.start(
        [sys.executable, "-m", "workspace_manager.cli", "worker"], name=f"demo-{name}", cwd=folder,
        log=folder / f"{name}.log", environment=told["environment"],
    )  # fmt: skip


def execute(server: postgresql.Address, database: str, statement: str) -> list[Any]:
    with closing(psycopg.connect(server.url(database), autocommit=True)) as connection:
        answer = connection.execute(statement.encode())
        return answer.fetchall() if answer.description else []


def test_a_whole_life(workspace: Workspace, server: postgresql.Address) -> None:
    """Register, approve, sign in, databases, notebook, removal and late look; nothing of it is kept
    anywhere but in PostgreSQL.
    """
    whole_life(workspace)
    [[removed]] = execute(
        server,
        DATABASE,
        "SELECT count(*) FROM records_plan WHERE kind = 'removal' AND state = 'done'",
    )
    assert removed == 1
    folder = Path(workspace.told["mail"]).parent
    assert not list(folder.glob("*.sqlite3*"))


@pytest.mark.parametrize(
    "attack",
    [
        rows.a_pickle_in_the_queue_runs_nothing,
        pytest.param(rows.no_row_is_a_pickle, marks=pytest.mark.everything),
        pytest.param(rows.a_pickle_in_the_cache_runs_nothing, marks=pytest.mark.everything),
    ],
)
def test_whoever_may_write_the_database_runs_nothing(
    attack: Callable[[Scene], None], workspace: Workspace
) -> None:
    attack(Scene(workspace))


def test_a_proof_that_is_edited_there_is_seen(workspace: Workspace) -> None:
    a_proof_that_is_edited_is_no_proof_any_more(Scene(workspace))


def is_done(life: Life, plan: str) -> bool:
    return bool(life.plan(plan)["state"] == "done")


@pytest.mark.everything  # test_departures_on_postgresql kills each process of more of them
def test_many_removals_by_two_workers_of_which_one_is_killed(workspace: Workspace) -> None:
    """Both work; what the killed one was at is taken over when its lease has ended, and no user is
    deleted twice.
    """
    people = [fresh(workspace) for _ in range(6)]
    for life in people:
        life.sign_in()
    start = workspace.control("identity_provider", "/calls?since=1000000000")["next"]
    slow = {"method": "", "path": "/admin/realms/", "fault": "delay", "seconds": 0.2, "times": 500}
    workspace.control("identity_provider", "/faults", slow)
    plans = [life.remove() for life in people]
    time.sleep(2)
    os.kill(workspace.told["processes"]["second"], signal.SIGKILL)
    for life, plan in zip(people, plans, strict=True):
        eventually("removed", partial(is_done, life, plan))
    workspace.control("identity_provider", "/faults", method="DELETE")
    calls = workspace.control("identity_provider", f"/calls?since={start}")["items"]
    deleted = Counter(
        call["path"] for call in calls if call["method"] == "DELETE" and call["effect"]
    )
    assert set(deleted.values()) == {1}
    assert {path.rpartition("/")[2] for path in deleted} >= {life.sub for life in people}


@pytest.mark.timeout(0)  # each test in the other process has a bound
def test_many_at_once(
    server: postgresql.Address, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Many threads with few connections; two workers, two requests, or one of each at the same
    rows: one wins, nobody waits for each other for ever; and the races of two people.

    One process of its own for all of them: it chooses the database before its first test, and makes
    the tables there once.
    """
    execute(server, "postgres", "CREATE DATABASE together")
    url = server.url("together")
    environment = {
        **os.environ,
        "WORKSPACE_DATABASE_URL": url,
        "WORKSPACE_QUEUE_URL": url,
        "RACES": os.environ.get("RACES", "5"),
    }
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
        "-p", "no:tests.longest_first", f"--basetemp={tmp_path / 'run'}", *TOGETHER],
        cwd=ROOT, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout[-6000:] + run.stderr[-2000:]
    lines = run.stdout.splitlines()
    assert "skipped" not in lines[-1], run.stdout
    races = [line for line in lines if "none ended wrong" in line]
    assert races
    for line in races:
        report(request.node, f"on PostgreSQL: {line}")
