"""What waits for somebody: one statement for how much of each kind, one for which come first, and
one or two for each kind that is shown, however much there is.

Nothing of it is stored, so it is true at every moment: what is done is gone, after one's own click
too. What somebody put off (`put_off.py`) is neither shown nor counted until its day.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.core.exceptions import ValidationError
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

from workspace_manager.inbox import (
    of_differences,
    of_own,
    of_people,
    of_plans,
    of_systems,
    of_webhooks,
)
from workspace_manager.inbox.item import Item
from workspace_manager.inbox.source import SINCE, Source, subject_of
from workspace_manager.records.models import Person, Snooze

SOURCES: Final[Mapping[str, Source]] = {
    source.kind: source
    for source in (
        *of_plans.SOURCES,
        *of_systems.SOURCES,
        *of_differences.SOURCES,
        *of_webhooks.SOURCES,
        *of_people.SOURCES,
        *of_own.SOURCES,
    )
}
"""Every kind of thing that can wait. Another one is a `Source` in one of these files, or a file of
its own that is named here.
"""
KINDS: Final = tuple(SOURCES)


ORDER: Final = ("waits_last", SINCE, "waits_kind", "waits_key")
"""The serious first, then the oldest first."""
SORTS: Final[Mapping[str, tuple[str, ...]]] = {
    "": (),
    "since": (SINCE,),
    "-since": (f"-{SINCE}",),
    "kind": ("waits_kind",),
    "-kind": ("-waits_kind",),
}
"""Other orders, by what they are called in a request."""


@dataclass(frozen=True)
class Waiting:
    """What waits for somebody. `items`: the serious first, then the oldest first, and no more than
    were asked for. `counts`: of every kind of which anything waits, whichever were asked for;
    `total`: of those that were.
    """

    items: list[Item]
    counts: dict[str, int]
    total: int


def of(
    person: Person,
    now: datetime,
    *,
    kinds: Sequence[str] = (),
    most: int = 50,
    skip: int = 0,
    words: str = "",
    sort: str = "",
) -> Waiting:
    """What waits for this person. `kinds`: only of these; `skip`: without the first so many;
    `words`: where each of them stands in a name; `sort`: one of `SORTS`, for another order. Raises
    KeyError for an unknown kind or order.
    """
    asked = [SOURCES[kind].kind for kind in kinds or KINDS]
    found = _without_put_off(person, now, _found(person, now, words))
    counts = _counts(found)
    total = sum(counts.get(kind, 0) for kind in asked)
    there = {kind: found[kind] for kind in asked if counts.get(kind)}
    return Waiting(_items(there, most, skip, sort) if there and most else [], counts, total)


def first(person: Person, now: datetime, *, kinds: Sequence[str], most: int) -> list[Item]:
    """Those of these kinds that come first, with what the person put off. Raises KeyError for an
    unknown kind.
    """
    found = _found(person, now, kinds=kinds)
    return _items(found, most) if found else []


def named(person: Person, now: datetime, kind: str, subjects: Sequence[str]) -> dict[str, Item]:
    """Those of a kind that wait for this person and have these names, put off or not; by the name
    under which something is put off.
    """
    source = SOURCES.get(kind)
    rows = source.waiting(person, now) if source else None
    if source is None or rows is None or person.state != Person.State.ACTIVE:
        return {}
    try:
        found = _read(source, rows, subjects)
    except ValidationError:
        return {}
    return {getattr(key, "hex", str(key)): item for key, item in found.items()}


def _found(
    person: Person, now: datetime, words: str = "", kinds: Sequence[str] = KINDS
) -> dict[str, QuerySet[Any]]:
    """The rows of each kind that may concern this person: nothing does who is not active."""
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
    # Asked first: most people put nothing off, and most kinds are never put off.
    less = set(kept.values_list("kind", flat=True))
    return {
        kind: _without(rows, kept.filter(kind=kind)) if kind in less else rows
        for kind, rows in found.items()
    }


def _without(rows: QuerySet[Any], kept: QuerySet[Snooze]) -> QuerySet[Any]:
    """Without what was put off since it waits; what began again since then is there."""
    same = kept.filter(subject=OuterRef("waits_as"), since=OuterRef(SINCE))
    left: QuerySet[Any] = rows.alias(waits_as=subject_of(rows)).exclude(Exists(same))
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


def _items(
    found: Mapping[str, QuerySet[Any]], most: int, skip: int = 0, sort: str = ""
) -> list[Item]:
    parts = [
        rows.annotate(
            waits_kind=Value(kind, CharField()),
            waits_last=Value(int(not SOURCES[kind].serious), IntegerField()),
            waits_key=Cast("pk", TextField()),
        ).values_list("waits_kind", "waits_key", "waits_last", SINCE)
        for kind, rows in found.items()
    ]
    ordered = _together(parts).order_by(*SORTS[sort], *ORDER)
    places = [(kind, key) for kind, key, _, _ in ordered[skip : skip + most]]
    shown: dict[tuple[str, Any], Item] = {}
    for kind in dict.fromkeys(kind for kind, _ in places):
        keys = [key for other, key in places if other == kind]
        read = _read(SOURCES[kind], found[kind], keys)
        shown |= {(kind, key): item for key, item in read.items()}
    named = [(kind, _key(found[kind], key)) for kind, key in places]
    # What ended between the two statements is left out.
    return [shown[name] for name in named if name in shown]


def _together(parts: Sequence[QuerySet[Any]]) -> QuerySet[Any]:
    first, *others = parts
    return first.union(*others, all=True) if others else first


def _read(source: Source, rows: QuerySet[Any], keys: Sequence[str]) -> dict[Any, Item]:
    """These rows, by their keys."""
    found = source.read(rows.filter(pk__in=[_key(rows, key) for key in keys]))
    return {row.pk: source.item(row) for row in found}


def _key(rows: QuerySet[Any], text: str) -> Any:
    """The key of a row that was text. Raises ValidationError."""
    return rows.model._meta.pk.to_python(text)
