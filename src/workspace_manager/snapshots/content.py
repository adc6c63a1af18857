"""The connector of a snapshot's content in the store: captured, recorded and deleted."""

from collections.abc import Iterator
from typing import ClassVar, Final

from workspace_manager.contract import progress
from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import join_messages
from workspace_manager.contract.slots import hold_slot
from workspace_manager.contract.snapshots import SnapshotFacts, StoppingSource
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.knowledge_stacks.recipe import recipe_of
from workspace_manager.records.models import Component, Person, Snapshot
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.sources import find_source
from workspace_manager.snapshots.stack_content import (
    StackFacts,
    capture_stack,
    stack_facts_of,
)
from workspace_manager.snapshots.store.content_removal import (
    is_gone,
    remove_content,
    remove_unfinished,
)
from workspace_manager.snapshots.store.failures import KIND, AlreadyWritten
from workspace_manager.snapshots.store.manifest import (
    Manifest,
    Origin,
    has_manifest,
    read_manifest,
)
from workspace_manager.snapshots.store.objects import ANSWER_S, CONNECT_S
from workspace_manager.snapshots.store.snapshot_writer import SnapshotWriter
from workspace_manager.snapshots.store_access import key_of, open_snapshots
from workspace_manager.work.content_address import address_of

SYSTEM: Final = "snapshots"
KEPT: Final[Facts] = {"exists": True, "recorded": True}
"""The wish: its manifest is there, and our records say what it holds."""
TOLD_EACH: Final = 16 * 1024 * 1024
"""Bytes after which the records say how far it came."""


