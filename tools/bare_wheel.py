"""Build the manager's wheel, install it alone into a throw-away environment, and run the product
from there.

Shows what no test in the checkout can: that the wheel carries everything it needs (translations,
templates, migrations), and that nothing of the sandbox, nor a package that only the sandbox needs,
is needed to list commands, migrate, serve and work.
"""

import hashlib
import http.client
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tools import set_up
from workspace_sandbox.real.cache import directory, make_once

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "requirements" / "runtime.txt"
NOT_HERE = ("workspace_sandbox", "aiohttp", "mysql_mimic", "pyoxigraph", "sqlglot")
OF_THE_SANDBOX = ("demo", "sandbox", "storm")
HELP_CPU_S = 0.5
START_LIMIT_S = 600.0

TOLD = " INFO "
"""What a worker says of what it did, as of an audit that it sealed, is no complaint."""


def catches(process: int, signum: int) -> bool:
    """Return whether a process has a handler of its own for a signal (proc(5), `SigCgt`). Where
    that cannot be seen it counts as caught.
    """
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return True
    (mask,) = (line.split()[1] for line in status.read_text().splitlines() if "SigCgt" in line)
    return bool(int(mask, 16) >> (signum - 1) & 1)


class Wrong(Exception):
    """A thing that the wheel does not do."""


def main() -> int:
    """Build, install, run; gives 1 and says why when something is wrong."""
    with tempfile.TemporaryDirectory(prefix="workspace-manager-bare-") as folder:
        home = Path(folder)
        try:
            wheel = build(home)
            check_content(wheel)
            place = throw_away(home)
            if not set_up.install(place, ["--no-deps", str(wheel)]):
                raise Wrong("it could not be installed; why stands above")
            Product(place, home).all_of_it()
        except Wrong as why:
            print(f"bare wheel: {why}", file=sys.stderr)
            return 1
    print("bare wheel ok")
    return 0


