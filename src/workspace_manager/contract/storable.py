"""Text that every database keeps and every page shows.

PostgreSQL keeps no NUL, and no encoding has half a character (a lone surrogate): Python makes one
of a byte that is no UTF-8, and of `"\\ud800"` in JSON. What a person types is refused where it is
typed; what systems say cannot be refused, and one odd name among thousands is shown as one.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from workspace_manager.contract.earlier_names import keep_earlier_names

UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")
INSTEAD: Final = "\ufffd"
"""What stands for a character that cannot be kept, as in every program that decodes."""
CUT: Final = "…"


storable: Final[Callable[[str], str]] = partial(UNSTORABLE.sub, INSTEAD)
"""The text with the sign for unknown characters in place of each that cannot be kept."""


def storable_json(value: Any) -> Any:
    """Make every text in a JSON document storable, as `storable` does."""
    match value:
        case str():
            return storable(value)
        case list() | tuple():
            return [storable_json(one) for one in value]
        case dict():
            return {storable(str(name)): storable_json(one) for name, one in value.items()}
        case _:
            return value


def truncate_text(text: str, most: int) -> str:
    """The text as a column of `most` characters keeps it. What is cut says so: it is the beginning
    of a name, and never somebody else's whole one.
    """
    kept = storable(text)
    return kept if len(kept) <= most else kept[: most - len(CUT)] + CUT


keep_earlier_names(__name__, bounded="truncate_text")
