"""The connector of content that is brought back into what was made afresh."""

from typing import ClassVar, Final

from workspace_manager.contract.connector import (
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.contract.slots import hold_slot
from workspace_manager.contract.snapshots import SnapshotFacts, SnapshotReader, SnapshotSource
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.records.models import Component, Snapshot
from workspace_manager.snapshots.content import SYSTEM, facts_of
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.sources import find_source
from workspace_manager.snapshots.stack_content import FolderReader, stack_facts_of
from workspace_manager.snapshots.store.objects import ANSWER_S, CONNECT_S
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.work.content_address import address_of

KIND: Final = "snapshots.restored"
RESTORED: Final[Facts] = {"restored": True}
FOLDER: Final = "folder"
"""Where a target says which part of a stack is restored."""
NAMED: Final = 5
"""So many tables that differ are named."""


class RestoredContent:
    """The content of a component, compared with that of the snapshot."""

    kind = KIND
    calls: ClassVar[CallPolicy] = CallPolicy(
        connect_s=CONNECT_S, answer_s=ANSWER_S, first_wait_s=5, renewed=True
    )

    def __init__(self, systems: ConnectedSystems) -> None:
        self._systems = systems

    def plan(self, target: Target, want: Facts | None) -> Change:
        same = not self._differences(target)[1]
        before: Facts = {"restored": same}
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Load it, and compare. What a try left that was cut off is the source's to see and take
        away; one that was cut off after its end left everything, which the source does not replace.
        """
        snapshot, component = _rows(change.target)
        not_empty = None
        with hold_slot(SYSTEM, kind=KIND, doing=message("restoring")):
            reader, wanted = _open(snapshot, change.target)
            try:
                self._source(component).restore(address_of(component), reader)
            except Conflict as conflict:
                not_empty = conflict
            else:
                if not wanted.counted:
                    Snapshot.objects.filter(id=snapshot.id).update(loaded_into=component.id)
        _, other = self._differences(change.target)
        if other and not_empty:
            raise not_empty
        if other:
            raise Conflict(
                message("other_content", names=", ".join(other[:NAMED])),
                kind=KIND,
                doing=message("counting"),
                advice=message("other_content_advice"),
            )
        return CHANGED

    def remove(self, change: Change) -> Outcome:  # noqa: ARG002
        """It goes with its component."""
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        found, other = self._differences(change.target)
        if other:
            return None
        snapshot, component = _rows(change.target)
        said = message(
            _say_restored(snapshot, component),
            label=change.target["label"],
            tables=len(found.tables),
            rows=sum(table.rows for table in found.tables),
        )
        return Evidence.now(SYSTEM, message("asked_source"), said)

    def _source(self, component: Component) -> SnapshotSource:
        return find_source(component.kind, self._systems)

    def _differences(self, target: Target) -> tuple[SnapshotFacts, list[str]]:
        """Return the present counts, and the tables that differ from the snapshot's."""
        snapshot, component = _rows(target)
        _, wanted = _open(snapshot, target)
        found = self._source(component).facts(address_of(component))
        if not wanted.counted:
            return found, [] if snapshot.loaded_into == component.id else [snapshot.source_label]
        return found, compare_facts(wanted, found)


def _say_restored(snapshot: Snapshot, component: Component) -> str:
    """Return the code of the message about content that is there."""
    if snapshot.source_type == Snapshot.SourceType.UPLOAD:
        return "file_is_loaded"
    of_volumes = component.kind == Component.Kind.KNOWLEDGE_STACK
    return "volumes_are_restored" if of_volumes else "is_restored"


def compare_facts(wanted: SnapshotFacts, found: SnapshotFacts) -> list[str]:
    """The tables that differ, by name. What was not of one moment was counted at another than it
    was read: of that the tables alone are compared.
    """
    have = {table.name: table for table in found.tables}
    want = {table.name: table for table in wanted.tables}
    other = set(have) ^ set(want)
    if wanted.consistent:
        for name in set(have) & set(want):
            sums = {have[name].checksum, want[name].checksum} - {None}
            if have[name].rows != want[name].rows or len(sums) > 1:
                other.add(name)
    return sorted(other)


def _open(snapshot: Snapshot, target: Target) -> tuple[SnapshotReader, SnapshotFacts]:
    """Open the content to restore and its counts: all of a snapshot, or one folder of a stack's."""
    reader = open_reader(snapshot)
    if folder := target.get(FOLDER):
        found = next(one for one in stack_facts_of(reader.manifest).parts if one.folder == folder)
        return FolderReader(reader, folder), found.facts
    return reader, facts_of(reader.manifest)


def _rows(target: Target) -> tuple[Snapshot, Component]:
    snapshot = Snapshot.objects.filter(id=target["snapshot"]).first()
    component = Component.objects.filter(id=target["id"]).first()
    if snapshot is None or component is None:
        raise NotFound(message("row_gone"), kind=KIND, doing=message("restoring"))
    return snapshot, component