def build(home: Path) -> Path:
    """Build the wheel with the pinned build packages of this environment."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(home)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Wrong(f"it could not be built:\n{done.stdout}{done.stderr}")
    return next(home.glob("*.whl"))


def check_content(wheel: Path) -> None:
    """Every translation is in it, compiled; nothing of the sandbox is, and no test."""
    names = set(zipfile.ZipFile(wheel).namelist())
    if strange := sorted(n for n in names if not n.startswith("workspace_manager")):
        raise Wrong(f"holds what is not the manager's: {', '.join(strange[:5])}")
    translations = {name.removesuffix(".po") for name in names if name.endswith(".po")}
    if not translations:
        raise Wrong("holds no translation")
    if missing := sorted(name for name in translations if f"{name}.mo" not in names):
        raise Wrong(f"not compiled: {', '.join(missing)}")


def throw_away(home: Path) -> Path:
    """Make an environment for this run alone, which sees what runtime.txt pins and nothing else.

    Those packages take half a minute to unpack. They never change under one name, so they are
    installed once, with their hashes, into a cached environment that this one looks into.
    """
    digest = hashlib.sha256(RUNTIME.read_bytes() + sys.version.encode()).hexdigest()[:12]
    packages = make_once(directory(f"runtime-{digest}"), install_runtime) / "environment"
    place = home / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    for folder in place.glob("lib/python*/site-packages"):
        (folder / "runtime.pth").write_text(f"{packages / folder.relative_to(place)}\n")
    return place


def install_runtime(draft: Path) -> None:
    place = draft / "environment"
    if not set_up.make_environment(place) or not set_up.install(place, set_up.hashed(RUNTIME)):
        raise Wrong("the pinned packages could not be installed; why stands above")


class Product:
    """The manager as somebody has it who installed nothing else: no checkout on the path, a folder
    of its own.
    """

    def __init__(self, environment: Path, home: Path) -> None:
        self.environment, self.home = environment, home
        self.port = free_port()
        self.settings = {
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(home),
            "WORKSPACE_BASE_URL": f"http://127.0.0.1:{self.port}",
            "WORKSPACE_SECRET_KEYS": "for this run only and for nothing else",
            "WORKSPACE_DATABASE_URL": f"sqlite:///{home / 'workspace.sqlite3'}",
            "WORKSPACE_QUEUE_URL": f"sqlite:///{home / 'queue.sqlite3'}",
        }

    def all_of_it(self) -> None:
        """Do what a plain install has to do, in the order of a person who tries it."""
        self.without_the_sandbox()
        self.command("--version", shows="workspace-manager ")
        print(f"  --help: {self.cpu_of_help():.2f} s of CPU")
        for name in OF_THE_SANDBOX:
            self.command(name, ends_with=2, shows="workspace-manager-sandbox")
        self.command("migrate", shows="up to date")
        with self.running("serve") as log:
            self.wait("serve", self.answers, log)
        self.python("import workspace_manager.bootstrap, workspace_manager.worker as w; w.sweep()")
        if not self.waiting():
            raise Wrong("what is asked of the worker does not reach its queue")
        with self.running("worker") as log:
            self.wait("worker", lambda: not self.waiting(), log)
            lines = log.read_text().splitlines()
            if complaints := [line for line in lines if TOLD not in line]:
                raise Wrong("\n".join(["worker complains:", *complaints]))
        print("  migrate, serve and worker run")

    def without_the_sandbox(self) -> None:
        """Nothing of it is there to be imported, nor what only it needs."""
        look = f"import importlib.util as u; print(*[n for n in {NOT_HERE} if u.find_spec(n)])"
        found = self.python(look).split()
        if found:
            raise Wrong(f"can be imported, and should not be there: {', '.join(found)}")

    def cpu_of_help(self) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.command("--help", shows="registrations")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if took > HELP_CPU_S:
            raise Wrong(f"--help takes {took:.2f} s of CPU; {HELP_CPU_S} are the most")
        return took

    def command(self, *arguments: str, ends_with: int = 0, shows: str) -> None:
        done = self.run([self.script, *arguments])
        said = done.stdout + done.stderr
        if done.returncode != ends_with or shows not in said:
            name = " ".join(arguments)
            raise Wrong(
                f"`{name}` ended with {done.returncode}, not {ends_with}, and said:\n{said}"
            )

    @contextmanager
    def running(self, name: str) -> Iterator[Path]:
        """Run a part until the block ends; it has to end well when it is told to."""
        log = self.home / f"{name}.log"
        with log.open("wb") as output:
            part = subprocess.Popen(
                [self.script, name],
                cwd=self.home,
                env=self.settings,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        try:
            yield log
            if part.poll() is not None:
                raise Wrong(f"{name} ended by itself:\n{log.read_text()}")
            # The queue's worker works a moment before it knows what a signal means.
            self.wait(name, lambda: catches(part.pid, signal.SIGTERM), log)
            part.send_signal(signal.SIGTERM)
            if part.wait(START_LIMIT_S):
                raise Wrong(f"{name} ended with {part.returncode}:\n{log.read_text()}")
        finally:
            part.kill()
            part.wait()

    def python(self, code: str) -> str:
        done = self.run([str(self.environment / "bin" / "python"), "-c", code])
        if done.returncode:
            raise Wrong(f"`{code}` ended with {done.returncode}:\n{done.stderr}")
        return done.stdout

    def answers(self) -> bool:
        try:
            asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            asked.request("GET", "/health/live")
            return asked.getresponse().status == 200
        except OSError:
            return False

    def waiting(self) -> int:
        """Return how much the worker has before it."""
        with closing(sqlite3.connect(self.home / "queue.sqlite3")) as queue:
            found: int = queue.execute("SELECT count(*) FROM task").fetchone()[0]
        return found

    def wait(self, name: str, is_there: Callable[[], bool], log: Path) -> None:
        until = time.monotonic() + START_LIMIT_S
        while not is_there():
            if time.monotonic() > until:
                raise Wrong(f"{name} does not run:\n{log.read_text()}")
            time.sleep(0.1)

    @property
    def script(self) -> str:
        return str(self.environment / "bin" / "workspace-manager")

    def run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.home, env=self.settings, capture_output=True, text=True, check=False
        )


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


if __name__ == "__main__":
    sys.exit(main())
