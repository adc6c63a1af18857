"""The whole product on one machine: sandbox, web and worker as processes that end with us, however
we end.

Nothing is started again when it ends: a demo shows what happens then, and `environment` lets
anybody start a web or a worker beside it.
"""

import contextlib
import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import httpx

from workspace_sandbox import another_shell, children
from workspace_sandbox.patience import PATIENCE_S, START_S
from workspace_sandbox.real import mariadb
from workspace_sandbox.secrets_file import read_or_make

REAL_LIMIT_S = 1500
"""Seconds; the first start fetches and builds real parts."""
TEMPORARY = "workspace-manager-demo-"
DATABASE = "workspace.sqlite3"
FOR_A_SHELL = "environment"
COPIES_DATABASES = ("mariadb", "mariadb-dump")
"""The programs that snapshots of databases need."""


def parts_by_default(data_dir: Path | None, *, fresh: bool) -> frozenset[str]:
    """Return the real parts of a demo where nobody has chosen: MariaDB, if it is installed, because
    its stand-in cannot be copied into a snapshot. A demo goes on with the SQL server that it began
    with.
    """
    if mariadb.why_not() or not all(map(shutil.which, COPIES_DATABASES)):
        return frozenset()
    systems = data_dir / "systems" if data_dir else None
    if systems and not fresh and (systems / "sandbox.json").exists():
        return frozenset({"MariaDB"} if (systems / "mariadb").exists() else ())
    return frozenset({"MariaDB"})


class DemoFailed(RuntimeError):
    """The demo could not start; the text says which part, why, and where its log is."""


