"""How people look through what is listed: by words, by what they filter for, in the order they ask.

One value per list, for every door that shows it. What is asked becomes part of one query, so that
a long list costs no more queries than a short one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.db.models import Case, F, IntegerField, Model, OrderBy, Q, QuerySet, Value, When

M = TypeVar("M", bound=Model)
T = TypeVar("T")


@dataclass(frozen=True)
class ListQuery:
    """A query of a list. `sort`: a member's name, with `-` before it descending; "": the list's own
    order. `filters`: by the names of the list, without those that are not asked for.
    """

    q: str = ""
    sort: str = ""
    filters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Listing:
    """One list. `searched`: where each word of a search may stand, first what things are called.
    `order`: as the list is by itself. `columns`: of members that are called otherwise in the
    database. `conditions`: filters that are more than one column with one value.
    """

    searched: tuple[str, ...]
    order: tuple[str, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    conditions: Mapping[str, Callable[[Any], Q]] = field(default_factory=dict)

    def found(self, rows: QuerySet[M], asked: ListQuery) -> QuerySet[M]:
        """The rows asked for, in order. An exact match stands before what only contains the words,
        unless an order is asked for.
        """
        rows = self.narrowed(rows, asked)
        if asked.sort:
            return rows.order_by(self._by(asked.sort), *self.order, "pk")
        exact = [self.exact(asked.q)] if asked.q.strip() else []
        return rows.order_by(*exact, *self.order, "pk")

    def narrowed(self, rows: QuerySet[M], asked: ListQuery) -> QuerySet[M]:
        """The rows asked for, in no order."""
        for name, what in asked.filters.items():
            rows = rows.filter(self._condition(name, what))
        for word in asked.q.split():
            rows = rows.filter(_in_any((f"{one}__icontains" for one in self.searched), word))
        return rows

    def chosen(self, documents: Sequence[T], asked: ListQuery) -> list[T]:
        """Filter and order things that are in no table: few, in the order they came."""
        words = asked.q.casefold().split()
        found = [
            one
            for one in documents
            if all(_member(one, name) == what for name, what in asked.filters.items())
            and all(any(word in text for text in self._texts(one)) for word in words)
        ]
        if asked.sort:
            name = asked.sort.removeprefix("-")
            found.sort(
                key=lambda one: (
                    _member(one, name) is not None,
                    str(_member(one, name) or ""),
                ),
                reverse=asked.sort.startswith("-"),
            )
        elif words:
            whole = asked.q.strip().casefold()
            found.sort(key=lambda one: whole not in self._texts(one))
        return found

    def _texts(self, document: Any) -> list[str]:
        return [str(_member(document, name) or "").casefold() for name in self.searched]

    def _condition(self, name: str, what: Any) -> Q:
        if name in self.conditions:
            return self.conditions[name](what)
        return Q(**{self._column(name): what})

    def _column(self, name: str) -> str:
        return self.columns.get(name, name)

    def _by(self, sort: str) -> OrderBy:
        return order_by(self._column(sort.removeprefix("-")), descending=sort[:1] == "-")

    def exact(self, text: str) -> Case:
        """Where a row is called exactly so: 0 for the first of what is searched."""
        text = text.strip()
        cases = [
            When(**{f"{column}__iexact": text, "then": Value(place)})
            for place, column in enumerate(self.searched)
        ]
        return Case(*cases, default=Value(len(cases)), output_field=IntegerField())


def _member(document: Any, name: str) -> Any:
    return document[name] if isinstance(document, Mapping) else getattr(document, name)


def order_by(column: str, *, descending: bool = False) -> OrderBy:
    """An order. Nothing known comes before everything that is, on every database."""
    what = F(column)
    return what.desc(nulls_last=True) if descending else what.asc(nulls_first=True)


def in_parts(rows: QuerySet[M], size: int) -> Iterator[list[M]]:
    """All rows in their order, so many at a time, each time by a statement of its own: who takes
    them slowly keeps no connection to the database, and each part may be read by another thread.
    Rows that are deleted meanwhile are left out.
    """
    keys = list(rows.values_list("pk", flat=True))
    for begin in range(0, len(keys), size):
        part = keys[begin : begin + size]
        there = rows.model._default_manager.in_bulk(part)
        yield [there[key] for key in part if key in there]


def _in_any(lookups: Iterable[str], word: str) -> Q:
    found = Q()
    for lookup in lookups:
        found |= Q(**{lookup: word})
    return found
