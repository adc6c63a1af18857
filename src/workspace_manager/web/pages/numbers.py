"""Numbers in requests: anybody can send any number of digits, and only short ones are read."""

from collections.abc import Iterable
from typing import Final

LONGEST: Final = 15
"""The most digits. Every number of ours is shorter, and fits into a database."""


def numbers(texts: Iterable[str]) -> list[int]:
    """Return the numbers among the texts; others are ignored."""
    return [
        int(text) for text in texts if text.isascii() and text.isdigit() and len(text) <= LONGEST
    ]
