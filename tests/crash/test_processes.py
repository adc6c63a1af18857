"""Real processes, really killed: worker and web several times within one removal, and a worker that
is frozen past its lease.
"""

import contextlib
import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.figures import report
from tests.life.person import Life, Workspace
from tests.life.test_life import fresh
from workspace_sandbox import children
from workspace_sandbox.demo import Demo
from workspace_sandbox.patience import PATIENCE_S, eventually

# Not among the everyday tests: after each kill a lease has to end and a process to start. Part of
# `make matrix` and `make real`.
pytestmark = pytest.mark.real
LEASE_S = 10
"""Longer than the calls between two renewals take, slow as they are made."""
SYSTEMS = ("identity_provider", "drive", "sql_server", "triplestore", "container_manager")
KILLS = 3


@pytest.fixture
def demo() -> Iterator[Demo]:
    settings = {
        "WORKSPACE_LEASE_SECONDS": str(LEASE_S),
        "WORKSPACE_LONGEST_WAIT_SECONDS": "0.3",
        "WORKSPACE_PREVIEW_WAIT_SECONDS": "0",
        "WORKSPACE_HEALTH_CHECK_MINUTES": "600",
    }
    made = Demo(port=0, settings=settings)
    try:
        yield made
    finally:
        for process in made.processes.values():  # one that is frozen could not be asked to end
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
        made.stop()


@pytest.fixture
def life(demo: Demo) -> Life:
    """Somebody with an account in every system that takes a call for each."""
    life = fresh(Workspace(demo.start()))
    assert life.sign_in().status_code == 200
    # A check of new settings may drop an account of its own. It ends before the removal.
    eventually("the SQL server was checked", partial(is_checked, life.workspace))
    life.make("sql_database", "Notes")
    life.make("triplestore_repository", "Finds")
    return life


def slowly(workspace: Workspace) -> None:
    """From now on a removal takes a while: every call does."""
    for name in SYSTEMS:
        workspace.control(name, "/faults", {"fault": "delay", "seconds": 0.5, "times": 5000})


def quickly(workspace: Workspace) -> None:
    for name in SYSTEMS:
        workspace.control(name, "/faults", method="DELETE")


def has_more_calls(workspace: Workspace, than: int) -> bool:
    return calls(workspace) > than


def calls(workspace: Workspace) -> int:
    return sum(workspace.control(name, "/calls?since=1000000000")["next"] for name in SYSTEMS)


def effects_on(workspace: Workspace, name: str) -> list[dict[str, Any]]:
    """The calls that changed this system, in order."""
    items: list[dict[str, Any]] = workspace.control(name, "/calls")["items"]
    return [call for call in items if call["effect"]]


def is_checked(workspace: Workspace) -> bool:
    return bool(workspace.api.get("/systems/sql_server").json()["checked_at"])


def drops_of_accounts(effects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [call for call in effects if call["path"].upper().startswith("DROP USER")]


def start(demo: Demo, workspace: Workspace, command: str, name: str) -> None:
    demo.processes[name] = children.start(
        [sys.executable, "-m", "workspace_manager.cli", command], name=f"demo-{name}",
        cwd=demo.folder,
        log=demo.folder / f"{name}.log", environment=workspace.told["environment"],
    )  # fmt: skip


def kill(demo: Demo, name: str) -> None:
    demo.processes[name].kill()
    assert demo.processes[name].wait(PATIENCE_S) == -signal.SIGKILL


def plan_state(demo: Demo) -> str:
    """Asked of the database: the web may be dead."""
    with closing(
        sqlite3.connect(demo.folder / "workspace.sqlite3", timeout=PATIENCE_S)
    ) as database:
        [[state]] = database.execute("SELECT state FROM records_plan WHERE kind = 'removal'")
        return str(state)


def freeze(demo: Demo, pid: int) -> bool:
    """Whether it stands still, and others can write: a lock of SQLite's is no lease, and whoever is
    frozen with it holds up everybody.
    """
    os.kill(pid, signal.SIGSTOP)
    stat = Path(f"/proc/{pid}/stat")
    eventually("it stands still", lambda: stat.read_text().rpartition(")")[2].split()[0] == "T")
    with (
        contextlib.suppress(sqlite3.OperationalError),
        closing(sqlite3.connect(demo.folder / "workspace.sqlite3", timeout=0.2)) as database,
    ):
        database.execute("BEGIN IMMEDIATE")
        return True
    os.kill(pid, signal.SIGCONT)
    return False


def nothing_twice(demo: Demo, life: Life) -> None:
    """Everything is gone, by one write each, and it was written down once."""
    for name in SYSTEMS:
        effects = effects_on(life.workspace, name)
        if name == "sql_server":
            made = max(one["n"] for one in effects if one["path"].startswith("CREATE DATABASE"))
            drops = [call for call in drops_of_accounts(effects) if call["n"] > made]
            assert len(drops) == 1, drops
            continue
        once = Counter(call["path"] for call in effects if call["method"] == "DELETE")
        assert all(times == 1 for times in once.values()), once
    with closing(
        sqlite3.connect(demo.folder / "workspace.sqlite3", timeout=PATIENCE_S)
    ) as database:
        for query in (
            "SELECT count(*) FROM records_auditentry WHERE event = 'removal:finished'",
            "SELECT count(*) FROM records_tombstone",
        ):
            assert database.execute(query).fetchall() == [(1,)]
    assert life.workspace.api.get(f"/people/{life.username}").status_code == 404


def web_answers(workspace: Workspace) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{workspace.manager}/health/ready", trust_env=False).status_code == 200
    return False


def test_worker_and_web_are_killed_again_and_again(
    demo: Demo, life: Life, request: pytest.FixtureRequest
) -> None:
    workspace = life.workspace
    slowly(workspace)
    life.remove()
    for n in range(KILLS):
        before = calls(workspace)
        eventually("the worker is at it", partial(has_more_calls, workspace, before + 4))
        assert plan_state(demo) != "done", "it was too fast to be killed so often"
        kill(demo, "worker")
        if n != 1:
            kill(demo, "web")
            start(demo, workspace, "serve", "web")
        time.sleep(LEASE_S + 0.2)  # no sweep sees it before: the dead one's lease stands
        start(demo, workspace, "worker", "worker")
    quickly(workspace)
    eventually("removed", lambda: plan_state(demo) == "done")
    eventually("the web answers again", lambda: web_answers(workspace))
    nothing_twice(demo, life)
    report(
        request.node,
        (
            f"kill -9 within one removal: {KILLS} times the worker, {KILLS - 1} times the web; "
            f"nothing lost, nothing twice"
        ),
    )


def test_a_worker_is_frozen_past_its_lease_and_goes_on(
    demo: Demo, life: Life, request: pytest.FixtureRequest
) -> None:
    workspace = life.workspace
    slowly(workspace)
    before = calls(workspace)
    life.remove()
    eventually("the worker is at it", lambda: calls(workspace) > before + 4)
    assert plan_state(demo) != "done"
    frozen = demo.processes["worker"]
    eventually("it is frozen outside of a transaction", lambda: freeze(demo, frozen.pid))
    time.sleep(LEASE_S + 0.2)
    start(demo, workspace, "worker", "second")
    quickly(workspace)
    eventually("removed by the other", lambda: plan_state(demo) == "done")
    os.kill(frozen.pid, signal.SIGCONT)
    time.sleep(2)
    assert frozen.poll() is None
    nothing_twice(demo, life)
    report(request.node, "a real worker frozen past its lease and thawed: nothing twice")
