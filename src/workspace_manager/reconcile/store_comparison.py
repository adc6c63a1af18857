"""The part of a comparison that reads the store of snapshots.

It finds content without a record and records without content. The store is listed in one go: a list
of names is short, and a listing that was cut off begins again.
"""

import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction

from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.core import hold
from workspace_manager.core.connected_systems import SNAPSHOTS
from workspace_manager.core.locks import lock
from workspace_manager.engine.pause import refuse_paused
from workspace_manager.reconcile import items
from workspace_manager.reconcile.found_difference import FoundDifference
from workspace_manager.reconcile.messages import message
from workspace_manager.records.models import ReconcileItem, ReconcilePart, Snapshot
from workspace_manager.snapshots.messages import message as of_snapshots
from workspace_manager.snapshots.store.failures import KIND
from workspace_manager.snapshots.taken_back import (
    Orphan,
    compare_content,
    find_without_content,
    list_places,
)

SYSTEM: Final = SNAPSHOTS.name
CONTENT: Final = KIND
Difference = ReconcileItem.Difference
State = ReconcilePart.State


def read_store(part: ReconcilePart, now: Callable[[], datetime]) -> None:
    """Compare the store with the records; a store that cannot be read waits. Asks the store: no
    transaction may be open.
    """
    with lock(f"reconcile:{SYSTEM}", token=uuid.uuid4().hex) as held:
        if held is None:
            return
        part.refresh_from_db()
        if part.state in ReconcilePart.ENDED:
            return
        part.started_at = part.started_at or now()
        try:
            refuse_paused(SYSTEM)
            _compare(part, now)
        except ConnectorError as error:
            part.state, part.reason = State.WAITING, error.message
        part.save()


def may_delete(place: str) -> bool:
    """Return whether content belongs to nobody, and nobody reviews a restore of the records: a
    backup may lack the snapshot that the content is of.
    """
    return not is_under_review() and not Snapshot.objects.filter(place=place).exists()


def is_under_review() -> bool:
    """Return whether an administrator has yet to confirm the records, as after a restore."""
    return hold.current_hold() is not None


def _compare(part: ReconcilePart, now: Callable[[], datetime]) -> None:
    places = list_places()
    found = [_orphan(one) for one in compare_content(list(places))]
    found += [_missing(one) for one in find_without_content(places)]
    with transaction.atomic():
        items.record_page(part, found, now())
        items.end_seen(part, now())
    part.pages, part.seen, part.listed = 1, len(places), True
    part.state, part.reason, part.finished_at = State.DONE, None, now()


def _orphan(one: Orphan) -> FoundDifference:
    target = {"label": one.place, "place": one.place}
    entry = InventoryEntry(CONTENT, target, one.place, _describe(one))
    return FoundDifference(Difference.UNKNOWN_THING, entry, one.why)


def _describe(one: Orphan) -> Message:
    if one.origin is None:
        return of_snapshots("orphan.evidence", place=one.place)
    return of_snapshots(
        "orphan.evidence_named",
        label=one.origin.label,
        source=one.origin.source_label,
        at=one.origin.created_at,
        person=Named(person=one.origin.username),
    )


def _missing(snapshot: Snapshot) -> FoundDifference:
    here = Named(person=snapshot.owner.username)
    entry = InventoryEntry(CONTENT, {}, snapshot.place, message("content_not_listed"))
    why = message("content_missing", label=snapshot.label, person=here)
    return FoundDifference(Difference.MISSING, entry, why, snapshot.owner.username)
