"""Bounds of what one person may keep: a number of snapshots, and bytes in the store.

At a bound the oldest scheduled snapshot makes room for the next scheduled one. A snapshot that
somebody created is deleted by nobody but a person.
"""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.db.models import QuerySet, Sum

from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Person, Snapshot
from workspace_manager.snapshots.messages import message

NAMED: Final = 3
"""So many that could be deleted are named."""


@dataclass(frozen=True)
class Usage:
    """Snapshots of one person: their number and size, without those that are being deleted."""

    count: int
    bytes: int

    @property
    def is_full(self) -> bool:
        bounds = settings.SNAPSHOT_BOUNDS
        return bool(
            (bounds.count and self.count >= bounds.count)
            or (bounds.bytes and self.bytes >= bounds.bytes)
        )


def kept_by(owner: Person) -> QuerySet[Snapshot]:
    """The snapshots of a person that count."""
    return Snapshot.objects.filter(owner=owner).exclude(state=Snapshot.State.DELETING)


def measure_usage(owner: Person) -> Usage:
    """Return the number and the size of this person's snapshots."""
    rows = kept_by(owner)
    return Usage(rows.count(), rows.aggregate(sum=Sum("bytes"))["sum"] or 0)


def find_bound(owner: Person) -> Message | None:
    """That somebody keeps as much as may be, and what could be deleted; None below the bounds."""
    usage = measure_usage(owner)
    if not usage.is_full:
        return None
    rows = kept_by(owner).filter(state=Snapshot.State.READY)
    # The scheduled ones first, then the oldest.
    oldest = rows.order_by("-scheduled", "created_at")[:NAMED]
    labels = ", ".join(f"“{one.label}” ({one.created_at:%Y-%m-%d})" for one in oldest)
    return message("bound_reached", count=usage.count, bytes=usage.bytes, labels=labels)


def refuse_full(owner: Person) -> None:
    """Raise Refused at a bound. The owner's row is locked: of several at once none is
    overlooked.
    """
    if full := find_bound(owner):
        raise Refused(full)
