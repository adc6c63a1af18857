"""Where things that wait are found: one source for each kind, and each reads what is."""

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import (
    DateTimeField,
    ExpressionWrapper,
    F,
    Func,
    Model,
    QuerySet,
    TextField,
    UUIDField,
    Value,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Greatest

from workspace_manager.contract.message import Message
from workspace_manager.core.listing import Listing, ListQuery
from workspace_manager.inbox.item import Action, Item
from workspace_manager.records.models import Person

M = TypeVar("M", bound=Model)
SINCE = "waits_since"
"""What the moment since when a row waits is called in a query."""


@dataclass(frozen=True)
class ItemText:
    """What an item says besides its name and since when."""

    what: Message
    action: Action
    why: Message | None = None


def _as_it_is(rows: QuerySet[Any]) -> Iterable[Any]:
    return rows


@dataclass(frozen=True)
class Source:
    """One kind of thing that waits. `rows`: those that wait for somebody, without an order; None
    where this kind is not for this person at all, so that nothing is asked.

    Everything is a part of one query, so that no list is longer than what is shown of it, and the
    count is true all the same.
    """

    kind: str
    rows: Callable[[Person, datetime], QuerySet[Any] | None]
    told: Callable[[Any], ItemText]
    since: Combinable | str
    """The column or expression that says since when a row waits; never null."""
    searched: tuple[str, ...]
    """Columns in which words are looked for: what the thing, or whoever it is about, is called."""
    read: Callable[[QuerySet[Any]], Iterable[Any]] = _as_it_is
    """What `told` reads besides the row, at once for all that are shown."""
    serious: bool = False
    subject: str = "pk"
    """The column that names a row, alike for as long as the thing lasts."""
    lasts: Callable[[Person, datetime], QuerySet[Any] | None] | None = None
    """Where some rows are hidden for a while: those of which nobody saw the end, shown or not."""

    def waiting(self, person: Person, now: datetime, words: str = "") -> QuerySet[Any] | None:
        """The rows, with `waits_since`; of those only where each of the words stands somewhere."""
        rows = self.rows(person, now)
        if rows is None:
            return None
        if words:
            rows = Listing(self.searched, ()).found(rows, ListQuery(words))
        since = F(self.since) if isinstance(self.since, str) else self.since
        waiting: QuerySet[Any] = rows.order_by().annotate(**{SINCE: since})
        return waiting

    def lasting(self, person: Person, now: datetime) -> QuerySet[Any] | None:
        """The rows that wait, and those that are only hidden just now."""
        return (self.lasts or self.rows)(person, now)

    def item(self, row: Any) -> Item:
        """One row, as it is shown."""
        told, since = self.told(row), getattr(row, SINCE)
        return Item(
            kind=self.kind,
            subject=str(getattr(row, self.subject)),
            what=told.what,
            why=told.why,
            since=since,
            action=told.action,
            serious=self.serious,
        )

    def items(self, rows: QuerySet[Any], subjects: Iterable[str]) -> list[Item]:
        """Those of these rows that have one of these names, as they are shown."""
        return [self.item(row) for row in self.read(self.named(rows, subjects))]

    def named(self, rows: QuerySet[Any], subjects: Iterable[str]) -> QuerySet[Any]:
        """Those of these rows that have one of these names; what can be no name is none."""
        names = [self.name(rows, one) for one in subjects]
        return rows.filter(**{f"{self.subject}__in": [one for one in names if one is not None]})

    def name(self, rows: QuerySet[Any], text: str) -> Any:
        """The name of a row that was text; None for what can be none."""
        try:
            return self._column(rows).to_python(text)
        except ValidationError:
            return None

    def stored(self, rows: QuerySet[Any]) -> Combinable:
        """The name of a row as text, alike in every database: of an id without its hyphens."""
        if isinstance(self._column(rows), UUIDField):
            return bare_id(self.subject)
        return Cast(self.subject, TextField())

    def _column(self, rows: QuerySet[Any]) -> Any:
        meta = rows.model._meta
        return meta.pk if self.subject == "pk" else meta.get_field(self.subject)


def of_administrators(
    rows: Callable[[Person, datetime], QuerySet[M]],
) -> Callable[[Person, datetime], QuerySet[M] | None]:
    """Rows that wait for administrators: for nobody else they are asked for."""

    @functools.wraps(rows)
    def waiting(person: Person, now: datetime) -> QuerySet[M] | None:
        return rows(person, now) if person.is_administrator else None

    return waiting


def day_before(column: str, how_long: timedelta) -> Combinable:
    """The beginning of the day (of UTC) that is so long before the day in a column; for a row that
    is younger, when it was made.
    """
    began = ExpressionWrapper(
        Cast(column, DateTimeField()) - Value(how_long), output_field=DateTimeField()
    )
    return Greatest(began, F("created_at"))


class BareId(Func):
    """An id as text without its hyphens: PostgreSQL writes them, SQLite does not. One expression,
    as each of those that it could be put together from is resolved and compiled for itself.
    """

    template = "REPLACE(CAST(%(expressions)s AS text), '-', '')"
    arity = 1
    output_field = TextField()


def bare_id(column: str | Combinable) -> Combinable:
    """An id as text that is the same in every database and every column."""
    return BareId(column)
