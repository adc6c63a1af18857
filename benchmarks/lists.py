"""How long the lists take in front of a thousand components, five hundred stacks and a hundred and
twenty projects: each page and each REST list, beside the bare query of its rows in the same run.

Each database is measured in a process of its own (`lists_one_database.py`). Times are of the whole
answer, inside the process: the network is not measured.
"""

from pathlib import Path
from typing import TypeAlias

from benchmarks import engine_cost

ROUNDS = 40
LIMIT_MS = 100.0
"""What 95 of 100 answers have to stay below."""
SCRIPT = Path(__file__).with_name("lists_one_database.py")

Figures: TypeAlias = dict[str, dict[str, dict[str, float]]]
"""By address, database and column."""


def measure(rounds: int = ROUNDS) -> Figures:
    """Every list on every database that can run here."""
    figures: Figures = {}
    for name, why_not in engine_cost.databases().items():
        if why_not:
            continue
        with engine_cost.fresh(name) as url:
            for address, one in engine_cost.in_a_process(SCRIPT, [str(rounds)], url).items():
                figures.setdefault(address, {})[name] = one
    return figures


def table(figures: Figures) -> list[str]:
    """Lines to print, and one that says whether all are quick enough."""
    columns = ("p50_ms", "p95_ms", "cpu_ms", "bare_ms", "ratio", "statements")
    width = max(map(len, figures)) + 2
    head = f"{'database':<12}{'list':<{width}}" + "".join(f"{name:>12}" for name in columns)
    lines = [head, "-" * len(head)]
    for address, by_database in figures.items():
        for database, one in by_database.items():
            cells = "".join(f"{one[name]:>12.1f}" for name in columns)
            lines.append(f"{database:<12}{address:<{width}}{cells}")
    slow = too_slow(figures)
    said = f"slower: {', '.join(slow)}" if slow else "all of them"
    return [*lines, f"p95 below {LIMIT_MS:.0f} ms: {said}"]


def too_slow(figures: Figures) -> list[str]:
    """The lists that are not quick enough."""
    return [
        address
        for address, by_database in figures.items()
        if any(one["p95_ms"] >= LIMIT_MS for one in by_database.values())
    ]
