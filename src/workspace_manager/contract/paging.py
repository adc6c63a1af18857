"""Where a list ends that a system gives a page at a time.

A page may be shorter than was asked for, or empty, with others behind it: entries that their
system cannot show any more are counted off, and left out. So a list ends at an empty page behind
everything that is counted, and one that brings nothing new is no list.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message

T = TypeVar("T")

MOST_UNCOUNTED = 1_000_000
"""So many entries are read of a list of which nobody says how long it is."""


@dataclass
class Reading:
    """The progress of reading one list. `size`: how many entries a page is asked for. `counts`:
    asks the system how many there are; None where it does not say. `first`: where the next page
    begins.
    """

    size: int
    counts: Callable[[], int] | None = None
    first: int = 0
    ended: bool = False
    reached: int = 0
    """Everything before this place was asked for."""
    seen: set[Hashable] = field(default_factory=set)
    count: int | None = None
    """As it was last asked."""

    @property
    def most(self) -> int:
        """The largest number of entries to read: people may be made while others are read."""
        if self.counts is None:
            return MOST_UNCOUNTED
        count = self.count or 0
        return count + count // 10 + 2 * self.size

    def take(self, keys: Iterable[Hashable], *, kind: str, doing: Message) -> None:
        """Take the page that began at `first`, by what each of its entries is known by. Raises
        Invalid for one that brings nothing new, and for more than there can be.
        """
        page = list(keys)
        if not page:
            self._take_nothing()
            return
        new = set(page) - self.seen
        if not new and self.first >= self.reached:
            raise _failed(message("nothing_new", first=self.first), kind, doing)
        self.seen |= new
        self.reached = max(self.reached, self.first + self.size)
        # What was left out of a page may be gone by now, and the rest has moved up. Where it still
        # counts, a page shows again what the one before it showed.
        self.first = self.first + len(page) if new else self.reached
        if self._is_over() and self.counts:
            # Whoever is shown may have been made by that: a directory's people are imported.
            self.count = self.counts()
        if self._is_over():
            raise _failed(message("no_end", n=self.most), kind, doing)

    def _is_over(self) -> bool:
        return max(len(self.seen), self.first) > self.most

    def _take_nothing(self) -> None:
        """An empty page: the end, unless more is counted behind it."""
        before, self.count = self.count, self.counts() if self.counts else 0
        if self.first >= self.count:
            self.ended = True
        elif before is not None and self.count >= before:
            # Nothing there is shown, and it still counts. Else the rest may have moved up.
            self.first = self.reached = self.first + self.size


def read_all(
    reading: Reading,
    page: Callable[[int, int], Sequence[T]],
    key: Callable[[T], Hashable],
    *,
    kind: str,
    doing: Message,
) -> list[T]:
    """Every entry of a list, each once, in its order. `page(first, size)` asks for one page."""
    found: dict[Hashable, T] = {}
    while not reading.ended:
        entries = page(reading.first, reading.size)
        reading.take((key(one) for one in entries), kind=kind, doing=doing)
        for one in entries:
            found.setdefault(key(one), one)
    return list(found.values())


def _failed(why: Message, kind: str, doing: Message) -> Invalid:
    return Invalid(why, kind=kind, doing=doing, advice=message("paging_advice"))
