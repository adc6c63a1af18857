"""Names that a person types again to confirm.

A name is typed to be sure that the right thing is meant, not to be sure of its typography: no
keyboard has the apostrophe and the dashes that labels are written with.
"""

import unicodedata
from typing import Final

SAME: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02b9\u02bb\u02bc\u2032\u00b4\u0060", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\u00ad", "-"),
        "\u2026": "...",
    }
)
"""Signs that differ in how they are set, by the one that every keyboard has."""


def is_typed(typed: str, shown: str) -> bool:
    """Return whether a typed name is the one that was shown: capitals count, typography and blanks
    at the ends do not.
    """
    return bool(shown) and _folded(typed) == _folded(shown)


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(SAME).split())
