"""Hooks that let a thread release what it holds before it waits: for an answer from outside, for
its turn, or for time to pass.

A process has more threads than connections to its database. Nobody keeps one while waiting for
somebody else, so that few are enough for many, and a slow system takes none from the others. How
one is given back is said by whoever has it (`core.connections`); the contract knows no database.
"""

import time
from collections.abc import Callable


def _nothing() -> None:
    """Where no database is known."""


_let_go: Callable[[], None] = _nothing


def install(let_go: Callable[[], None]) -> None:
    """Say what is done before each wait."""
    global _let_go
    _let_go = let_go


def begin() -> None:
    """Let go what others may use meanwhile. Said before each call of somebody outside, and before
    each wait that is not for the database itself.
    """
    _let_go()


def pause(seconds: float) -> None:
    """Let time pass."""
    begin()
    time.sleep(seconds)
