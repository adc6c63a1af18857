"""Names that count as one: two that some system makes the same account of, or that a reader takes
for each other.
"""

import re
import unicodedata
from collections.abc import Iterable


def counts_as(name: str) -> str:
    """Names with the same result are one: other case, other composition, or what some system
    rewrites to the same account.
    """
    plain = unicodedata.normalize("NFKC", name).casefold()
    return re.sub(r"[^a-z0-9.-]", "_", plain)


def any_same(name: str, names: Iterable[str]) -> bool:
    """Return whether one of the names counts as this one."""
    wanted = counts_as(name)
    return any(counts_as(one) == wanted for one in names)
