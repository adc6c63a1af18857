"""Names that people take for one another: with and without accents, or of letters of two scripts.
A name wholly in another script is told apart.
"""

import re
import unicodedata
from typing import Final

from workspace_manager.core.same_names import counts_as

PLAIN: Final = re.compile(r"LATIN SMALL LETTER (?:DOTLESS )?([A-Z])(?: WITH .+)?")
WRITTEN_TOGETHER: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
"""What one name has of these is no mixture."""


def looks_like(name: str) -> str:
    """Names with the same result look alike, or count as one anyway."""
    if name.isascii():
        return counts_as(name)
    apart = unicodedata.normalize("NFKD", name.casefold())
    return counts_as("".join(_plain(one) for one in apart if not unicodedata.combining(one)))


def _plain(letter: str) -> str:
    found = PLAIN.fullmatch(unicodedata.name(letter, ""))
    return found[1].lower() if found else letter


def mixes_scripts(name: str) -> bool:
    """Whether a name has letters of two scripts, of which one is there to look like the other."""
    letters = [one for one in unicodedata.normalize("NFKC", name) if one.isalpha()]
    scripts = {re.split("[ -]", unicodedata.name(one, ""))[0] for one in letters}
    return len({"CJK" if one in WRITTEN_TOGETHER else one for one in scripts}) > 1
