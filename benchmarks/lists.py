"""The cost of the lists with a thousand components, five hundred stacks and a hundred and
twenty projects: each page and each REST list, beside its own bare queries in the same process.

All is CPU time of one process, so that it says the same on a machine that others use. `cpu_ms`: of
the whole answer. `frame_ms`: of the same answer for somebody who has nothing, which is what every
page costs. `bare_ms`: of the statements of that answer, sent and read by nothing but a cursor.
`ratio`: what the rows cost beyond the frame, as a multiple of that. `whole`: the same with it. Both
are the median of turns in each of which all three were measured.

Each database is measured in a process of its own (`lists_one_database.py`).
"""

from pathlib import Path
from typing import TypeAlias

from benchmarks import engine_cost

ROUNDS = 100
MOST_RATIO = 3.0
"""What no list may cost more than, as a multiple of its bare queries."""
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
    """Lines to print, and one that says whether all are cheap enough."""
    columns = ("cpu_ms", "frame_ms", "bare_ms", "ratio", "whole", "p95_ms", "statements")
    width = max(map(len, figures)) + 2
    head = f"{'database':<12}{'list':<{width}}" + "".join(f"{name:>12}" for name in columns)
    lines = [head, "-" * len(head)]
    for address, by_database in figures.items():
        for database, one in by_database.items():
            cells = "".join(f"{one[name]:>12.1f}" for name in columns)
            lines.append(f"{database:<12}{address:<{width}}{cells}")
    dear = too_dear(figures)
    said = f"more: {', '.join(dear)}" if dear else "all of them"
    return [*lines, f"at most {MOST_RATIO:.0f} times the bare queries: {said}"]


def too_dear(figures: Figures) -> list[str]:
    """The lists that cost too much. The databases are not alike: one that is a process of its own
    spends no CPU of ours, so SQLite alone decides.
    """
    return [
        address
        for address, by_database in figures.items()
        if by_database.get("sqlite", {}).get("ratio", 0) > MOST_RATIO
    ]
