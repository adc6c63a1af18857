"""Of what somebody was told, what waits no longer: asked once for each kind of thing."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from django.utils import timezone

from workspace_manager.inbox import waiting
from workspace_manager.records.models import NoticeSent, Person, WaitingTold

Row = TypeVar("Row", NoticeSent, WaitingTold)
KEPT: Final = timedelta(days=90)


def over(rows: Iterable[Row], person: Person, now: datetime) -> list[Row]:
    """Those that are not there any more for this person, or began anew meanwhile."""
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    found = []
    for kind, told in by_kind.items():
        subjects = [row.key.partition(":")[2] for row in told]
        there = waiting.named(person, now, kind, subjects)
        since = {item.key: item.since for item in there.values()}
        found += [row for row in told if since.get(row.key) != row.since]
    return found


def end(row: NoticeSent | WaitingTold, now: datetime) -> bool:
    """Write down that it is over; whether nobody else did."""
    return bool(type(row).objects.filter(id=row.id, ended_at=None).update(ended_at=now))


def forget_old() -> None:
    """Forget what was over long ago."""
    for told in (NoticeSent, WaitingTold):
        told.objects.filter(ended_at__lt=timezone.now() - KEPT).delete()
