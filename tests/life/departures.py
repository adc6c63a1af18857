"""Many people leave at once a manager that keeps everything in PostgreSQL, with several workers and
webs: for tests, and for `make bench`.

Everything but PostgreSQL is a stand-in. What is asked of PostgreSQL is asked on one connection of
the administrator's, who has a place there when nobody else has.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg

from tests.life.person import Workspace
from workspace_sandbox import children
from workspace_sandbox.demo import Demo
from workspace_sandbox.real import postgresql

DATABASE = "manager"
LIMIT_S = 1200
"""For everything there is to wait for: so long that only what stands still takes it."""
_SETTLE = (sys.executable, "-m", "workspace_sandbox.storm.settle")
TICKS = os.sysconf("SC_CLK_TCK")
MINE = f"FROM pg_stat_activity WHERE datname = '{DATABASE}' AND pid <> pg_backend_pid()"


@dataclass
class Measured:
    """What many departures took that were approved at once."""

    people: int
    workers: int
    seconds: float = 0
    cpu_s: float = 0
    """Of all workers."""
    connections_at_rest: int = 0
    connections_at_most: int = 0

    @property
    def each_s(self) -> float:
        return self.cpu_s / self.people

    @property
    def a_second(self) -> float:
        return self.people / self.seconds


@dataclass
class Crowd:
    """A running manager in PostgreSQL, and people who are let in and leave."""

    workspace: Workspace
    demo: Demo
    database: "psycopg.Connection[Any]"
    environment: dict[str, str]
    processes: "dict[str, subprocess.Popen[bytes]]" = field(default_factory=dict)
    commands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    most: int = 0
    """Connections that were seen at the same time while something was waited for."""

    def kill_and_start(self, name: str) -> None:
        """Kill one of them where it stands, and start it again."""
        killed = self.processes[name]
        os.killpg(killed.pid, signal.SIGKILL)
        killed.wait()
        self.start(name, *self.commands[name])

    def start(self, name: str, *command: str) -> None:
        """Start a worker or a web."""
        self.commands[name] = command
        self.processes[name] = children.start(
            [sys.executable, "-m", "workspace_manager.cli", *command],
            name=f"demo-{name}",
            cwd=self.demo.folder,
            log=self.demo.folder / f"{name}.log",
            environment=self.environment,
        )
        self.demo.processes[name] = self.processes[name]

    def settle(self, people: int) -> list[dict[str, Any]]:
        """Let people in, each with something in every system; gives who came in."""
        file = self.demo.folder / "settled.json"
        reached = json.dumps(self.workspace.told["systems"])
        log = self.demo.folder / "settle.log"
        done = subprocess.run(
            [*_SETTLE, str(file), reached, str(people)],
            env={**os.environ, **self.environment},
            stdout=log.open("w"),
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, log.read_text()[-3000:]
        found: list[dict[str, Any]] = json.loads(file.read_text())
        return found

    def draft(self, people: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Draft the removal of each, and wait until each preview is there."""
        api = self.workspace.api
        plans = [api.post(f"/people/{one['username']}/removal").json() for one in people]
        self.wait("SELECT count(*) = 0 FROM records_plan WHERE state = 'draft' AND due_at <= now()")
        return plans

    def approve(self, plans: list[dict[str, Any]]) -> None:
        """Approve all of them while the workers stand still: what comes at once is worked on."""
        self._signal(signal.SIGSTOP)
        with ThreadPoolExecutor(4) as administrators:
            for answer in administrators.map(self._approve, plans):
                assert answer.status_code == 202, answer.text
        self._signal(signal.SIGCONT)

    def _approve(self, plan: dict[str, Any]) -> httpx.Response:
        return self.workspace.api.post(
            f"/plans/{plan['id']}/approve", json={"digest": plan["digest"]}
        )

    def _signal(self, which: int) -> None:
        for process in self.workers():
            process.send_signal(which)

    def workers(self) -> "list[subprocess.Popen[bytes]]":
        return [one for name, one in self.processes.items() if name.startswith("worker")]

    def states(self) -> dict[str, int]:
        """How many removals are in which state."""
        rows = "SELECT state, count(*) FROM records_plan WHERE kind = 'removal' GROUP BY state"
        return dict(self.database.execute(rows).fetchall())

    def connections(self) -> int:
        row = self.database.execute(f"SELECT count(*) {MINE}".encode()).fetchone()
        assert row
        return int(row[0])

    def wait(self, condition: str, *, limit_s: float = LIMIT_S) -> None:
        """Wait until a statement says true."""
        end = time.monotonic() + limit_s
        while True:
            row = self.database.execute(condition.encode()).fetchone()
            self.most = max(self.most, self.connections())
            if row and row[0]:
                return
            assert time.monotonic() < end, f"{condition}: not so; removals: {self.states()}"
            time.sleep(0.1)

    def cpu_s(self) -> float:
        """CPU that the workers took since they began."""
        return sum(_cpu_s(one.pid) for one in self.workers())


@contextmanager
def crowd(
    *, workers: int, webs: int = 1, max_connections: int = 250, **settings: str
) -> Iterator[Crowd]:
    """A manager with so many workers and webs, on a PostgreSQL with so many connections."""
    server = postgresql.PostgreSQL(settings={"max_connections": str(max_connections)})
    demo = Demo(port=0)
    try:
        address = server.start()
        with psycopg.connect(address.url("postgres"), autocommit=True) as administrator:
            # Not a superuser: those have places of their own.
            administrator.execute("CREATE ROLE manager LOGIN PASSWORD 'manager'")
            administrator.execute("CREATE DATABASE manager OWNER manager")
        url = f"postgresql://manager:manager@{address.host}:{address.port}/{DATABASE}"
        demo.settings = {
            "WORKSPACE_DATABASE_URL": url,
            "WORKSPACE_QUEUE_URL": url,
            "WORKSPACE_TOKEN_RATE": "0",
            "WORKSPACE_PERSON_RATE": "0",
            "WORKSPACE_PREVIEW_WAIT_SECONDS": "0",
            **settings,
        }
        told = demo.start()
        with psycopg.connect(address.url(DATABASE), autocommit=True) as database:
            running = Crowd(Workspace(told), demo, database, told["environment"])
            for name, command in (("worker", "worker"), ("web", "serve")):
                running.processes[name] = demo.processes[name]
                running.commands[name] = (command,)
            for n in range(2, workers + 1):
                running.start(f"worker{n}", "worker")
            for _ in range(2, webs + 1):
                running.start("web2", "serve", "--port", str(children.free_port()))
            yield running
    finally:
        demo.stop()
        server.stop()


def measure(people: int, *, workers: int, webs: int = 1, max_connections: int = 250) -> Measured:
    """Let many leave at once."""
    found = Measured(people, workers)
    with crowd(workers=workers, webs=webs, max_connections=max_connections) as running:
        plans = running.draft(running.settle(people))
        found.connections_at_rest = running.connections()
        running.approve(plans)
        cpu_s, begin = running.cpu_s(), time.monotonic()
        while running.states().get("done", 0) < people:
            found.connections_at_most = max(found.connections_at_most, running.connections())
            assert time.monotonic() < begin + LIMIT_S, running.states()
            time.sleep(0.1)
        found.seconds = time.monotonic() - begin
        found.cpu_s = running.cpu_s() - cpu_s
    return found


def _cpu_s(pid: int) -> float:
    """User's and system's time of one process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
