"""The choice of rows in the everyday run holds every pair of the full product, and is a choice."""

from itertools import product

import pytest

from tests.pairwise import covering, pairs_of

FULL = list(product("abcd", "efg", "hijklm"))


@pytest.mark.parametrize(
    "rows", [FULL, FULL[::2], FULL[:1], []], ids=["all", "some", "one", "none"]
)
def test_every_pair_is_there(rows: list[tuple[str, ...]]) -> None:
    chosen = covering(rows)
    assert {pair for number in chosen for pair in pairs_of(rows[number])} == {
        pair for row in rows for pair in pairs_of(row)
    }


def test_it_is_few() -> None:
    assert 24 <= len(covering(FULL)) <= 30
