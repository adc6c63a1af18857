"""Parameters that are nearly the same life again: `make test` tries some, `make everything` all."""

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def first_of(rows: Iterable[Any]) -> list[Any]:
    """The first of them, and the others for `make everything`."""
    kept = list(rows)
    return some_of(kept, kept[:1])


def some_of(rows: Iterable[Any], chosen: Collection[Any]) -> list[Any]:
    """Those that are chosen, and the others for `make everything`."""
    return [
        pytest.param(row, marks=() if row in chosen else pytest.mark.everything) for row in rows
    ]
