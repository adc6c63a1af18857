"""What every list takes: words to look for, an order, and its own filters; and what it answers."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from django.db.models import Model, QuerySet
from pydantic import Field

from workspace_manager.contract.described import about
from workspace_manager.core import listing
from workspace_manager.core.listing import Listing
from workspace_manager.web.api.inputs import Text, Window, part

LONGEST_SEARCH = 100
OF_EVERY_LIST = {"limit", "offset", "q", "sort"}

MadeState = Literal["creating", "ready", "waiting", "failed", "deleting"]
"""How what somebody made in the systems stands."""

M = TypeVar("M", bound=Model)
SORTED = about("By which member; with `-` before it descending. What is unknown comes first.")

Search = Annotated[
    Text,
    Field(max_length=LONGEST_SEARCH),
    about("Words to look for: each has to stand somewhere. An exact match comes first.", "anna"),
]


class ListAsked(Window):
    """What is asked of a list. A list says its own `sort`, and a member for each of its filters."""

    q: Search = ""

    def asked(self) -> listing.Asked:
        """The same for a `Listing`; what is not filtered for is left out."""
        filters = self.model_dump(exclude=OF_EVERY_LIST, exclude_none=True)
        return listing.Asked(self.q, getattr(self, "sort", None) or "", filters)


def listed(
    rows: QuerySet[M],
    window: ListAsked,
    how: Listing,
    shown: Callable[[Sequence[M]], Sequence[Any]],
) -> dict[str, Any]:
    """The asked part of a table. `shown` is given all its rows at once: what it reads besides, it
    reads once.
    """
    found = how.found(rows, window.asked())
    return {"items": list(shown(list(part(found, window)))), "count": found.count()}


def each(shown: Callable[[M], Any]) -> Callable[[Sequence[M]], list[Any]]:
    """For rows of which each is shown by itself, with nothing read besides."""
    return lambda rows: [shown(row) for row in rows]


def chosen(documents: Sequence[dict[str, Any]], window: ListAsked, how: Listing) -> dict[str, Any]:
    """The asked part of what is in no table."""
    found = how.chosen(documents, window.asked())
    return {"items": found[window.offset : window.offset + window.limit], "count": len(found)}
