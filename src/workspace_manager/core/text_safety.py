"""Text that can be shown as it was typed: to an administrator who decides by it, in a letter, on a
page.
"""

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""Invisible, and part of how words are written in Persian, Hindi and others."""
BLANK_LETTERS: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs by their category that show as nothing at all."""


def is_unshowable(text: str) -> bool:
    """Say whether some of it shows as nothing or turns the text around it: a name could then look
    like another one's.

    Control and format characters (those that change the direction of writing are among them),
    separators of lines, lone surrogates, private and unassigned characters, letters that are blank,
    and nothing but joiners.
    """
    return not text.strip(JOINERS) or any(
        c in BLANK_LETTERS
        or (not c.isprintable() and c not in JOINERS and unicodedata.category(c) != "Zs")
        for c in text
    )
