"""A file that somebody uploads becomes a snapshot of theirs, and a component is made of that.

It goes straight into the store while it arrives, encrypted as every snapshot is. Its row is there
before the first byte, so that rights, bounds, deletion and the end of its owner count for it too.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.accounts.bounds import refuse_too_many
from workspace_manager.accounts.labels import checked_label
from workspace_manager.accounts.row_locks import lock_active
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.contract import progress
from workspace_manager.contract.deadline import moment
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.snapshots import (
    UPLOAD_SEEN,
    SnapshotFacts,
    UnfitFile,
    UploadingSource,
)
from workspace_manager.contract.storable import storable
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.refusal import BadInput, Refused
from workspace_manager.core.sizes import size_message
from workspace_manager.records.models import Component, Person, Plan, Project, Snapshot
from workspace_manager.snapshots import deletion
from workspace_manager.snapshots.bounds import refuse_full
from workspace_manager.snapshots.content import origin_of
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restoration import RESTORATION, restore_as_new
from workspace_manager.snapshots.sources import find_source
from workspace_manager.snapshots.store.content_removal import remove_content
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.manifest import Manifest, make_place
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter
from workspace_manager.snapshots.store_access import key_of, open_snapshots, refuse_unset
from workspace_manager.snapshots.unpacking import read_beginning, unpack
from workspace_manager.work.reservation import lock_shared, made_by

EXPANSION: Final = 20
"""What is in a compressed file may be so many times as large as a file may be."""
TOLD_EACH_S: Final = 60
_FACTS: Final = SnapshotFacts(
    tables=(), consistent=True, counted=False, notes=(message("from_file"),)
)
ALIVE_S: Final = 1800
"""An upload that says nothing for so long belongs to a process that was killed."""


class TooLarge(BadInput):
    """A file is larger than the settings allow. `message` is for people."""

    def __init__(self, most: int) -> None:
        self.message = message("upload_too_large", most=size_message(most))
        super().__init__({"content": self.message})


@dataclass(frozen=True)
class UploadOrder:
    """A component to be made of a file. `file_name`: as whoever sent it calls it."""

    kind: str
    label: str
    project: Project | None
    file_name: str


def create_from_file(
    owner: Person, order: UploadOrder, content: Iterable[bytes], systems: ConnectedSystems
) -> tuple[Component, Plan]:
    """Keep a file as a snapshot of its owner, and store the plan that makes a component of it.
    Nothing stays where that fails.

    Raises BadInput for a label, a kind or a file that cannot be, TooLarge, and Refused as a restore
    does; whatever `content` raises; and the five errors of the store.
    """
    source = _find_source(order.kind, systems)
    row = _draft_row(owner, order, checked_label(order.label))
    refuse_unset()
    unpacked = _unpack(content)
    first = read_beginning(unpacked, UPLOAD_SEEN)
    writer = SnapshotWriter(
        open_snapshots(), key_of(row), place=row.place, kind=row.kind, origin=origin_of(row)
    )
    with _as_bad_input():
        part = source.open_upload(first[:UPLOAD_SEEN], writer)
    # What is refused up to here was written down nowhere.
    _store_row(row, order.project)
    try:
        with progress.also(_Progress(row).tell), writer, _as_bad_input():
            for piece in chain([first], unpacked):
                part.write(piece)
            part.close()
            manifest = writer.finish(_FACTS.model_dump(mode="json"))
        with transaction.atomic():
            _record(row, manifest)
            return restore_as_new(
                row, label=row.label, project=order.project, actor=owner.username, systems=systems
            )
    except BaseException:
        _take_away(row)
        raise


def end_abandoned(systems: ConnectedSystems) -> int:
    """Delete what uploads left whose process was killed; gives how many."""
    count = 0
    for row in _unfinished():
        if not cache.get(_alive(row)):
            # Its owner may be leaving: then it goes with them.
            with suppress(Refused):
                deletion.delete(row, actor=MANAGER, systems=systems)
                count += 1
    return count


def _unfinished() -> QuerySet[Snapshot]:
    rows = Snapshot.objects.filter(source_type=Snapshot.SourceType.UPLOAD)
    return rows.filter(state=Snapshot.State.CREATING).select_related("owner")


def _find_source(kind: str, systems: ConnectedSystems) -> UploadingSource:
    made_by(kind, systems)
    source = find_source(kind, systems)
    if not isinstance(source, UploadingSource):
        raise BadInput({"kind": message("not_from_file", kind=kind)})
    return source


def _draft_row(owner: Person, order: UploadOrder, label: str) -> Snapshot:
    """Return the row of an upload, with its key and its place, before it is stored."""
    return Snapshot(
        owner=owner,
        label=label,
        kind=order.kind,
        source_type=Snapshot.SourceType.UPLOAD,
        source_label=storable(order.file_name)[:100],
        created_by=owner.username,
        place=make_place(),
        key=make_key().identity,
    )


def _store_row(row: Snapshot, project: Project | None) -> None:
    """Store the row before anything of the file is. Raises Refused."""
    with transaction.atomic():
        owner = lock_active(row.owner)
        refuse_too_many(owner, RESTORATION)
        refuse_full(owner)
        lock_shared(owner, project)
        for other in _unfinished():
            if other.owner_id == owner.id and cache.get(_alive(other)):
                raise Refused(message("upload_under_way", label=other.label))
        cache.set(_alive(row), 1, ALIVE_S)
        row.save(force_insert=True)


def _alive(row: Snapshot) -> str:
    return f"snapshots.upload.{row.id}"


def _unpack(content: Iterable[bytes]) -> Iterator[bytes]:
    most = settings.SNAPSHOT_BOUNDS.upload_bytes
    return _bounded(unpack(_bounded(content, most, most)), most * EXPANSION, most)


@contextmanager
def _as_bad_input() -> Iterator[None]:
    try:
        yield
    except UnfitFile as unfit:
        raise BadInput({"content": unfit.why}) from None


def _bounded(pieces: Iterable[bytes], most: int, said: int) -> Iterator[bytes]:
    """Yield pieces of at most so many bytes in all, 0 for any. Raises TooLarge."""
    count = 0
    for piece in pieces:
        count += len(piece)
        if most and count > most:
            raise TooLarge(said)
        if piece:
            yield piece


def _record(row: Snapshot, manifest: Manifest) -> None:
    """Write down that it is there. Raises Refused where it is not order any more."""
    made = _unfinished_row(row).update(
        state=Snapshot.State.READY,
        bytes=manifest.bytes,
        content_bytes=manifest.content_bytes,
        consistent=True,
        notes=message("from_file"),
    )
    if not made:
        raise Refused(message("upload_ended"))
    row.refresh_from_db()
    note("snapshot:uploaded", row.owner.username, actor=row.created_by, id=str(row.id))


def _unfinished_row(row: Snapshot) -> QuerySet[Snapshot]:
    rows = Snapshot.objects.filter(id=row.id, state=Snapshot.State.CREATING)
    return rows.exclude(owner__state=Person.State.LEAVING)


def _take_away(row: Snapshot) -> None:
    """Delete what was begun. What the store does not let go now is deleted later, as after a
    crash.
    """
    cache.delete(_alive(row))
    with suppress(ConnectorError):
        remove_content(open_snapshots(), row.place)
        # One that is being deleted belongs to the plan that deletes it.
        Snapshot.objects.filter(id=row.id, state=Snapshot.State.CREATING).delete()


class _Progress:
    """Says now and then that the upload goes on, and ends one that nobody wants any more."""

    def __init__(self, row: Snapshot) -> None:
        self._row, self._count, self._told_at = row, 0, moment()

    def tell(self, count: int) -> None:
        self._count += count
        if moment() - self._told_at < TOLD_EACH_S:
            return
        self._told_at = moment()
        cache.set(_alive(self._row), 1, ALIVE_S)
        if not _unfinished_row(self._row).update(content_bytes=self._count):
            raise Refused(message("upload_ended"))
