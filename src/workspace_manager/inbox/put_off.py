"""Snoozed items: hidden and not counted until a day. An item comes back before that day if it ended
and began again.

See docs/explanation/inbox.md#putting-off.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import groupby
from typing import Annotated, Final

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction

from workspace_manager.audit.note import note
from workspace_manager.contract.member_description import When, describe
from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import BadInput
from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.item import Item, ItemView
from workspace_manager.inbox.messages import message
from workspace_manager.records.models import Person, Snooze

LONGEST: Final = timedelta(days=90)
MOST: Final = 50
"""The most snoozed items that are listed, the earliest to return first."""


class NotWaiting(ObjectDoesNotExist):
    """No item with this key waits for this person."""


@dataclass(frozen=True)
class PutOff:
    """An item, and when it is shown again."""

    item: Item
    until: datetime


class PutOffView(ItemView):
    """A snoozed item."""

    put_off_until: Annotated[When, describe("When it is shown again.")]


def view_put_off(one: PutOff) -> PutOffView:
    return PutOffView.from_row(one.item, put_off_until=one.until)


def put_off(person: Person, key: str, until: str, *, zone: tzinfo, actor: str) -> PutOff:
    """Hide an item until the first minute of a day in `zone`. A second call sets another day.

    Raises NotWaiting, and BadInput for a day that is past, today or too far away.
    """
    now = database_now()
    kind, _, subject = key.partition(":")
    found = waiting_items.find_items(person, now, kind, [subject])
    if not found:
        raise NotWaiting
    ((stored, item),) = found.items()
    day = first_moment(until, zone, now)
    with transaction.atomic():
        Snooze.objects.update_or_create(
            person=person,
            kind=kind,
            subject=stored,
            defaults={"since": item.since, "until": day},
        )
        note(
            "inbox:put_off",
            person.username,
            actor=actor,
            what=item.key,
            until=day.astimezone(zone).date().isoformat(),
        )
    return PutOff(item, day)


def take_up(person: Person, key: str, *, actor: str) -> None:
    """Show an item again now. Raises NotWaiting for an item that is not snoozed."""
    kind, _, subject = key.partition(":")
    names = (subject, subject.replace("-", ""))
    with transaction.atomic():
        row = Snooze.objects.filter(person=person, kind=kind, subject__in=names).first()
        if row is None:
            raise NotWaiting
        row.delete()
        note("inbox:taken_up", person.username, actor=actor, what=key)


def list_put_off(person: Person, now: datetime) -> list[PutOff]:
    """Return the person's snoozed items that still wait."""
    rows = list(Snooze.objects.filter(person=person, until__gt=now).order_by("until", "id")[:MOST])
    until = {(row.kind, row.subject): row for row in rows}
    found: list[PutOff] = []
    for kind, group in groupby(sorted(rows, key=lambda row: row.kind), lambda row: row.kind):
        read = waiting_items.find_items(person, now, kind, [row.subject for row in group])
        found += _those(read.items(), kind, until)
    return sorted(found, key=lambda one: one.until)


def _those(
    read: Iterable[tuple[str, Item]], kind: str, until: dict[tuple[str, str], Snooze]
) -> Iterator[PutOff]:
    for subject, item in read:
        row = until[kind, subject]
        # An item that began again since then is in the inbox.
        if row.since == item.since:
            yield PutOff(item, row.until)


def forget_old(now: datetime | None = None) -> None:
    """Delete snoozes that are over."""
    Snooze.objects.filter(until__lte=now or database_now()).delete()


def first_moment(text: str, zone: tzinfo, now: datetime) -> datetime:
    """Return the first moment of a day in the reader's time zone, where a day may have 23 or 25
    hours. Raises BadInput.
    """
    today = now.astimezone(zone).date()
    try:
        day = date.fromisoformat(text.strip())
    except ValueError as wrong:
        raise _unusable() from wrong
    if not today < day <= today + LONGEST:
        raise _unusable()
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def _unusable() -> BadInput:
    return BadInput({"until": message("until", days=LONGEST.days)})
