"""Of what somebody was told, what is over: asked once for each kind of thing."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

from workspace_manager.core.clock import database_now
from workspace_manager.inbox import waiting_items
from workspace_manager.records.models import NoticeSent, Person, WaitingTold

Row = TypeVar("Row", NoticeSent, WaitingTold)
KEPT: Final = timedelta(days=90)


def ended_rows(rows: Iterable[Row], person: Person, now: datetime) -> list[Row]:
    """Those whose end was seen. What is hidden for a while is not over, nor is what began anew
    meanwhile: whoever was told of it would read that it has ended, while it waits.
    """
    by_kind: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        by_kind[row.kind].append(row)
    found: list[Row] = []
    for kind, told in by_kind.items():
        lasts = waiting_items.unfinished_names(person, now, kind, [_subject(row) for row in told])
        found += [row for row in told if _subject(row) not in lasts]
    return found


def _subject(row: NoticeSent | WaitingTold) -> str:
    return row.key.partition(":")[2]


def end(row: NoticeSent | WaitingTold, now: datetime) -> bool:
    """Write down that it is over; whether nobody else did."""
    return bool(type(row).objects.filter(id=row.id, ended_at=None).update(ended_at=now))


def forget_old(now: datetime | None = None) -> None:
    """Forget what was over long ago."""
    before = (now or database_now()) - KEPT
    for told in (NoticeSent, WaitingTold):
        told.objects.filter(ended_at__lt=before).delete()
