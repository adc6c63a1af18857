"""A list declares its filters, orders and columns once, beside its story.

The page's form, REST's query with its OpenAPI description, the options of the command line and the
columns of the CSV file are made from it (docs/decisions/0025-one-way-to-look-through-lists.md).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

from django.db.models import Case, F, IntegerField, Model, OrderBy, Q, QuerySet, Value, When

from workspace_manager.contract.message import Catalogue, Message

M = TypeVar("M", bound=Model)
T = TypeVar("T")
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
class ListQuery:
    """A query of a list. `sort`: a member's name, with `-` before it descending; "": the list's own
    order. `filters`: by the names of the list, without those that are not asked for.
    """

    q: str = ""
    sort: str = ""
    filters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class ListSpec:
    """One list. `name`: its catalogue of words, which the `.de.po` beside `file` translates; ""
    for a part of a list, which no door asks by itself. `searched`: the columns of a search, the
    name of a thing first. `order`: the order without `sort`. `search_for` and `by_itself`: a
    page's words for both.
    """

    name: str = ""
    file: str = ""
    members: tuple[Member, ...] = ()
    searched: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
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
    def _by_name(self) -> Mapping[str, Member]:
        return {one.name: one for one in self.members}

    def found(
        self, rows: QuerySet[M], asked: ListQuery, order: Sequence[str] | None = None
    ) -> QuerySet[M]:
        """The rows asked for. An exact match stands before what only contains the words, unless an
        order is asked for. `order`: the order without `sort` where it is not the list's own.
        """
        rows = self.narrowed(rows, asked)
        first: list[OrderBy | Case] = []
        if asked.sort:
            column = self._by_name[asked.sort.removeprefix("-")].order
            first = [order_by(column, descending=asked.sort[:1] == "-")]
        elif asked.q.strip():
            first = [self.exact(asked.q)]
        return rows.order_by(*first, *(self.order if order is None else order), "pk")

    def narrowed(self, rows: QuerySet[M], asked: ListQuery) -> QuerySet[M]:
        """The rows asked for, in no order."""
        for name, what in asked.filters.items():
            rows = rows.filter(self._by_name[name].condition(what))
        return search(rows, asked.q, self.searched)

    def exact(self, text: str) -> Case:
        """Where a row is called exactly so: 0 for the first of what is searched."""
        text = text.strip()
        cases = [
            When(**{f"{column}__iexact": text, "then": Value(place)})
            for place, column in enumerate(self.searched)
        ]
        return Case(*cases, default=Value(len(cases)), output_field=IntegerField())

    def chosen(self, documents: Sequence[T], asked: ListQuery) -> list[T]:
        """Filter and order things that are in no table: few, in the order they came."""
        words = asked.q.casefold().split()
        found = [
            one
            for one in documents
            if all(_value(one, name) == what for name, what in asked.filters.items())
            and all(any(word in text for text in self._texts(one)) for word in words)
        ]
        if asked.sort:
            name = asked.sort.removeprefix("-")
            found.sort(
                key=lambda one: (_value(one, name) is not None, str(_value(one, name) or "")),
                reverse=asked.sort.startswith("-"),
            )
        elif words:
            whole = asked.q.strip().casefold()
            found.sort(key=lambda one: whole not in self._texts(one))
        return found

    def _texts(self, document: Any) -> list[str]:
        return [str(_value(document, name) or "").casefold() for name in self.searched]

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
        if self.name:
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


def search(rows: QuerySet[M], words: str, columns: Iterable[str]) -> QuerySet[M]:
    """The rows in which each of the words stands in some column."""
    columns = tuple(columns)
    for word in words.split():
        found = Q()
        for column in columns:
            found |= Q(**{f"{column}__icontains": word})
        rows = rows.filter(found)
    return rows


def order_by(column: str, *, descending: bool = False) -> OrderBy:
    """An order. Nothing known comes before everything that is, on every database."""
    what = F(column)
    return what.desc(nulls_last=True) if descending else what.asc(nulls_first=True)


def _value(document: Any, name: str) -> Any:
    return document[name] if isinstance(document, Mapping) else getattr(document, name)
