"""Run the suites of `make test` or `make everything`, whichever of them fails; at the end say why
tests failed, the first cause in time first, and how many minutes each part took beside its budget.

    python -m tools.every_suite test static+bare-wheel unit thorough+real

Suites that a plus joins run at once. `make everything` notes the commit at which all of it was
green, for docs/reference/verified-against.md. Standard library only.
"""

import datetime
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools import budget, verified_against

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "test-results"


@dataclass(frozen=True)
class Ran:
    """One suite that was run, or several at once."""

    suite: str
    seconds: float
    well: bool


def main(
    name: str,
    suites: Sequence[str],
    make: Callable[[str], bool] | None = None,
    results: Path = RESULTS,
) -> int:
    """Run them and print the report. Gives 1 when one failed."""
    shutil.rmtree(results / "causes", ignore_errors=True)
    ran = [timed(suite, make or by_make) for suite in suites]
    lines = [*causes(results), *table(ran)]
    lines += table_of_parts(results) if any("real" in suite.split("+") for suite in suites) else []
    print("\n".join(lines), flush=True)
    for one in ran:
        if not one.well:
            sentence = f"make {name}: {one.suite} failed; what failed is further up, or run: make "
            print(f"{sentence}{one.suite.replace('+', ' ')}", file=sys.stderr)
    well = all(one.well for one in ran)
    if name == "everything" and well:
        print(note_commit(results), flush=True)
    if name == "test":
        print(the_rest(), flush=True)
    return int(not well)


def by_make(suite: str) -> bool:
    """Variables of the command line reach it by MAKEFLAGS. What runs at once is printed one after
    the other.
    """
    targets = suite.split("+")
    at_once = [f"-j{os.cpu_count()}", "--output-sync=target", "--keep-going"]
    command = [os.environ.get("MAKE", "make"), "--no-print-directory"]
    return subprocess.call([*command, *(at_once if len(targets) > 1 else []), *targets]) == 0


def timed(suite: str, make: Callable[[str], bool]) -> Ran:
    began = time.monotonic()
    well = make(suite)
    return Ran(suite, time.monotonic() - began, well)


def causes(results: Path) -> list[str]:
    """Return why tests failed, suite by suite, as tests/causes.py wrote it down."""
    lines = []
    for file in sorted((results / "causes").glob("*.json"), key=lambda one: one.stat().st_mtime):
        lines += [f"  {file.stem}: {cause['line']}" for cause in json.loads(file.read_text())]
    return ["", "causes, the first in time first:", *lines] if lines else []


def table(ran: Sequence[Ran]) -> list[str]:
    """Minutes of each suite, beside what it may take."""
    total = sum(one.seconds for one in ran) / 60
    lines = ["", f"minutes on {os.cpu_count()} cores, and the budget on two quiet ones:"]
    for one in ran:
        words = "" if one.well else "failed"
        lines.append(_row(one.suite, one.seconds / 60, budget.SUITES.get(one.suite), words))
    known = all(one.suite in budget.SUITES for one in ran)
    words = ""
    if known and total > budget.BESIDE_OTHER_WORK:
        words = f"over {budget.BESIDE_OTHER_WORK:g}, which it may take beside other work"
    return [*lines, _row("all", total, budget.TOTAL if known else None, words)]


def table_of_parts(results: Path) -> list[str]:
    """Return the table of the real parts, where this run had some."""
    kept = results / verified_against.RESULT.name
    if not kept.exists():
        return []
    found = json.loads(kept.read_text())
    minutes = {name: part["minutes"] for name, part in found["parts"].items()}
    minutes["several parts"] = found["several_minutes"]
    rows = [_row(name, took, budget.REAL_PARTS.get(name)) for name, took in minutes.items()]
    return ["of these, checks on real parts:", *rows]


def _row(name: str, minutes: float, allowed: float | None, words: str = "") -> str:
    of = "" if allowed is None else f"{allowed:5.1f}"
    over = "" if allowed is None or minutes <= allowed + 0.05 else "took longer"
    said = ", ".join(word for word in (over, words) if word)
    return f"  {name:<18} {minutes:5.1f}  {of:>5}  {said}".rstrip()


def note_commit(results: Path) -> str:
    """Keep at which commit everything was green; gives what to say."""
    if _git("status", "--porcelain"):
        return "everything is green, on a tree that no commit has: it is not noted"
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    commit = _git("rev-parse", "--short=12", "HEAD")
    results.mkdir(exist_ok=True)
    kept = results / verified_against.EVERYTHING.name
    kept.write_text(json.dumps({"commit": commit, "day": day}) + "\n")
    return f"everything is green at {commit}; `make verified-against` writes that down"


def the_rest() -> str:
    """Return what this run left out, and when that was last run."""
    last = verified_against.last_green(verified_against.PAGE.read_text())
    return f"`make everything` has the rest (docs/development/tests.md). {last}."


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
