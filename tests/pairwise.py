"""Choose from a full product the few rows that still hold every pair of values.

A fault that only one kind at one place gets wrong for one wish needs the full product, which `make thorough` runs; every mistake that
two things make together shows in the pairs.
"""

from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import TypeAlias

Row: TypeAlias = Sequence[Hashable]
Pair: TypeAlias = tuple[int, Hashable, int, Hashable]


def pairs_of(row: Row) -> set[Pair]:
    """Every two of a row's values, with the columns they stand in."""
    return {(a, row[a], b, row[b]) for a, b in combinations(range(len(row)), 2)}


def covering(rows: Sequence[Row]) -> set[int]:
    """The numbers of rows in which every pair of all rows is: each time the row with the most new pairs, the first of equals."""
    left = {number: pairs_of(row) for number, row in enumerate(rows)}
    missing: set[Pair] = set().union(*left.values())
    chosen: set[int] = set()
    while missing:
        best = max(left, key=lambda number: len(left[number] & missing))
        missing -= left.pop(best)
        chosen.add(best)
    return chosen
