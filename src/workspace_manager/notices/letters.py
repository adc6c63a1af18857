"""People are told of what waits for them, and that it is over: each thing once, what begins
together in one letter.

Nobody is told of the same thing twice: what was told is a row with a unique name, in the
transaction that leaves the letter. A thing that comes and goes is told of at most once an hour. See
docs/explanation/notices.md#e-mails.
"""

import logging
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from workspace_manager.core.clock import LEAP
from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.item import ItemKey
from workspace_manager.letters import emails
from workspace_manager.letters.emails import NoticeLine
from workspace_manager.letters.letter import zone_of
from workspace_manager.notices import choices, ended_waits, notice_state
from workspace_manager.notices.audience import may_be_told
from workspace_manager.notices.choices import How
from workspace_manager.notices.notice_state import Reader
from workspace_manager.records.models import NoticeDigest, NoticeSent, Person

log = logging.getLogger(__name__)
LOOKED_AT_TOGETHER: Final = 500
MOST_NAMED: Final = 200
"""Of so many things that were told of together it is kept what they were."""
MOST_IN_A_LETTER: Final = 20
"""So many things are named; of the rest a letter says how many there are."""
MORNING: Final = time(7)
"""When the daily letter is written, in the zone of whoever gets it."""
AGAIN_AFTER: Final = timedelta(hours=1)
NEXT_DAY: Final = timedelta(days=1)
"""No zone is further ahead of another than that."""
LASTED: Final = timedelta(minutes=2)
"""What was over sooner is not worth a second letter."""
UNREADABLE: Final = (ValueError, LookupError, TypeError)
"""What is raised where another version wrote a row in a form that is not known here."""


def tell_everybody() -> None:
    """Write to whoever is to be told of something now. A row that cannot be read keeps back the
    letter of nobody but those for whom it waits.
    """
    now = timezone.now()
    people = may_be_told(now)
    while some := list(islice(people, LOOKED_AT_TOGETHER)):
        for reader in notice_state.readers(some):
            try:
                _tell(reader, now)
            except UNREADABLE:
                log.exception("no letter could be written to %s", reader.person.pk)


def tell(person: Person, now: datetime) -> None:
    """Write to one person, if there is anything to tell."""
    for reader in notice_state.readers([(person, choices.kinds_of(person, now))]):
        _tell(reader, now)


def _tell(reader: Reader, now: datetime) -> None:
    morning = _morning(reader, now)
    _tell_over(reader, now, everything=morning is not None)
    at_once = reader.kinds(How.AT_ONCE)
    if at_once:
        new = _new(reader, waiting_items.list_keys(reader.person, now, at_once), now)
        _write(reader.person, "notice", new, How.AT_ONCE, now, named=new)
    if morning is not None and _has_today(reader.person, morning.date()):
        _tell_by_day(reader, now, morning)


def _new(reader: Reader, places: Sequence[ItemKey], now: datetime) -> list[ItemKey]:
    """Those of which the person was not told, nor of their like within the hour."""
    known = {(row.key, row.since) for row in reader.open}
    unknown = [one for one in places if (one.key, one.since) not in known]
    if not unknown:
        return []
    # What was told in the future was told before the clock was turned back.
    lately = Q(sent_at__gt=now - AGAIN_AFTER, sent_at__lte=now + LEAP)
    sent = NoticeSent.objects.filter(lately, person=reader.person)
    known_lately = set(sent.values_list("key", flat=True))
    return [one for one in unknown if one.key not in known_lately]


def _morning(reader: Reader, now: datetime) -> datetime | None:
    """This day's, where it has come and the letter of the day was not written yet. One of a day
    that is long to come was written before the clock was turned back.
    """
    local = now.astimezone(zone_of(reader.person.timezone))
    morning = datetime.combine(local.date(), MORNING, local.tzinfo)
    day, today = reader.day, local.date()
    had = day is not None and today <= day <= today + NEXT_DAY
    return None if local < morning or had else morning


def _has_today(person: Person, day: date) -> bool:
    """Write down that this day has its letter, of two hosts on one; whether nobody else did."""
    never = {"day": day - timedelta(days=1)}
    row, _ = NoticeDigest.objects.get_or_create(person=person, defaults=never)
    other = Q(day__lt=day) | Q(day__gt=day + NEXT_DAY)
    return bool(NoticeDigest.objects.filter(other, id=row.id).update(day=day))


