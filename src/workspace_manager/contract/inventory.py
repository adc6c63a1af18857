"""The inventory of a system, read page by page: every account and thing of the kinds that the
manager drives, whoever made it.

Declared by `SystemSpec.inventory`. Reading it changes nothing; whoever compares it with the records
(`reconcile/`) holds one page at a time.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from workspace_manager.contract.connector import System, Target
from workspace_manager.contract.earlier_names import keep_earlier_names
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message
from workspace_manager.contract.storable import storable_json, truncate_text

LONGEST_NAME: Final = 255
BOUNDS: Final[Mapping[str, int]] = {
    "name": LONGEST_NAME,
    "sub": LONGEST_NAME,
    "username": LONGEST_NAME,
    "email": 254,
    "full_name": LONGEST_NAME,
}
"""How much of each text a record keeps."""

READ: Final = "read"
WRITE: Final = "write"
DEFINE: Final = "define"
OWN: Final = "own"
LEVELS: Final = (READ, WRITE, DEFINE, OWN)
"""How much an account may do with a thing; each takes in those before it. `define`: as a program,
which makes its own tables; `own`: as its owner.
"""
OTHER: Final = "other"
"""Some rights that the manager gives to nobody."""
EVERYBODY: Final = ""
"""Among the holders of a thing: whoever comes, without signing in."""


@dataclass(frozen=True)
class InventoryEntry:
    """One account or thing, as the system itself describes it. What it does not say stays empty.

    Its texts are brought to what a record keeps: an odd one hides nothing else that the system
    holds. What cannot be named as it is called cannot be driven, and is kept.
    """

    kind: str
    target: Target
    """As the system's `names.py` makes it: what a change of this thing would be sent to."""
    name: str
    """What `KindSpec.name_of(target)` gives: the name that records know it by."""
    seen: Message
    """The evidence, for a person to read."""
    sub: str = ""
    """The id at the identity provider that the system says it belongs to."""
    username: str = ""
    """The name that its person signs in with, where the system says it."""
    email: str = ""
    email_confirmed: bool = False
    full_name: str = ""
    open: bool | None = None
    """Whether its person can get in with it now; None where it is no account, or nobody says."""
    ours: bool = False
    """It carries a mark that only the manager leaves."""
    kept: Message | None = None
    """Why it is never proposed to anybody nor for removal: a service account, an administrator's,
    one that several people share.
    """
    holders: tuple[str, ...] = ()
    """Of a thing: the account names there that may use it, in their order."""
    levels: Mapping[str, str] = field(default_factory=dict)
    """How much each of these may do there: one of LEVELS, or OTHER. Of who is not in it the
    system does not say.
    """
    holders_unread: bool = False
    """Of a thing: not all who may use it could be read, so that rights to it are not compared."""
    unread: bool = False
    """It is of a shape that nobody understands: it is named, and what was known of it lasts."""

    def __post_init__(self) -> None:
        texts: dict[str, Any] = {
            text: truncate_text(getattr(self, text), most) for text, most in BOUNDS.items()
        }
        texts["target"] = storable_json(dict(self.target))
        texts["holders"] = tuple(truncate_text(name, LONGEST_NAME) for name in self.holders)
        texts["levels"] = {
            truncate_text(name, LONGEST_NAME): how for name, how in self.levels.items()
        }
        if (texts["name"], texts["target"]) != (self.name, self.target) and self.kept is None:
            texts["kept"] = message("kept_unnameable")
        for text, value in texts.items():
            # Frozen for everybody else.
            object.__setattr__(self, text, value)


@dataclass(frozen=True)
class Page:
    """Some of what there is. `next`: where the next page begins; "" after the last one."""

    listed: tuple[InventoryEntry, ...]
    next: str = ""
    unsure: frozenset[str] = frozenset()
    """Kinds of which something may be there that no page shows: its part was left out, or its pages
    are counted off, so that whatever goes meanwhile moves the rest. Nothing of them is over because
    no page shows it.
    """


Inventory: TypeAlias = Callable[[System, str], Page]
"""Reads the page that begins at a cursor; "" is the first. Raises the five errors."""


def in_parts(parts: Mapping[str, Callable[[str], Page]], cursor: str) -> Page:
    """Read a page of a system whose accounts and things are listed by several calls, one part after
    the other. A cursor is the part's name and where its next page begins, so that a listing goes on
    in another process; one that names no part, as an older version wrote it, begins again.
    """
    names = list(parts)
    name, _, begins = cursor.partition(":")
    if name not in parts:
        name, begins = names[0], ""
    page = parts[name](begins)
    following = names[names.index(name) + 1 :]
    begins = f"{name}:{page.next}" if page.next else (following[0] if following else "")
    return replace(page, next=begins)


def offset(begins: str) -> int:
    """Where a page begins that is counted: 0 for the first, and for what is no number."""
    return int(begins) if begins.isascii() and begins.isdigit() else 0


def in_order(names: Iterable[str], after: str, most: int) -> tuple[list[str], str]:
    """The names of a page where a system gives all of them in one answer: each once, in their
    order, those that come after one; and the name after which the next page begins.
    """
    chosen = sorted({name for name in names if name > after})
    page = chosen[:most]
    return page, page[-1] if len(chosen) > most else ""


keep_earlier_names(__name__, Listed="InventoryEntry")