class SnapshotContent:
    """Everything that lies below a snapshot's place."""

    kind = KIND
    calls: ClassVar[CallPolicy] = CallPolicy(
        connect_s=CONNECT_S, answer_s=ANSWER_S, first_wait_s=5, renewed=True
    )

    def __init__(self, systems: ConnectedSystems) -> None:
        self._systems = systems

    def plan(self, target: Target, want: Facts | None) -> Change:
        store, place = open_snapshots(), target["place"]
        before: Facts | None = None
        if want is None:
            # Of a capture that was cut off there may be nothing in the store, and programs stopped.
            stopping = any(self._stopping(target))
            before = {"exists": True} if stopping or not is_gone(store, place) else None
        elif has_manifest(store, place):
            before = {"exists": True, "recorded": _is_recorded(target)}
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Capture it, unless an earlier try did; then write down what it holds. Begun again, it is
        captured anew: nothing of a try that was cut off is used.
        """
        row = _row(change)
        store, key = open_snapshots(), key_of(row)
        if not has_manifest(store, row.place):
            remove_unfinished(store, row.place)
            self._capture(row)
        manifest = read_manifest(store, row.place, key)
        remove_unfinished(store, row.place, manifest)
        if not _record(row, manifest):
            # Whoever deletes it, or its owner, may have looked before our manifest was there.
            remove_content(store, row.place)
            raise Conflict(message("not_wanted"), kind=KIND, doing=message("capturing"))
        return CHANGED

    def remove(self, change: Change) -> Outcome:
        for source, address in self._stopping(change.target):
            source.release(address)
        return CHANGED if remove_content(open_snapshots(), change.target["place"]) else ALREADY

    def verify(self, change: Change) -> Evidence | None:
        store, place, label = open_snapshots(), change.target["place"], change.target["label"]
        if change.after is None:
            if not is_gone(store, place):
                return None
            return Evidence.now(
                SYSTEM, message("asked_store"), message("nothing_left", label=label)
            )
        row = Snapshot.objects.filter(id=change.target["id"]).first()
        if row is None or not has_manifest(store, place) or not _is_recorded(change.target):
            return None
        manifest = read_manifest(store, place, key_of(row))
        return Evidence.now(SYSTEM, message("asked_store"), _describe(row, manifest))

    def _stopping(self, target: Target) -> Iterator[tuple[StoppingSource, str]]:
        """The sources of an unfinished snapshot that stop programs, each with the address of the
        content. None for what goes with its owner or its source: that stays stopped.
        """
        unfinished = Snapshot.objects.filter(place=target["place"], consistent=None)
        row = unfinished.exclude(owner__state=Person.State.LEAVING).first()
        if row is None:
            return
        parts = row.stack.parts.all() if row.stack else filter(None, [row.component])
        for component in parts:
            source = find_source(component.kind, self._systems)
            goes = component.state == Component.State.DELETING
            if isinstance(source, StoppingSource) and not goes:
                yield source, address_of(component)

    def _capture(self, row: Snapshot) -> None:
        store, key = open_snapshots(), key_of(row)
        with (
            hold_slot(SYSTEM, kind=KIND, doing=message("capturing")),
            progress.also(_Progress(row).tell),
            SnapshotWriter(
                store, key, place=row.place, kind=row.kind, origin=origin_of(row)
            ) as writer,
        ):
            facts = self._read(row, writer)
            try:
                writer.finish(facts.model_dump(mode="json"))
            except AlreadyWritten:
                return

    def _read(self, row: Snapshot, writer: SnapshotWriter) -> SnapshotFacts | StackFacts:
        if row.source_type == Snapshot.SourceType.STACK:
            return capture_stack(row.stack, writer, self._systems)
        if row.component is None:
            raise NotFound(message("source_gone"), kind=KIND, doing=message("capturing"))
        facts = find_source(row.kind, self._systems).capture(address_of(row.component), writer)
        return facts.model_copy(update={"recipe": recipe_of(row.component)})


class _Progress:
    """Writes down how much was read so far, now and then."""

    def __init__(self, row: Snapshot) -> None:
        self._row, self._count, self._told = row, 0, 0

    def tell(self, count: int) -> None:
        self._count += count
        if self._count - self._told >= TOLD_EACH:
            self._told = self._count
            Snapshot.objects.filter(id=self._row.id).update(content_bytes=self._count)


def facts_of(manifest: Manifest) -> SnapshotFacts:
    """Return the counts of a snapshot, made with it."""
    return SnapshotFacts.model_validate(manifest.facts)


def _counted(row: Snapshot, manifest: Manifest) -> SnapshotFacts | StackFacts:
    of_stack = row.source_type == Snapshot.SourceType.STACK
    return stack_facts_of(manifest) if of_stack else facts_of(manifest)


def _describe(row: Snapshot, manifest: Manifest) -> Message:
    """Return a message about the content of a finished snapshot."""
    counted = _counted(row, manifest)
    count, size = sum(len(part.objects) for part in manifest.parts), manifest.bytes
    if isinstance(counted, StackFacts):
        parts = len(counted.parts)
        return message("stack_is_kept", label=row.label, count=count, bytes=size, parts=parts)
    of_volumes = row.kind == Component.Kind.KNOWLEDGE_STACK
    said = "volumes_are_kept" if of_volumes else "is_kept"
    return message(said, label=row.label, count=count, bytes=size, tables=len(counted.tables))


def origin_of(row: Snapshot) -> Origin:
    """Return the record of this snapshot, as its manifest holds it."""
    return Origin(
        id=row.id,
        owner=row.owner_id,
        username=row.owner.username,
        label=row.label,
        source_type=row.source_type,
        source_id=row.source_id,
        source_label=row.source_label,
        created_by=row.created_by,
        created_at=row.created_at,
        scheduled=row.scheduled,
    )


def _row(change: Change) -> Snapshot:
    rows = Snapshot.objects.select_related("component", "stack", "owner")
    found = rows.filter(id=change.target["id"]).first()
    if found is None:
        raise NotFound(message("row_gone"), kind=KIND, doing=message("capturing"))
    return found


def _is_recorded(target: Target) -> bool:
    return Snapshot.objects.filter(id=target["id"]).exclude(consistent=None).exists()


def _record(row: Snapshot, manifest: Manifest) -> bool:
    """Write down what it holds; gives whether it is still wanted."""
    wanted = Snapshot.objects.filter(id=row.id).exclude(state=Snapshot.State.DELETING)
    wanted = wanted.exclude(owner__state=Person.State.LEAVING)
    counted = _counted(row, manifest)
    return bool(
        wanted.update(
            bytes=manifest.bytes,
            content_bytes=manifest.content_bytes,
            consistent=counted.consistent,
            notes=join_messages(counted.notes, by="; ") if counted.notes else None,
        )
    )
