"""The passwords that the manager makes for accounts in systems: one generator for all of them.

Password policies ask for lower and upper case letters, digits and signs, refuse words, repetitions
and short passwords. The values also travel through shells, URLs, `.env` and ini files, so the signs
need quoting in none of them.
"""

import secrets
from collections.abc import Callable
from itertools import pairwise
from typing import Final, TypeAlias

from workspace_manager.contract.secret import Secret

LENGTH: Final = 40
LEAST: Final = 20
MOST: Final = 64
LOWER: Final = "abcdefghijkmnopqrstuvwxyz"
UPPER: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
DIGITS: Final = "23456789"
SIGNS: Final = "-_."
_LETTERS: Final = LOWER + UPPER
_BETWEEN: Final = DIGITS + SIGNS

Passwords: TypeAlias = Callable[[], Secret]
"""Makes a new password each time."""


def new_password(length: int = LENGTH, *, name: str = "password") -> Secret:
    """Make a password of `length` characters.

    A letter stands at both ends: a leading dash is an option of a program, a last dot is cut off
    an address. Every third character is a digit or a sign: no dictionary has a word of two letters.
    No character follows itself, and each of the four kinds is there twice at least.
    """
    while True:
        text = "".join(_character(n, length) for n in range(length))
        repeats = any(a == b for a, b in pairwise(text))
        if not repeats and all(
            sum(one in kind for one in text) >= 2 for kind in (LOWER, UPPER, DIGITS, SIGNS)
        ):
            return Secret(text, name=name)


def _character(n: int, length: int) -> str:
    between = n % 3 == 2 and n < length - 1
    return secrets.choice(_BETWEEN if between else _LETTERS)
