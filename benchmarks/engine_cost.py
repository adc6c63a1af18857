"""The cost of a removal for the engine and its database: statements, transactions and CPU, on every
database this machine has.

Each measurement is a process of its own (`one_database.py`), so that another checkout can be
measured by the same counting.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from workspace_sandbox.real import postgresql

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "benchmarks" / "one_database.py"
COLUMNS = ("writes", "changes", "statements", "transactions", "lone_writes", "cpu_ms")

Costs: TypeAlias = dict[str, dict[str, dict[str, float]]]
"""By case (a whole removal, each further write, each further component), database and column."""


def databases() -> dict[str, str]:
    """Every database there is a measurement for, and why it cannot run here ("": it can)."""
    return {"sqlite": "", "postgresql": postgresql.why_not() or ""}


def measure(checkout: Path, people: int) -> Costs:
    """The costs of one checkout on every database that can run here."""
    costs: Costs = {}
    for name, why_not in databases().items():
        if why_not:
            continue
        with fresh(name) as url:
            arguments = [str(checkout.resolve()), str(people)]
            for case, cost in in_a_process(SCRIPT, arguments, url).items():
                costs.setdefault(case, {})[name] = cost
    return costs


ROUNDS = 3
"""How often each checkout has its turn when several are compared."""


def measure_in_turns(checkouts: list[Path], people: int) -> list[Costs]:
    """The costs of several checkouts, measured by turns, and the least CPU each needed: a machine
    that is slow for a while is slow for all of them.
    """
    if len(checkouts) == 1:
        return [measure(checkouts[0], people)]
    turns = [[measure(checkout, people) for checkout in checkouts] for _ in range(ROUNDS)]
    return [_with_least_cpu(list(costs)) for costs in zip(*turns, strict=True)]


def _with_least_cpu(turns: list[Costs]) -> Costs:
    return {
        case: {
            database: cost | {"cpu_ms": min(turn[case][database]["cpu_ms"] for turn in turns)}
            for database, cost in by_database.items()
        }
        for case, by_database in turns[0].items()
    }


@contextmanager
def fresh(database: str) -> Iterator[str]:
    """The address of an empty database that goes away afterwards."""
    if database == "sqlite":
        with tempfile.TemporaryDirectory(prefix="workspace-bench-") as home:
            yield f"sqlite:///{home}/workspace.sqlite3"
        return
    server = postgresql.PostgreSQL()
    try:
        yield server.start().url("postgres")
    finally:
        server.stop()


def in_a_process(script: Path, arguments: list[str], url: str) -> dict[str, dict[str, float]]:
    """Return what a script that measures one database prints."""
    environment = {**os.environ, "WORKSPACE_DATABASE_URL": url, "WORKSPACE_LOG_LEVEL": "ERROR"}
    environment.pop("PYTHONPATH", None)
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    costs: dict[str, dict[str, float]] = json.loads(done.stdout)
    return costs


def table(costs: Costs) -> list[str]:
    """Lines to print: one for each database and case, and one for each database that is missing."""
    head = f"{'database':<12}{'case':<20}" + "".join(f"{name:>14}" for name in COLUMNS)
    lines = [head, "-" * len(head)]
    for case, by_database in costs.items():
        for database, cost in by_database.items():
            cells = (f"{cost[name]:.1f}" if name in cost else "" for name in COLUMNS)
            lines.append(
                f"{database:<12}{case:<20}"
                + "".join(f"{cell.removesuffix('.0'):>14}" for cell in cells)
            )
    for name, why_not in databases().items():
        if why_not:
            lines.append(f"NOT MEASURED on {name}: {why_not}")
    return lines


def ratios(costs: Costs, earlier: Costs) -> Costs:
    """Return how much of the earlier costs is left: 0.5 is half."""
    return {
        case: {
            database: {
                name: round(value / earlier[case][database][name], 3)
                for name, value in cost.items()
                if earlier[case][database].get(name)
            }
            for database, cost in by_database.items()
        }
        for case, by_database in costs.items()
    }


def ratio_lines(ratio: Costs) -> list[str]:
    """Lines to print: what is left of the earlier checkout's costs."""
    names = ("statements", "transactions", "cpu_ms")
    return [
        f"{database:<12}{case:<20}"
        + "   ".join(f"{name} x {cost[name]:.2f}" for name in names if name in cost)
        for case, by_database in ratio.items()
        for database, cost in by_database.items()
    ]