@dataclass
class Demo:
    """One demo. `data_dir` None: a temporary folder that is deleted with it."""

    port: int = 8000
    data_dir: Path | None = None
    real: bool = False
    only: frozenset[str] = frozenset()
    """Of the real parts, none but these; nothing: all of them."""
    fresh: bool = False
    settings: dict[str, str] = field(default_factory=dict)
    """Deployment settings that differ from those of a demo."""
    begun_with: ClassVar[Path | None] = None
    """A database that is copied before its migrations run, where it is there: tests start many."""
    folder: Path = Path()
    processes: "dict[str, subprocess.Popen[bytes]]" = field(default_factory=dict)

    def start(self) -> dict[str, Any]:
        """Real parts take half a minute to start and use ports of their own meanwhile."""
        for name in ("demo-sandbox", "demo-web", "demo-worker", "demo-seed"):
            children.remove_leftovers(name)
        with contextlib.ExitStack() as kept:
            if not self.port:
                # Real parts take half a minute to start, and ports of their own meanwhile.
                self.port = children.kept_port(kept)
            self._refuse_taken_port()
            self.folder = self._folder()
            try:
                return self._start(kept)
            except BaseException:
                self.stop()
                raise

    def _start(self, kept: contextlib.ExitStack) -> dict[str, Any]:
        """`kept`: what keeps the port until the web takes it."""
        limit = REAL_LIMIT_S if self.real else START_S
        ready, told = self.folder / "systems.ready.json", self.folder / "demo.json"
        ready.unlink(missing_ok=True)
        url = f"http://127.0.0.1:{self.port}"
        options = [
            "--data",
            str(self.folder / "systems"),
            "--manager-url",
            url,
            "--ready",
            str(ready),
        ]
        self._run(
            "sandbox",
            ["-m", "workspace_sandbox", *options, *self._parts()],
            {},
        )
        environment = self._environment(url)
        self._begin(environment)
        schema = self._run("schema", ["-m", "workspace_manager.cli", "migrate"], environment)
        self._wait("sandbox", ready.exists, limit)
        self._wait("schema", lambda: schema.poll() is not None, limit)
        systems = json.loads(ready.read_text())
        filling = ["-m", "workspace_sandbox.seed", str(told), str(ready)]
        seed = self._run("seed", filling, environment)
        kept.close()
        self._run("web", ["-m", "workspace_manager.cli", "serve"], environment)
        self._run("worker", ["-m", "workspace_manager.cli", "worker"], environment)
        self._wait("seed", lambda: seed.poll() is not None, limit)
        ready.unlink()
        self._wait("web", lambda: _answers(f"{url}/health/ready"), limit)
        for name in ("schema", "seed"):
            children.end(self.processes.pop(name), name=f"demo-{name}")
        known = json.loads(told.read_text())
        found = systems["systems"]
        shell = self.folder / FOR_A_SHELL
        shell.touch(mode=0o600)
        shell.write_text(another_shell.script(environment, found))
        return {
            "ready": True,
            "manager": url,
            **known,
            "environment": environment,
            "processes": {name: process.pid for name, process in self.processes.items()},
            "systems": found,
            "notes": systems["notes"],
            "mail": str(self.folder / "mail"),
            "shell": str(shell),
        }

    def _begin(self, environment: dict[str, str]) -> None:
        database = self.folder / DATABASE
        ours = environment["WORKSPACE_DATABASE_URL"] == f"sqlite:///{database}"
        if ours and not database.exists() and self.begun_with and self.begun_with.exists():
            database.touch(mode=0o600)
            shutil.copyfile(self.begun_with, database)

    def _parts(self) -> list[str]:
        only = [word for name in sorted(self.only) for word in ("--only", name)]
        return ["--real", *only] if self.real else []

    def _environment(self, url: str) -> dict[str, str]:
        values = read_or_make(self.folder / "systems")
        return {
            "WORKSPACE_BASE_URL": url,
            "WORKSPACE_DATABASE_URL": f"sqlite:///{self.folder / DATABASE}",
            "WORKSPACE_QUEUE_URL": f"sqlite:///{self.folder / 'queue.sqlite3'}",
            "WORKSPACE_SECRET_KEYS": values["manager.key"],
            "WORKSPACE_SNAPSHOTS_URL": f"{self.folder / 'snapshots'}",
            "WORKSPACE_EMAIL_URL": f"file://{self.folder / 'mail'}",
            "WORKSPACE_ALLOWED_HOSTS": "127.0.0.1,localhost",
            "WORKSPACE_FIRST_ADMINISTRATOR": "ada",
            "WORKSPACE_REGISTRATION_RATE": "0",
            "WORKSPACE_LONGEST_WAIT_SECONDS": "15",
            **self.settings,
        }

    def _folder(self) -> Path:
        if self.data_dir is None:
            return Path(tempfile.mkdtemp(prefix=TEMPORARY))
        folder = self.data_dir.resolve()
        if self.fresh and (folder / "systems" / "sandbox.json").exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        _refuse_earlier_version(folder / DATABASE)
        return folder

    def _refuse_taken_port(self) -> None:
        try:
            httpx.get(f"http://127.0.0.1:{self.port}/", timeout=1, trust_env=False)
        except httpx.ConnectError:
            return
        except httpx.HTTPError:
            pass
        raise DemoFailed(
            f"Something answers on port {self.port} already. Stop it, or give another --port."
        )

    def _run(
        self, name: str, arguments: list[str], environment: dict[str, str]
    ) -> "subprocess.Popen[bytes]":
        temporary = self.folder if self.data_dir is None and name == "sandbox" else None
        process = children.start(
            [sys.executable, *arguments], name=f"demo-{name}", cwd=self.folder, log=self._log(name),
            environment={**environment, "PYTHONUNBUFFERED": "1"}, temporary=temporary,
        )  # fmt: skip
        self.processes[name] = process
        return process

    def _log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _tail(self, name: str) -> str:
        return "\n".join(self._log(name).read_text(errors="replace").splitlines()[-15:])

    def _wait(self, name: str, done: Any, limit: float) -> None:
        deadline = time.monotonic() + limit
        while not done():
            if self.processes[name].poll() not in {None, 0}:
                raise DemoFailed(f"The {name} ended while starting:\n{self._tail(name)}")
            if time.monotonic() > deadline:
                raise DemoFailed(
                    f"The {name} was not ready after {limit:g} seconds:\n{self._tail(name)}"
                )
            time.sleep(0.05)

    def ended(self) -> list[str]:
        """Return the names of processes that ended by themselves since the last call."""
        gone = [name for name, process in self.processes.items() if process.poll() is not None]
        for name in gone:
            self.processes.pop(name)
        return gone

    def stop(self) -> None:
        """Stop everything and remove temporary files."""
        for process in self.processes.values():
            process.terminate()
        for name, process in self.processes.items():
            children.end(process, name=f"demo-{name}")
        self.processes.clear()
        if self.folder != Path():
            (self.folder / FOR_A_SHELL).unlink(missing_ok=True)
        if self.data_dir is None and self.folder != Path():
            shutil.rmtree(self.folder, ignore_errors=True)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=PATIENCE_S, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


def _refuse_earlier_version(database: Path) -> None:
    """Raise DemoFailed before anything is started if the data is of an earlier version, which this
    one cannot use.
    """
    if not database.exists():
        return
    known = "SELECT 1 FROM django_migrations WHERE app = 'records' AND name = '0001_initial'"
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as found:
        try:
            earlier = found.execute(known).fetchone()
        except sqlite3.Error:  # nothing was made in it yet
            return
    if earlier:
        raise DemoFailed("This demo was created by an earlier version. Start again with --fresh.")
