"""The people that the manager knows, as a system's check compares them with what it lists."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True)
class Known:
    """Somebody who has signed in here. `recorded`: the names of their accounts that we wrote down,
    by kind.
    """

    username: str
    sub: str
    email: str = ""
    recorded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


KnownPeople: TypeAlias = Callable[[], Sequence[Known]]
"""Reads them when a check asks: they come and go while a system stays connected."""


def nobody() -> Sequence[Known]:
    """Where no records are at hand."""
    return ()
