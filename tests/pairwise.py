"""Choose from a full product the few rows that still hold every pair of values.

A fault that only one kind at one place gets wrong for one wish needs the full product, which `make
thorough` runs; every mistake that two things make together shows in the pairs.
"""

from collections.abc import Hashable, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations
from typing import TypeAlias

Row: TypeAlias = Sequence[Hashable]
Pair: TypeAlias = tuple[int, Hashable, int, Hashable]


def pairs_of(row: Row) -> set[Pair]:
    """Every two of a row's values, with the columns they stand in."""
    return {(a, row[a], b, row[b]) for a, b in combinations(range(len(row)), 2)}


def covering(rows: Sequence[Row]) -> set[int]:
    """The numbers of rows in which every pair of all rows is: each time the row with the most new
    pairs, the first of equals.
    """
    pairs = [pairs_of(row) for row in rows]
    missing: set[Pair] = set().union(*pairs)
    # What a row brings only becomes less: one whose last figure still holds is the best.
    heap = [(-len(found), number) for number, found in enumerate(pairs)]
    heapify(heap)
    chosen: set[int] = set()
    while missing:
        figure, best = heappop(heap)
        brings = len(pairs[best] & missing)
        if brings < -figure:
            heappush(heap, (-brings, best))
            continue
        missing -= pairs[best]
        chosen.add(best)
    return chosen
