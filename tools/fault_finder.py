"""The test that finds a fault: a copy of the tree with the fault in it, and the tests of its room,
run until one fails.
"""

import contextlib
import dataclasses
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import psycopg

from tools.fault_rooms import PACKAGE, Room, Tests
from tools.fault_sites import Fault
from workspace_sandbox.real import postgresql

LIMIT_S = 3 * 3600
NOTHING = " (cannot be collected)"
REST = "everything"
"""The marker of what `make test` leaves out."""
STAND_INS, REAL_PART, POSTGRESQL = "stand-ins", "real part", "PostgreSQL"
CHOSEN = {
    STAND_INS: "not real and not browser",
    REAL_PART: "real and not browser",
    POSTGRESQL: "not real and not browser and not thorough",
}


@dataclasses.dataclass
class Verdict:
    """The tests' verdict on one fault. `ran`: how many ran until then. `asked_all`: whether its
    real part was asked too.
    """

    found_by: str = ""
    on: str = ""
    ran: int = 0
    asked_all: bool = False


class Copy:
    """A worktree of one revision, in which faults are planted."""

    def __init__(self, place: Path, database: str = "") -> None:
        self.place = place
        self.database = database
        """The address of a PostgreSQL's database for tests on one."""

    def revision(self) -> str:
        command = ["git", "rev-parse", "--short=12", "HEAD"]
        told = subprocess.run(command, cwd=self.place, capture_output=True, text=True, check=True)
        return told.stdout.strip()

    def in_make_test(self, chosen: str) -> str:
        """Of the tests that are chosen, those that `make test` runs."""
        known = f'"{REST}' in (self.place / "pyproject.toml").read_text()
        return f"{chosen} and not {REST}" if known else chosen

    def plant(self, fault: Fault) -> None:
        """Raises LookupError where its place is gone."""
        file = self.place / fault.path
        if not file.exists():
            raise LookupError(f"{fault.path} is no longer there")
        file.write_text(fault.in_text(file.read_text()))

    def mend(self, fault: Fault) -> None:
        subprocess.run(["git", "checkout", "-q", "--", fault.path], cwd=self.place, check=True)

    def first_failure(self, arguments: Sequence[str], on: str) -> tuple[str, int]:
        """Run tests until one fails. Gives its id ("": none did), and how many ran."""
        path = os.pathsep.join(str(self.place / one) for one in ("", "src", "sandbox/src"))
        # What was compiled is taken for that of a file of the same size and second.
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "--tb=no", "-r", "N"]
        command += ["-p", "no:tests.longest_first"]
        if on == POSTGRESQL:
            environment["WORKSPACE_DATABASE_URL"] = self.database
            command += ["-p", "tests.real.on_postgresql"]
        with tempfile.TemporaryDirectory() as kept:
            command += ["-o", f"cache_dir={kept}", *arguments]
            run = subprocess.run(
                command, cwd=self.place, env=environment, timeout=LIMIT_S,
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            failed = Path(kept) / "v" / "cache" / "lastfailed"
            ids = [*json.loads(failed.read_text())] if failed.exists() else []
        if not ids and run.returncode not in {0, 5}:
            ids = [f"{arguments[0]}{NOTHING}"]
            print(run.stdout[-2000:], run.stderr[-2000:], sep="\n", file=sys.stderr, flush=True)
        counted = re.findall(r"(\d+) (?:passed|failed|errors?)\b", run.stdout)
        return (ids[0] if ids else ""), sum(map(int, counted))


Stage = tuple[str, Tests]


class Finder:
    """Asks the tests of a room about a fault."""

    def __init__(self, copy: Copy, red: list[str]) -> None:
        self.copy = copy
        self.red = red
        """Tests that fail without a fault too: they are left out."""

    def look(self, fault: Fault, stages: Iterable[Stage]) -> Verdict:
        """Run the tests of some stages until one of them finds it."""
        seen = Verdict()
        for on, (where, *which) in stages:
            files = nearest_first(fault, self.copy.place, where)
            chosen = ["-m", self.copy.in_make_test(CHOSEN[on])]
            while not seen.found_by:
                left_out = [f"--deselect={test}" for test in self.red]
                test, ran = self._with(fault, [*files, *which, *chosen, *left_out], on)
                seen.ran += ran
                if not test:
                    break
                if self._passes_without(test, on):
                    seen.found_by, seen.on = test, on
                elif test in self.red:
                    raise RuntimeError(f"{test} fails without a fault and cannot be left out")
                else:
                    self.red.append(test)
        return seen

    def look_again(self, fault: Fault, room: Room, before: Verdict) -> Verdict:
        """See whether who found it is still asked, and still finds it; if not, who does."""
        only = ["-m", self.copy.in_make_test("real or not real")]
        test, ran = self._with(fault, [before.found_by, *only], before.on)
        if test == before.found_by:
            return Verdict(test, before.on, ran)
        return self.look(fault, [*on_stand_ins(room), *on_real_parts(room)])

    def _passes_without(self, test: str, on: str) -> bool:
        if test.endswith(NOTHING):
            collects = [test.removesuffix(NOTHING), "--collect-only"]
            return not self.copy.first_failure(collects, on)[0]
        failed, ran = self.copy.first_failure([test], on)
        return bool(ran) and not failed

    def _with(self, fault: Fault, arguments: Sequence[str], on: str) -> tuple[str, int]:
        self.copy.plant(fault)
        try:
            return self.copy.first_failure(arguments, on)
        finally:
            self.copy.mend(fault)


def on_stand_ins(room: Room) -> list[Stage]:
    return [(STAND_INS, tests) for tests in room.tests]


def on_real_parts(room: Room) -> list[Stage]:
    on_postgresql = [(POSTGRESQL, tests) for tests in room.on_postgresql]
    return [(REAL_PART, tests) for tests in room.real] + on_postgresql


def nearest_first(fault: Fault, tree: Path, where: str) -> list[str]:
    """The files of tests in a folder: those first whose names have most words of the fault's. A
    file, or a test in one, is itself.
    """
    if (tree / where.partition("::")[0]).is_file():
        return [where]
    words = words_of(fault.path.removeprefix(PACKAGE))
    files = sorted((tree / where).rglob("test_*.py"))
    files.sort(key=lambda file: -len(words & words_of(file.stem)))
    return [file.relative_to(tree).as_posix() for file in files]


def words_of(name: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", name)}


@contextlib.contextmanager
def copy_of(root: Path) -> Iterator[Copy]:
    """Give a copy of the commit that is checked out, and a PostgreSQL for it."""
    git = ["git", "-C", str(root), "worktree"]
    server = postgresql.PostgreSQL()
    address = server.start()
    with psycopg.connect(address.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE rooms")
    folder = Path(tempfile.mkdtemp(prefix="planted-faults-"))
    folder.chmod(0o755)  # real parts run as other accounts
    place = folder / "tree"
    try:
        subprocess.run([*git, "add", "-q", "--detach", str(place), "HEAD"], check=True)
        compiles = [sys.executable, "tools/compile_messages.py"]
        subprocess.run(compiles, cwd=place, check=True, capture_output=True)
        yield Copy(place, address.url("rooms"))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([*git, "prune"], check=True)
        server.stop()
