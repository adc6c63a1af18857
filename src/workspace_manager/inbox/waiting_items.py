"""The items of an inbox: one query counts each kind, one orders them, and one or two load each kind
that is shown, whatever the number of items.

Nothing is stored, so the inbox is never out of date. Snoozed items (`put_off.py`) are neither shown
nor counted until their day.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import (
    CharField,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    QuerySet,
    TextField,
    Value,
)
from django.db.models.functions import Cast

from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.inbox import (
    difference_items,
    own_items,
    people_items,
    plan_items,
    system_items,
    webhook_items,
)
from workspace_manager.inbox.item import Item, ItemKey
from workspace_manager.inbox.source import SINCE, Source
from workspace_manager.records.models import Person, Snooze

SOURCES: Final[Mapping[str, Source]] = {
    source.kind: source
    for source in (
        *plan_items.SOURCES,
        *system_items.SOURCES,
        *difference_items.SOURCES,
        *webhook_items.SOURCES,
        *people_items.SOURCES,
        *own_items.SOURCES,
    )
}
"""Every kind of item. A new kind is a `Source` in one of these files, or in a new file that is
listed here.
"""
KINDS: Final = tuple(SOURCES)
OWN: Final = frozenset({"own_permission", *(source.kind for source in own_items.SOURCES)})
"""Kinds about a person's own things, which nobody else sees."""
OF_ADMINISTRATORS: Final = tuple(kind for kind in KINDS if kind not in OWN)
AT_ONCE: Final = 500
"""The most rows that one query selects by name."""

ORDER: Final = ("waits_last", SINCE, "waits_kind", "waits_key")
"""Serious items first, then the oldest first."""
INBOX: Final = ListSpec(
    "inbox_list",
    __file__,
    searched=(),
    order=ORDER,
    members=(
        Member("since", order=SINCE),
        Member(
            "kind",
            Choice(KINDS),
            help="Only things of this kind.",
            example="plan_stuck",
            filter="waits_kind",
            order="waits_kind",
        ),
    ),
)
"""Covers many tables: each source names the columns to search."""
SORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "": (),
    **{one.name: (one.order,) for one in INBOX.orders},
    **{f"-{one.name}": (f"-{one.order}",) for one in INBOX.orders},
}
"""Orders by their names in a request."""


@dataclass(frozen=True)
class WaitingItems:
    """A page of items in their order, with `counts` for every kind that has items, requested or
    not, and the `total` of the requested kinds.
    """

    items: list[Item]
    counts: dict[str, int]
    total: int


def list_items(
    person: Person,
    now: datetime,
    *,
    kinds: Sequence[str] = (),
    most: int = 50,
    skip: int = 0,
    words: str = "",
    sort: str = "",
) -> WaitingItems:
    """Return a page of the person's items. `kinds` limits it to these kinds; `skip` leaves out the
    first items; `words` must all stand in a name; `sort` is one of `SORTS`. Raises KeyError for an
    unknown kind or order.
    """
    asked = [SOURCES[kind].kind for kind in kinds or KINDS]
    found = _without_put_off(person, now, _found(person, now, words))
    counts = _counts(found)
    total = sum(counts.get(kind, 0) for kind in asked)
    there = {kind: found[kind] for kind in asked if counts.get(kind)}
    if not there or not most:
        return WaitingItems([], counts, total)
    shown = _places(there, _ordered(there, sort)[skip : skip + most])
    return WaitingItems(_items(there, shown), counts, total)


def any_administrator() -> Person:
    """Return an administrator without things of their own, to see what all administrators see."""
    return Person(role=Person.Role.ADMINISTRATOR)


def list_keys(person: Person, now: datetime, kinds: Sequence[str]) -> list[ItemKey]:
    """Return the keys of all items of these kinds, in order and without snoozed ones. Raises
    KeyError for an unknown kind.
    """
    found = _without_put_off(person, now, _found(person, now, kinds=kinds))
    return _places(found, _ordered(found)) if found else []


def items(person: Person, now: datetime, wanted: Sequence[ItemKey]) -> list[Item]:
    """Return the items with these keys, in the given order. Items that ended meanwhile are left
    out.
    """
    kinds = list(dict.fromkeys(place.kind for place in wanted))
    return _items(_found(person, now, kinds=kinds), wanted)


