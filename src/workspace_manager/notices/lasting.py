"""Of what somebody was told, what waits no longer: asked once for each kind of thing."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import TypeVar

from workspace_manager.inbox import waiting
from workspace_manager.records.models import NoticeSent, Person, WaitingTold

Row = TypeVar("Row", NoticeSent, WaitingTold)


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
