"""Numbers that came with a request: digits of any length can be sent, only short ones are read."""

from collections.abc import Iterable
from typing import Final

LONGEST: Final = 15
"""Digits; every number of ours is shorter, and a database can hold it."""


def numbers(texts: Iterable[str]) -> list[int]:
    """Those of the texts that are numbers. Others are passed over, as if they were not sent."""
    return [
        int(text) for text in texts if text.isascii() and text.isdigit() and len(text) <= LONGEST
    ]
