"""How many of our files and functions the worker enters for one removal: `python -m
benchmarks.trace [--against DIR] [--list]`.

Counted by what runs, not by what is imported. In a process of its own for each checkout, as the
engine's cost is (`one_database.py`).
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "workspace_manager"


def trace(checkout: Path) -> dict[str, list[str]]:
    """By file of the package, the functions entered while the worker works on an approved
    removal.
    """
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
    entered: dict[str, list[str]] = json.loads(done.stdout)
    return entered


def _entered(checkout: Path) -> dict[str, list[str]]:
    # beside this file, run by its path
    import one_database  # type: ignore[import-not-found]  # noqa: PLC0415

    one_database.begin(checkout)
    case = one_database.first_case()
    plan = case.approved("traced")
    worker = importlib.import_module(f"{PACKAGE}.worker")
    worker.queue.immediate = True
    for systems in ("connected_systems", "driven_systems"):  # now, and at commit 901658e
        if hasattr(worker, systems):
            setattr(worker, systems, one_database.systems_of(case.world))
    package = str(checkout / "src" / PACKAGE) + os.sep
    seen: set[tuple[str, str]] = set()

    def note(frame: Any, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(package):
            seen.add((code.co_filename.removeprefix(package), code.co_qualname))

    sys.setprofile(note)
    try:
        worker.run_plan.call_local(str(plan.id))
    finally:
        sys.setprofile(None)
    plan.refresh_from_db()
    assert plan.state == "done", plan.state
    entered: dict[str, list[str]] = {}
    for file, function in sorted(seen):
        entered.setdefault(file, []).append(function)
    return entered


def _line(name: object, entered: dict[str, list[str]]) -> str:
    functions = sum(len(each) for each in entered.values())
    return f"{name}: {len(entered)} files, {functions} functions entered for one removal"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another checkout")
    parser.add_argument("--list", action="store_true", help="name them all")
    parser.add_argument("--here", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.here:
        print(json.dumps(_entered(chosen.here)))
        return
    entered = trace(ROOT)
    print(_line("here", entered))
    if chosen.list:
        for file, functions in entered.items():
            print(f"  {file}: {', '.join(functions)}")
    if chosen.against:
        print(_line(chosen.against, trace(chosen.against)))


if __name__ == "__main__":
    main()
