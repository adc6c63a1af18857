"""Where somebody's name stands within longer words and texts, for it to be taken out.

In what is noted of them everything that contains the name goes: the account of a machine key
(`wm_max_notes_c3d4`) tells whose pseudonym stands beside it. In what is noted of others it is one
only where no other name begins or ends with it (`max.b`), and never where every text has it: who
reads a text with a hole where "an" was knows the name (docs/decisions/0039-erased-as-a-word.md).
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from pydantic import JsonValue
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from workspace_manager.systems.sql_server.names import MACHINE_PART

SHORTEST: Final = 3
"""Shorter names are part of too much that others wrote."""
COMMON: Final = 1000
"""So many of the most frequent words of English are no trace of anybody."""


@dataclass(frozen=True)
class ErasedWords:
    """Whom to take out. `names`: the user name and the ids, as whole values. `accounts`: whole
    values that are theirs only in what is noted of them. `others`: whole values that are somebody
    else's name. `to`: what stands there instead.
    """

    username: str
    names: frozenset[str]
    accounts: frozenset[str]
    others: frozenset[str]
    to: str

    @cached_property
    def forms(self) -> list[str]:
        """The name, and what accounts that are made from it have of it; the longest first."""
        plain = unicodedata.normalize("NFKD", self.username).encode("ascii", "ignore").decode()
        slug = re.sub(r"[^a-z0-9]+", "_", plain.lower()).strip("_")
        found = {self.username, slug, slug[:MACHINE_PART].strip("_")} - {""}
        return sorted(found, key=len, reverse=True)

    @cached_property
    def _within(self) -> re.Pattern[str]:
        forms = "|".join(map(re.escape, self.forms))
        return re.compile(rf"(?<![^\W_])(?:{forms})(?![^\W_])", re.IGNORECASE)

    @cached_property
    def _as_a_word(self) -> re.Pattern[str] | None:
        if len(self.username) < SHORTEST or self.username.lower() in _common():
            return None
        name = re.escape(self.username)
        return re.compile(rf"(?<![\w@+.-]){name}(?![\w@+]|[.-]\w)", re.IGNORECASE)

    def is_named(self, value: JsonValue) -> bool:
        """Return whether a whole value in it is this person."""
        match value:
            case str():
                return value in self.names
            case list():
                return any(map(self.is_named, value))
            case dict():
                return any(map(self.is_named, value.values()))
        return False

    def without(self, value: JsonValue, *, theirs: bool) -> JsonValue:
        """The value without the name. `theirs`: it is of what is noted of this person."""
        match value:
            case str():
                return self.text_without(value, theirs=theirs)
            case list():
                return [self.without(one, theirs=theirs) for one in value]
            case dict():
                return {name: self.without(one, theirs=theirs) for name, one in value.items()}
        return value

    def text_without(self, text: str, *, theirs: bool) -> str:
        """One text with the pseudonym in place of the erased words."""
        if text in self.names or (theirs and text in self.accounts):
            return self.to
        pattern = self._within if theirs else self._as_a_word
        if pattern is None or text in self.others:
            return text
        return pattern.sub(self.to, text)


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    return frozenset(FREQUENCY_LISTS["english_wikipedia"][:COMMON])
