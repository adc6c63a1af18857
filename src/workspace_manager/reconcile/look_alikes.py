"""Names that people confuse: with and without accents, or with letters of two scripts. A name
entirely in another script counts as different.
"""

import re
import unicodedata
from typing import Final

from workspace_manager.core.same_names import counts_as

PLAIN: Final = re.compile(r"LATIN SMALL LETTER (?:DOTLESS )?([A-Z])(?: WITH .+)?")
WRITTEN_TOGETHER: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"})
"""Scripts that one name commonly combines."""


def looks_like(name: str) -> str:
    """Return a key that is equal for names that look alike or count as one."""
    if name.isascii():
        return counts_as(name)
    apart = unicodedata.normalize("NFKD", name.casefold())
    return counts_as("".join(_plain(one) for one in apart if not unicodedata.combining(one)))


def _plain(letter: str) -> str:
    found = PLAIN.fullmatch(unicodedata.name(letter, ""))
    return found[1].lower() if found else letter


def mixes_scripts(name: str) -> bool:
    """Return whether a name combines letters of scripts that are not written together."""
    letters = [one for one in unicodedata.normalize("NFKC", name) if one.isalpha()]
    scripts = {re.split("[ -]", unicodedata.name(one, ""))[0] for one in letters}
    return len({"CJK" if one in WRITTEN_TOGETHER else one for one in scripts}) > 1
