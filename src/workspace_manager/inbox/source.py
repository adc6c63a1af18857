"""Sources of inbox items: one for each kind, each a query over current state."""

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
from workspace_manager.core.lists import search
from workspace_manager.inbox.item import Action, Item
from workspace_manager.records.models import Person

M = TypeVar("M", bound=Model)
SINCE = "waits_since"
"""The annotation that holds since when a row waits."""


@dataclass(frozen=True)
class ItemText:
    """Texts of an item besides its name and start."""

    what: Message
    action: Action
    why: Message | None = None


def _as_it_is(rows: QuerySet[Any]) -> Iterable[Any]:
    return rows


@dataclass(frozen=True)
class Source:
    """One kind of item. `rows` returns those for a person, unordered, or None where the kind is not
    for this person, so that no query is made.

    Every source becomes a part of one query: lists are cut in the database, and counts are exact.
    """

    kind: str
    rows: Callable[[Person, datetime], QuerySet[Any] | None]
    told: Callable[[Any], ItemText]
    since: Combinable | str
    """The column or expression of the item's start; never null."""
    searched: tuple[str, ...]
    """Columns that the search covers, such as the name of the thing or of its person."""
    read: Callable[[QuerySet[Any]], Iterable[Any]] = _as_it_is
    """Loads what `told` needs besides the row, once for all rows of a page."""
    serious: bool = False
    subject: str = "pk"
    """The column that names a row; its value stays the same for as long as the item lasts."""
    lasts: Callable[[Person, datetime], QuerySet[Any] | None] | None = None
    """Rows including those that are hidden for a while because their end is not known; None where
    no row is ever hidden.
    """

    def waiting(self, person: Person, now: datetime, words: str = "") -> QuerySet[Any] | None:
        """Return the rows with `waits_since`, limited to those that contain each of the words."""
        rows = self.rows(person, now)
        if rows is None:
            return None
        rows = search(rows, words, self.searched)
        since = F(self.since) if isinstance(self.since, str) else self.since
        waiting: QuerySet[Any] = rows.order_by().annotate(**{SINCE: since})
        return waiting

    def lasting(self, person: Person, now: datetime) -> QuerySet[Any] | None:
        """Return the rows that wait, including those that are hidden for a while."""
        return (self.lasts or self.rows)(person, now)

    def item(self, row: Any) -> Item:
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
        return [self.item(row) for row in self.read(self.named(rows, subjects))]

    def named(self, rows: QuerySet[Any], subjects: Iterable[str]) -> QuerySet[Any]:
        """Return the rows with these names. Text that cannot be a name matches nothing."""
        names = [self.name(rows, one) for one in subjects]
        return rows.filter(**{f"{self.subject}__in": [one for one in names if one is not None]})

    def name(self, rows: QuerySet[Any], text: str) -> Any:
        """Convert text to the name of a row; None if it cannot be one."""
        try:
            return self._column(rows).to_python(text)
        except ValidationError:
            return None

    def stored(self, rows: QuerySet[Any]) -> Combinable:
        """Return the name of a row as text, the same in every database: an id has no hyphens."""
        if isinstance(self._column(rows), UUIDField):
            return bare_id(self.subject)
        return Cast(self.subject, TextField())

    def _column(self, rows: QuerySet[Any]) -> Any:
        meta = rows.model._meta
        return meta.pk if self.subject == "pk" else meta.get_field(self.subject)


def of_administrators(
    rows: Callable[[Person, datetime], QuerySet[M]],
) -> Callable[[Person, datetime], QuerySet[M] | None]:
    """Limit a source to administrators; for others no query is made."""

    @functools.wraps(rows)
    def waiting(person: Person, now: datetime) -> QuerySet[M] | None:
        return rows(person, now) if person.is_administrator else None

    return waiting


def day_before(column: str, how_long: timedelta) -> Combinable:
    """Return the start of the day (UTC) that is `how_long` before the day in a column, or the
    creation of a younger row.
    """
    began = ExpressionWrapper(
        Cast(column, DateTimeField()) - Value(how_long), output_field=DateTimeField()
    )
    return Greatest(began, F("created_at"))


class BareId(Func):
    """An id as text without its hyphens: PostgreSQL writes them, SQLite does not. One expression is
    resolved and compiled once, a composed one for each of its parts.
    """

    template = "REPLACE(CAST(%(expressions)s AS text), '-', '')"
    arity = 1
    output_field = TextField()


def bare_id(column: str | Combinable) -> Combinable:
    return BareId(column)
