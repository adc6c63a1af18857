"""People are told of what waits for them, and that it is over: each thing once, what begins
together in one letter.

Nobody is told of the same thing twice: what was told is a row with a unique name, in the
transaction that leaves the letter. A thing that comes and goes is told of at most once an hour. See
docs/explanation/notices.md#letters.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, time, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone

from workspace_manager.core import emails
from workspace_manager.core.emails import Noticed
from workspace_manager.core.letter import zone_of
from workspace_manager.inbox import waiting
from workspace_manager.inbox.item import Item
from workspace_manager.notices import choices, lasting
from workspace_manager.notices.choices import How
from workspace_manager.notices.who import may_be_told
from workspace_manager.records.models import NoticeDigest, NoticeSent, Person

MOST_LOOKED_AT: Final = 200
MOST_IN_A_LETTER: Final = 20
"""So many things are named; of the rest a letter says how many there are."""
MORNING: Final = time(7)
"""When the daily letter is written, in the zone of whoever gets it."""
AGAIN_AFTER: Final = timedelta(hours=1)
LASTED: Final = timedelta(minutes=2)
"""What was over sooner is not worth a second letter."""


def tell_everybody() -> None:
    """Write to whoever is to be told of something now."""
    now = timezone.now()
    for person in may_be_told(now).iterator():
        tell(person, now)


def tell(person: Person, now: datetime) -> None:
    """Write to one person, if there is anything to tell."""
    chosen = choices.of(person, now)
    _tell_over(person, now)
    at_once = [kind for kind, how in chosen.items() if how == How.AT_ONCE]
    if at_once:
        items = _new(person, _waiting(person, now, at_once), now)
        if items:
            _write(person, "notice", items, How.AT_ONCE, named=items)
    daily = [kind for kind, how in chosen.items() if how == How.DAILY]
    if daily:
        _tell_by_day(person, now, daily)


def _waiting(person: Person, now: datetime, kinds: Sequence[str]) -> list[Item]:
    return waiting.first(person, now, kinds=kinds, most=MOST_LOOKED_AT)


def _new(person: Person, items: Sequence[Item], now: datetime) -> list[Item]:
    """Those of which the person was not told, nor of their like within the hour."""
    told = NoticeSent.objects.filter(person=person, key__in={item.key for item in items})
    rows = list(told.values_list("key", "since", "sent_at"))
    known = {(key, since) for key, since, _ in rows}
    lately = {key for key, _, sent_at in rows if sent_at > now - AGAIN_AFTER}
    return [one for one in items if (one.key, one.since) not in known and one.key not in lately]


def _tell_by_day(person: Person, now: datetime, kinds: Sequence[str]) -> None:
    """What waits by the morning, when something of it is new; what begins later is told tomorrow.
    On one letter a day two hosts agree by the row.
    """
    local = now.astimezone(zone_of(person.timezone))
    morning = datetime.combine(local.date(), MORNING, local.tzinfo)
    today = local.date()
    never = {"day": today - timedelta(days=1)}
    row, _ = NoticeDigest.objects.get_or_create(person=person, defaults=never)
    if local < morning or row.day >= today:
        return
    if not NoticeDigest.objects.filter(id=row.id, day__lt=today).update(day=today):
        return
    items = [one for one in _waiting(person, now, kinds) if one.since < morning]
    new = _new(person, items, now)
    if new:
        _write(person, "notice_digest", new, How.DAILY, named=items)


def _write(
    person: Person, letter: str, new: Iterable[Item], how: How, *, named: Sequence[Item]
) -> None:
    with transaction.atomic():
        # Whoever was suspended, removed or told by somebody else meanwhile is not written to.
        current = _here(person)
        told = NoticeSent.objects.filter(person=person, key__in={item.key for item in new})
        known = set(told.values_list("key", "since"))
        fresh = [item for item in new if (item.key, item.since) not in known]
        if current is None or not fresh:
            return
        NoticeSent.objects.bulk_create(
            NoticeSent(
                person=current,
                kind=item.kind,
                key=item.key,
                since=item.since,
                how=how,
                what=item.what,
            )
            for item in fresh
        )
        _post(current, letter, [Noticed(one.what, one.why, one.action.address) for one in named])


def _tell_over(person: Person, now: datetime) -> None:
    """Of what a letter was sent at once and lasted a while it is said, once, that it is over."""
    open_ = NoticeSent.objects.filter(person=person, ended_at=None).order_by("sent_at", "id")
    over = lasting.over(open_[:MOST_LOOKED_AT], person, now)
    if not over:
        return
    with transaction.atomic():
        current = _here(person)
        mine = [row for row in over if lasting.end(row, now)]
        worth = [
            row
            for row in mine
            if row.how == How.AT_ONCE
            and row.kind in choices.TOLD_WHEN_OVER
            and now - row.since >= LASTED
            and row.what is not None
        ]
        if current is None or not worth:
            return
        _post(current, "notice_over", [Noticed(row.what) for row in worth])


def _post(person: Person, letter: str, things: Sequence[Noticed]) -> None:
    most = MOST_IN_A_LETTER
    emails.notice(person, letter, things[:most], more=len(things[most:]))


def _here(person: Person) -> Person | None:
    rows = Person.objects.select_for_update().filter(id=person.id, state=Person.State.ACTIVE)
    current = rows.first()
    return current if current and current.is_active and current.email else None
