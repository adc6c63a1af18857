"""The number of our files and functions that a request or a plan enters, and how often control goes
from one file to another: `python -m benchmarks.trace [--against DIR] [--list NAME]`.

Counted by what runs, not by what is imported: approving a registration, making a database, removing
a person, and a page of the list of people. The systems are the tests' world in memory. In a process
of its own for each checkout, as the engine's cost is (`one_database.py`).
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from django.test.utils import setup_test_environment

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "workspace_manager"
WITHIN = {"<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>"}
"""Parts of a function that Python runs as functions."""
HEADINGS = ("files", "functions", "changes of file", "calls")


@dataclass
class Trace:
    """The functions that were entered, in the order of their first call."""

    package: str
    functions: Counter[str] = field(default_factory=Counter)
    moves: Counter[str] = field(default_factory=Counter)
    """How often a function of one file called one of another, by both."""
    frames: list[str] = field(default_factory=list)
    """The files of our functions that are under way, the last one innermost."""

    def note(self, frame: FrameType, event: str, _argument: object) -> None:
        """As `sys.setprofile` calls it."""
        code = frame.f_code
        if event not in {"call", "return"} or not code.co_filename.startswith(self.package):
            return
        if code.co_name in WITHIN:
            return
        if event == "return":
            if self.frames:
                self.frames.pop()
            return
        file = code.co_filename.removeprefix(self.package)
        self.functions[f"{file}: {code.co_qualname}"] += 1
        if self.frames and self.frames[-1] != file:
            self.moves[f"{self.frames[-1]} -> {file}"] += 1
        self.frames.append(file)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Note what is entered meanwhile."""
        sys.setprofile(self.note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def figures(self) -> dict[str, Any]:
        """Of which `HEADINGS` are the first, and then what was counted."""
        return {
            "files": len({name.partition(":")[0] for name in self.functions}),
            "functions": len(self.functions),
            # There and back again.
            "changes of file": 2 * self.moves.total(),
            "calls": self.functions.total(),
            "entered": dict(self.functions.most_common()),
            "moves": dict(self.moves.most_common()),
        }


def trace(checkout: Path) -> dict[str, dict[str, Any]]:
    """The figures of each case in a checkout."""
    with tempfile.TemporaryDirectory(prefix="workspace-trace-") as home:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).resolve()), "--here", str(checkout.resolve())],
            env={
                **os.environ,
                "WORKSPACE_DATABASE_URL": f"sqlite:///{home}/trace.sqlite3",
                "WORKSPACE_QUEUE_URL": f"sqlite:///{home}/queue.sqlite3",
                "WORKSPACE_EMAIL_URL": "dummymail:",
            },
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    figures: dict[str, dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _figures(checkout: Path) -> dict[str, dict[str, Any]]:
    # beside this file, run by its path
    import one_database  # type: ignore[import-not-found]  # noqa: PLC0415

    one_database.begin(checkout)
    cases = _Cases(checkout)
    named: dict[str, Callable[[Trace, str], None]] = {
        "approval": cases.approve,
        "database": cases.make_database,
        "removal": cases.remove,
        "people": cases.list_people,
    }
    figures = {}
    for name, case in named.items():
        case(Trace(cases.package), "before")  # what is made once is made now
        seen = Trace(cases.package)
        case(seen, "traced")
        figures[name] = seen.figures()
    return figures


class _Cases:
    """The cases that are traced, by what this commit and those before it have in common."""

    def __init__(self, checkout: Path) -> None:
        setup_test_environment()
        self.package = str(checkout / "src" / PACKAGE) + os.sep
        self.people: ModuleType = importlib.import_module("tests.people_in_motion.people")
        self.visitors: ModuleType = importlib.import_module("tests.visitors")
        self.worker: ModuleType = importlib.import_module(f"{PACKAGE}.worker")
        self.plans: Any = importlib.import_module(f"{PACKAGE}.records.models").Plan.objects
        identities = importlib.import_module("tests.fake_world.identities")
        self.world = identities.WorldWithIdentities()
        self.root = self._visitor(self.people.administrator())
        self.worker.queue.immediate = True
        self.root.get("/")  # imports the doors
        for name, module in list(sys.modules.items()):
            if name.startswith(f"{PACKAGE}.") and callable(vars(module).get("connected_systems")):
                vars(module)["connected_systems"] = self.world.systems

    def _visitor(self, person: Any) -> Any:
        visitor = self.visitors.Visitor(person)
        visitor.force_login(person, self.visitors.BACKEND)
        return visitor

    def _ask(self, visitor: Any, *asked: Any) -> Any:
        answer = visitor.ask(*asked)
        assert answer.status_code < 300, answer.content
        return answer.json()

    def _work(self) -> None:
        """Run what is due, as the worker does."""
        for plan in list(self.plans.filter(state="running")):
            self.worker.run_plan.call_local(str(plan.id))

    def approve(self, seen: Trace, name: str) -> None:
        """Approve a registration."""
        registration = self.people.register(f"coming-{name}")
        with seen.running():
            self._ask(self.root, "POST", f"/registrations/{registration.id}/approve")

    def make_database(self, seen: Trace, name: str) -> None:
        """Ask for a database, and make it."""
        owner = self.people.settled(f"working-{name}", self.world)
        visitor = self._visitor(owner)
        wanted = {"kind": "sql_database", "label": "Notes"}
        with seen.running():
            self._ask(visitor, "POST", "/components", wanted)
            self._work()
        assert owner.components.get(kind="sql_database").state == "ready"

    def remove(self, seen: Trace, name: str) -> None:
        """Work on the approved removal of somebody who has a database."""
        owner = self.people.settled(f"leaving-{name}", self.world)
        self.people.make(owner, "sql_database", self.world)
        self._work()
        plan = self.people.remove(owner.username, self.world)
        with seen.running():
            self.worker.run_plan.call_local(str(plan.id))
        plan.refresh_from_db()
        assert plan.state == "done", plan.state

    def list_people(self, seen: Trace, _name: str) -> None:
        """Ask for a page of the people."""
        with seen.running():
            self._ask(self.root, "GET", "/people")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--list", help="name what one case entered, and what called what")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.here:
        print(json.dumps(_figures(chosen.here)))
        return
    checkouts = [ROOT, *([chosen.against] if chosen.against else [])]
    traced = {checkout: trace(checkout) for checkout in checkouts}
    for checkout, figures in traced.items():
        print(f"{checkout}")
        for name, found in figures.items():
            counted = ", ".join(f"{found[heading]} {heading}" for heading in HEADINGS)
            print(f"  {name:<9} {counted}")
    if chosen.list:
        for part in ("entered", "moves"):
            for name, count in traced[ROOT][chosen.list][part].items():
                print(f"{count:6} {name}")


if __name__ == "__main__":
    main()