def find_items(
    person: Person, now: datetime, kind: str, subjects: Sequence[str]
) -> dict[str, Item]:
    """Return the person's items of a kind with these subjects, snoozed or not, by subject."""
    source = SOURCES.get(kind)
    rows = source.waiting(person, now) if source else None
    if source is None or rows is None or person.state != Person.State.ACTIVE:
        return {}
    found = {item.subject: item for item in source.items(rows, subjects)}
    return {_hex(source.name(rows, subject)): item for subject, item in found.items()}


def unfinished_names(person: Person, now: datetime, kind: str, subjects: Sequence[str]) -> set[str]:
    """Return those of these subjects whose item may not have ended, though it may be hidden now.
    Empty if the kind is not for this person.
    """
    source = SOURCES.get(kind)
    rows = source.lasting(person, now) if source else None
    if source is None or rows is None or person.state != Person.State.ACTIVE:
        return set()
    found: set[str] = set()
    for n in range(0, len(subjects), AT_ONCE):
        there = source.named(rows, subjects[n : n + AT_ONCE])
        found |= {str(one) for one in there.values_list(source.subject, flat=True)}
    return found


def _found(
    person: Person, now: datetime, words: str = "", kinds: Sequence[str] = KINDS
) -> dict[str, QuerySet[Any]]:
    """Return the rows of each kind; only active people have items."""
    if person.state != Person.State.ACTIVE:
        return {}
    found = {kind: SOURCES[kind].waiting(person, now, words) for kind in kinds}
    return {kind: rows for kind, rows in found.items() if rows is not None}


def _without_put_off(
    person: Person, now: datetime, found: Mapping[str, QuerySet[Any]]
) -> dict[str, QuerySet[Any]]:
    if not found:
        return {}
    kept = Snooze.objects.filter(person=person, until__gt=now)
    # This query comes first: most people snooze nothing, and most kinds are never snoozed.
    less = set(kept.values_list("kind", flat=True))
    return {
        kind: _without(SOURCES[kind], rows, kept.filter(kind=kind)) if kind in less else rows
        for kind, rows in found.items()
    }


def _without(source: Source, rows: QuerySet[Any], kept: QuerySet[Snooze]) -> QuerySet[Any]:
    """Leave out rows snoozed since they began; a row that began again since then stays."""
    same = kept.filter(subject=OuterRef("waits_as"), since=OuterRef(SINCE))
    left: QuerySet[Any] = rows.alias(waits_as=source.stored(rows)).exclude(Exists(same))
    return left


def _counts(found: Mapping[str, QuerySet[Any]]) -> dict[str, int]:
    parts = [
        rows.annotate(waits_kind=Value(kind, CharField()))
        .values("waits_kind")
        .annotate(waits_count=Count("pk"))
        .values_list("waits_kind", "waits_count")
        for kind, rows in found.items()
    ]
    counts = dict(_together(parts)) if parts else {}
    return {kind: counts[kind] for kind in KINDS if counts.get(kind)}


def _ordered(found: Mapping[str, QuerySet[Any]], sort: str = "") -> QuerySet[Any]:
    parts = [
        rows.annotate(
            waits_kind=Value(kind, CharField()),
            waits_last=Value(int(not SOURCES[kind].serious), IntegerField()),
            waits_key=Cast(SOURCES[kind].subject, TextField()),
        ).values_list("waits_kind", "waits_key", "waits_last", SINCE)
        for kind, rows in found.items()
    ]
    return _together(parts).order_by(*SORTS[sort], *ORDER)


def _places(found: Mapping[str, QuerySet[Any]], ordered: Iterable[Any]) -> list[ItemKey]:
    return [
        ItemKey(kind, str(SOURCES[kind].name(found[kind], key)), since)
        for kind, key, _, since in ordered
    ]


def _items(found: Mapping[str, QuerySet[Any]], wanted: Sequence[ItemKey]) -> list[Item]:
    shown: dict[str, Item] = {}
    for kind in dict.fromkeys(place.kind for place in wanted):
        subjects = [place.subject for place in wanted if place.kind == kind]
        for n in range(0, len(subjects) if kind in found else 0, AT_ONCE):
            read = SOURCES[kind].items(found[kind], subjects[n : n + AT_ONCE])
            shown |= {item.key: item for item in read}
    # An item that ended between the two queries is left out.
    return [shown[place.key] for place in wanted if place.key in shown]


def _together(parts: Sequence[QuerySet[Any]]) -> QuerySet[Any]:
    first, *others = parts
    return first.union(*others, all=True) if others else first


def _hex(name: Any) -> str:
    """Return a row's name as a snooze stores it."""
    return getattr(name, "hex", str(name))