def _tell_by_day(reader: Reader, now: datetime, morning: datetime) -> None:
    """Tell what waits by the morning, if something of it is new. A thing that begins later comes
    tomorrow.
    """
    daily = reader.kinds(How.DAILY)
    if daily:
        there = waiting_items.list_keys(reader.person, now, daily)
        named = [one for one in there if one.since < morning]
        new = _new(reader, named, now)
        _write(reader.person, "notice_digest", new, How.DAILY, now, named=named)


def _write(
    person: Person,
    letter: str,
    new: Sequence[ItemKey],
    how: How,
    now: datetime,
    *,
    named: Sequence[ItemKey],
) -> None:
    """Name some things in a letter, and keep of which of them the person is told now."""
    if not new:
        return
    first = named[:MOST_IN_A_LETTER]
    read = waiting_items.items(person, now, list({*first, *new[:MOST_NAMED]}))
    items = {item.key: item for item in read}
    things = [
        NoticeLine(one.what, one.why, one.action.address)
        for one in (items.get(place.key) for place in first)
        if one
    ]
    with transaction.atomic():
        # Whoever was suspended, removed or told by somebody else meanwhile is not written to.
        current = _here(person)
        if current is None or not things:
            return
        rows = [
            NoticeSent(
                person=current,
                kind=place.kind,
                key=place.key,
                since=place.since,
                how=how,
                what=items[place.key].what if place.key in items else None,
                sent_at=now,
            )
            for place in new
        ]
        if _keep(current, rows, now):
            emails.notice(current, letter, things, more=len(named) - len(first))


def _keep(person: Person, rows: Sequence[NoticeSent], now: datetime) -> bool:
    """Keep of what the person is told; whether anything of it is new. What was said to be over is
    told of again, and one of another time takes the place of the time before.
    """
    kinds = {row.kind for row in rows}
    known = NoticeSent.objects.filter(person=person, kind__in=kinds).defer("what")
    there = {(row.key, row.since): row for row in known}
    standing = {name for name, row in there.items() if row.ended_at is None}
    fresh = [row for row in rows if (row.key, row.since) not in standing]
    keys = {row.key for row in fresh}
    before = [row.id for row in there.values() if row.key in keys]
    for ids in _in_parts(before):
        known.filter(id__in=ids, ended_at=None).update(ended_at=now)
    for row in fresh:
        again = there.get((row.key, row.since))
        if again:
            known.filter(id=again.id).update(ended_at=None, sent_at=now, how=row.how)
    made = [row for row in fresh if (row.key, row.since) not in there]
    NoticeSent.objects.bulk_create(made)
    return bool(fresh)


def _in_parts(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for n in range(0, len(ids), LOOKED_AT_TOGETHER):
        yield ids[n : n + LOOKED_AT_TOGETHER]


def _tell_over(reader: Reader, now: datetime, *, everything: bool) -> None:
    """Of what a letter was sent at once and lasted a while it is said, once, that it is over.
    `everything`: what is told to nobody is looked through too.
    """
    asked = [row for row in reader.open if everything or row.kind in choices.TOLD_WHEN_OVER]
    over = ended_waits.ended_rows(asked, reader.person, now)
    if not over:
        return
    with transaction.atomic():
        current = _here(reader.person)
        worth = [row for row in over if ended_waits.end(row, now) and _is_worth(row, now)]
        # Whoever administers no more is told nothing: it may well go on.
        if current is None or not current.is_administrator or not worth:
            return
        first = NoticeSent.objects.filter(id__in=[row.id for row in worth[:MOST_IN_A_LETTER]])
        said = [row.what for row in first.order_by("sent_at", "id") if row.what is not None]
        if said:
            things = [NoticeLine(what) for what in said]
            emails.notice(current, "notice_over", things, more=len(worth) - len(said))


def _is_worth(row: NoticeSent, now: datetime) -> bool:
    told_of = row.how == How.AT_ONCE and row.kind in choices.TOLD_WHEN_OVER
    return told_of and now - row.since >= LASTED


def _here(person: Person) -> Person | None:
    rows = Person.objects.select_for_update().filter(id=person.id, state=Person.State.ACTIVE)
    current = rows.first()
    return current if current and current.is_active and current.email else None
