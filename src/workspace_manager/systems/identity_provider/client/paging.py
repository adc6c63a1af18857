"""Lists of the realm, read a page at a time to their end.

Entries that were deleted in a directory are counted and left out, so a page that is not full is not
the last one (docs/systems/identity-provider.md#listing-everything).
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.message import Message
from workspace_manager.contract.paging import Reading, read_all
from workspace_manager.systems.identity_provider.client.answers import (
    USER_ABSENT,
    document,
    documents,
    unexpected,
)
from workspace_manager.systems.identity_provider.client.users import Wire
from workspace_manager.systems.identity_provider.messages import message

Document = dict[str, Any]
PAGE: Final = 100
"""The provider's default page size."""


@dataclass(frozen=True)
class Pages:
    """One list of the realm. `counted`: the path of its length, if there is one."""

    wire: Wire
    path: str
    doing: Message
    kind: str
    absent: str = USER_ABSENT
    query: Mapping[str, str] = field(default_factory=dict)
    counted: str = ""
    counting: Mapping[str, str] = field(default_factory=dict)

    def page(self, first: int, size: int) -> Answer:
        """Return the answer with the page from this position."""
        return self._get(self.path, {"first": str(first), "max": str(size), **self.query})

    def reading(self, size: int, first: int = 0) -> Reading:
        """Return a reading from this position."""
        return Reading(size, self.count if self.counted else None, first)

    def count(self) -> int:
        """Return the number of entries, which is a bare number or one in an object."""
        answer = self._get(self.counted, self.counting)
        body = answer.json()
        found = document(answer).get("count") if isinstance(body, dict) else body
        if not isinstance(found, int):
            raise unexpected(answer, message("expected_number", shape=answer.shape))
        return found

    def _get(self, path: str, query: Mapping[str, str]) -> Answer:
        return self.wire.send(
            "GET", path, doing=self.doing, kind=self.kind, absent=self.absent, params=query
        )


def read_whole_list(pages: Pages) -> list[Document]:
    """Return every entry of a list. Raises Invalid if one is odd, for callers that need all."""

    def page(first: int, most: int) -> list[Document]:
        return documents(pages.page(first, most))

    return read_all(pages.reading(PAGE), page, entry_key, kind=pages.kind, doing=pages.doing)


class PagedLists:
    """Lists that are read a page at a time, by one cursor after the other. The process remembers
    what it has read; in another process, a reading continues at the cursor.
    """

    def __init__(self) -> None:
        self._readings: dict[str, Reading] = {}

    def page(
        self, pages: Pages, first: int, size: int, understood: Callable[[Answer], list[Any]]
    ) -> tuple[list[Any], int | None]:
        """Return the entries of the page from this position, and the start of the next one; None
        after the last.
        """
        reading = self._readings.get(pages.path)
        if reading is None or reading.first != first or not first:
            reading = self._readings[pages.path] = pages.reading(size, first)
        entries = understood(pages.page(first, size))
        reading.take(map(entry_key, entries), kind=pages.kind, doing=pages.doing)
        return entries, None if reading.ended else reading.first


def entry_key(entry: Any) -> Hashable:
    """Return the identity of an entry within its list."""
    if isinstance(entry, dict):
        return str(entry.get("id") or entry.get("clientId") or entry.get("name"))
    return hash(entry)
