"""A list declares its filters, orders and columns once, beside its story.

The page's form, REST's query with its OpenAPI description, the options of the command line and the
columns of the CSV file are made from it (docs/decisions/0025-one-way-to-look-through-lists.md).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias

from django.db.models import Q, QuerySet

from workspace_manager.contract.message import Catalogue, Message
from workspace_manager.core.listing import Listing, ListQuery, M

Names: TypeAlias = tuple[str, ...] | Callable[[], Iterable[str]]
"""What there is to choose from; asked for each time where it is known only then."""


@dataclass(frozen=True)
class Text:
    """Words as they are. `offered`: a page lets people choose among these; other doors take what
    there may have been once.
    """

    longest: int = 255
    offered: Callable[[], Iterable[str]] | None = None
    called: str = ""


@dataclass(frozen=True)
class Choice:
    """One of a set. `called`: what a page calls them by (`web.pages.list_form.CALLED`)."""

    names: Names
    called: str = "state"
    longest: int = 255

    @property
    def known(self) -> tuple[str, ...]:
        """The values to choose from now."""
        return self.names if isinstance(self.names, tuple) else tuple(self.names())


@dataclass(frozen=True)
class Day:
    """A day of the calendar, the same wherever somebody is."""


@dataclass(frozen=True)
class Moment:
    """A moment. A page takes days of the reader: `through`: to the end of that day."""

    through: bool = False


@dataclass(frozen=True)
class Either:
    """A filter by yes or no. `opposite`: the option of the command line for no; `yes` and `no`: the
    words of a page that asks for it.
    """

    opposite: str
    yes: str = ""
    no: str = ""


@dataclass(frozen=True)
class Id:
    """An id."""


Kind: TypeAlias = Text | Choice | Day | Moment | Either | Id


@dataclass(frozen=True)
class Member:
    """One member of a list. Every door uses its name.

    `label`: the heading on a page, whose form leaves out members without one. `help`: the effect of
    the filter. `filter`: the column to compare, with Django's lookup, or a function that gives the
    condition; None: no filter. `order`: the column to order by; "": none. `column`: whether the CSV
    file has it.
    """

    name: str
    kind: Kind = field(default_factory=Text)
    label: str = ""
    help: str = ""
    example: Any = None
    filter: str | Callable[[Any], Q] | None = None
    order: str = ""
    column: bool = False

    def condition(self, what: Any) -> Q:
        """Give the condition of the rows that are filtered for."""
        if callable(self.filter):
            return self.filter(what)
        return Q(**{str(self.filter): what})


@dataclass(frozen=True)
class ListSpec:
    """One list. `name`: its catalogue of words, which the `.de.po` beside `file` translates.
    `searched`: the columns of a search, the name of a thing first. `order`: the order without
    `sort`. `search_for` and `by_itself`: a page's words for both.
    """

    name: str
    file: str
    members: tuple[Member, ...]
    searched: tuple[str, ...]
    order: tuple[str, ...]
    search_for: str = ""
    by_itself: str = ""

    @cached_property
    def filters(self) -> tuple[Member, ...]:
        """The members that filter this list."""
        return tuple(one for one in self.members if one.filter is not None)

    @cached_property
    def orders(self) -> tuple[Member, ...]:
        """The members that may order this list."""
        return tuple(one for one in self.members if one.order)

    @cached_property
    def sorts(self) -> tuple[str, ...]:
        """Each order as it is asked for, both ways."""
        return tuple(way for one in self.orders for way in (one.name, f"-{one.name}"))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Of the table for other programs."""
        return tuple(one.name for one in self.members if one.column)

    @cached_property
    def rows(self) -> Listing:
        """How its table is asked."""
        orders = {one.name: one.order for one in self.orders}
        filters = {one.name: one.condition for one in self.filters}
        return Listing(self.searched, self.order, orders, filters)

    def found(self, rows: QuerySet[M], asked: ListQuery) -> QuerySet[M]:
        """The rows asked for, in order."""
        return self.rows.found(rows, asked)

    @cached_property
    def _words(self) -> Catalogue:
        return Catalogue(self.name, self.file, self.words)

    def _english(self) -> Iterable[tuple[str, str]]:
        yield SEARCH, self.search_for
        yield BY_ITSELF, self.by_itself
        for one in self.members:
            yield one.name, one.label
            if isinstance(one.kind, Either):
                yield f"{one.name}.yes", one.kind.yes
                yield f"{one.name}.no", one.kind.no

    def __post_init__(self) -> None:
        # A code can be put into words only when its catalogue was made.
        _ = self._words

    @property
    def words(self) -> dict[str, str]:
        """All that its page says of it in English, by key."""
        return {key: text for key, text in self._english() if text}

    def word(self, key: str) -> Message:
        """The label that a page shows: of a member, of one of an `Either`, of `SEARCH`."""
        return self._words(key)


SEARCH: Final = "_search"
BY_ITSELF: Final = "_by_itself"
