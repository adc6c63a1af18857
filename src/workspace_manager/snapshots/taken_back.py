"""Content without a record: what it is, and the way back into the records.

The manifest of a snapshot says whose it is. A manager whose database was restored from an older
backup takes such a snapshot back; nobody inherits one by a name alone.

See docs/explanation/snapshots.md#compared-with-the-records.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import Q

from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.message import Person as Named
from workspace_manager.records.models import Component, Person, Snapshot, Stack
from workspace_manager.snapshots.content import facts_of
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.store.failures import Damaged
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.manifest import (
    MANIFEST,
    Manifest,
    Origin,
    has_manifest,
    read_key,
    read_manifest,
)
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store.probe import probe_places
from workspace_manager.snapshots.store_access import open_snapshots
from workspace_manager.snapshots.verification import verify

OWNERS: Final = (Person.State.ACTIVE, Person.State.SUSPENDED)
AT_ONCE: Final = 500


@dataclass(frozen=True)
class Orphan:
    """Content that belongs to nobody in the records. `why`: why it was not taken back."""

    place: str
    why: Message
    origin: Origin | None = None


def list_places() -> dict[str, bool]:
    """Return every place in the store where something lies, and whether a manifest is among it.
    Raises the five errors.
    """
    found: dict[str, bool] = {}
    ours = probe_places()
    for name in open_snapshots().names():
        place, _, rest = name.partition("/")
        if place not in ours:
            found[place] = found.get(place, False) or rest == MANIFEST
    return found


def compare_content(places: Sequence[str]) -> Iterator[Orphan]:
    """Take back what lies in these places without a record, and yield what cannot be. Raises the
    five errors.
    """
    store = open_snapshots()
    for start in range(0, len(places), AT_ONCE):
        some = places[start : start + AT_ONCE]
        known = set(Snapshot.objects.filter(place__in=some).values_list("place", flat=True))
        for place in some:
            if place not in known:
                yield from _compare_place(store, place)


def _compare_place(store: SnapshotStore, place: str) -> Iterator[Orphan]:
    """A snapshot that was deleted since the listing has nothing left there."""
    if next(store.names(place), None) is None:
        return
    try:
        key = read_key(store, place)
        manifest = read_manifest(store, place, key)
    except NotFound:
        if next(store.names(place), None) is not None:
            yield Orphan(place, message("orphan.unfinished"))
        return
    except Damaged as error:
        yield Orphan(place, message("orphan.unreadable", why=error.message))
        return
    why = take_back(place, manifest, key)
    if why is not None:
        yield Orphan(place, why, manifest.origin)


def take_back(place: str, manifest: Manifest, key: SnapshotKey) -> Message | None:
    """Record a snapshot again, for the owner that its manifest names; return why that cannot be."""
    origin = manifest.origin
    if origin is None or manifest.place != place:
        return message("orphan.origin_unknown")
    with transaction.atomic():
        owner = Person.objects.select_for_update().filter(id=origin.owner).first()
        if owner is None or owner.state not in OWNERS:
            return message("orphan.owner_gone", person=Named(person=origin.username))
        if Snapshot.objects.filter(id=origin.id).exists():
            return message("orphan.recorded_elsewhere")
        facts = facts_of(manifest)
        source = Q(id=origin.source_id, owner=owner)
        snapshot = Snapshot(
            id=origin.id,
            owner=owner,
            component=Component.objects.filter(source).first(),
            stack=Stack.objects.filter(source).first(),
            state=Snapshot.State.READY,
            label=origin.label,
            kind=manifest.kind,
            source_type=origin.source_type,
            source_id=origin.source_id,
            source_label=origin.source_label,
            created_by=origin.created_by,
            created_at=origin.created_at,
            scheduled=origin.scheduled,
            bytes=manifest.bytes,
            content_bytes=manifest.content_bytes,
            consistent=facts.consistent,
            place=place,
            key=key.identity,
        )
        snapshot.save(force_insert=True)
        note("snapshot:taken_back", owner.username, actor=MANAGER, id=str(snapshot.id))
    return None


def find_without_content(places: Mapping[str, bool]) -> Iterator[Snapshot]:
    """Yield the finished snapshots whose content is not there, and note that on each. `places`: as
    `list_places` gave them. Raises the five errors.
    """
    store = open_snapshots()
    rows = Snapshot.objects.filter(state=Snapshot.State.READY).exclude(place="")
    for id_, place in rows.order_by("created_at").values_list("id", "place"):
        if places.get(place) or has_manifest(store, place):
            continue
        snapshot = rows.select_related("owner").filter(id=id_).first()
        if snapshot is not None:
            verify(snapshot)
            yield snapshot
