"""The content of a whole stack in one snapshot: each part of the stack has a folder of its own.

The programs of the stack stand still while all of it is read. Other accounts can still write, so
what was read first is counted once more at the end, and what may have changed is named.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from workspace_manager.contract.connector import FrozenModel
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.message import Message
from workspace_manager.contract.snapshots import (
    PartWriter,
    SnapshotFacts,
    SnapshotReader,
    SnapshotSource,
    SnapshotWriter,
    StoppingSource,
)
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.knowledge_stacks.recipe import recipe_of
from workspace_manager.records.models import Component, Stack
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.sources import find_source
from workspace_manager.snapshots.store.failures import KIND
from workspace_manager.snapshots.store.manifest import Manifest
from workspace_manager.work.content_address import address_of

Capture: TypeAlias = Callable[[SnapshotWriter], SnapshotFacts]


class StackPartFacts(FrozenModel):
    """One part of a stack: what it was, and what was counted in it."""

    folder: str
    kind: str
    label: str
    facts: SnapshotFacts


class StackFacts(FrozenModel):
    """The content of a stack in figures, in the order in which it was read."""

    parts: tuple[StackPartFacts, ...]
    consistent: bool
    """Whether all parts are of one moment."""
    notes: tuple[Message, ...] = ()


class FolderWriter:
    """Writes the parts of one component into a folder of a snapshot."""

    def __init__(self, writer: SnapshotWriter, folder: str) -> None:
        self._writer, self._folder = writer, folder

    def open_part(self, name: str) -> PartWriter:
        return self._writer.open_part(f"{self._folder}/{name}")


class FolderReader:
    """Reads what lies in a folder of a snapshot, under the names that its source gave."""

    def __init__(self, reader: SnapshotReader, folder: str) -> None:
        self._reader, self._begin = reader, f"{folder}/"

    def sizes(self) -> Mapping[str, int]:
        return {
            name.removeprefix(self._begin): size
            for name, size in self._reader.sizes().items()
            if name.startswith(self._begin)
        }

    def read_part(self, name: str) -> Iterator[bytes]:
        return self._reader.read_part(self._begin + name)


def capture_stack(
    stack: Stack | None, writer: SnapshotWriter, systems: ConnectedSystems
) -> StackFacts:
    """Write all parts while no program of the stack runs. Raises NotFound where the stack, or a
    part of it, is not there any more.
    """
    parts = find_parts(stack)
    sources = [find_source(one.kind, systems) for one in parts]
    found: list[StackPartFacts] = []
    with contextlib.ExitStack() as at_rest:
        captures = [_stop(*one, at_rest) for one in zip(parts, sources, strict=True)]
        for component, capture in zip(parts, captures, strict=True):
            folder = _name_folder(component, found)
            facts = capture(FolderWriter(writer, folder))
            facts = facts.model_copy(update={"recipe": recipe_of(component)})
            found.append(
                StackPartFacts(
                    folder=folder, kind=component.kind, label=component.label, facts=facts
                )
            )
        changed = _find_changed(parts, sources, found)
        if find_parts(stack) != parts:
            raise _gone()
    notes = [note for one in found for note in one.facts.notes]
    if changed:
        notes.insert(0, message("between_parts", names=", ".join(changed)))
    consistent = not changed and all(one.facts.consistent for one in found)
    return StackFacts(parts=tuple(found), consistent=consistent, notes=tuple(notes))


def find_parts(stack: Stack | None) -> list[Component]:
    """The parts of a stack: what runs programs first. Raises NotFound where not all of it is ready:
    a stack that is being deleted loses one part after the other.
    """
    ready = stack and Stack.objects.filter(id=stack.id, state=Stack.State.READY).first()
    if not ready:
        raise _gone()
    parts = list(ready.parts.order_by("created_at", "id"))
    if not parts or any(one.state != Component.State.READY for one in parts):
        raise _gone()
    return sorted(parts, key=lambda one: one.kind != Component.Kind.KNOWLEDGE_STACK)


def is_of_stack(manifest: Manifest) -> bool:
    """Return whether a snapshot is one of a whole stack."""
    return "parts" in manifest.facts


def stack_facts_of(manifest: Manifest) -> StackFacts:
    """Return the counts of a snapshot of a stack, made with it."""
    return StackFacts.model_validate(manifest.facts)


def _stop(component: Component, source: SnapshotSource, at_rest: contextlib.ExitStack) -> Capture:
    address = address_of(component)
    if isinstance(source, StoppingSource):
        return at_rest.enter_context(source.at_rest(address))
    return partial(source.capture, address)


def _name_folder(component: Component, before: Sequence[StackPartFacts]) -> str:
    same = sum(one.kind == component.kind for one in before)
    return f"{component.kind}-{same + 1}" if same else str(component.kind)


def _find_changed(
    parts: Sequence[Component], sources: Sequence[SnapshotSource], found: Sequence[StackPartFacts]
) -> list[str]:
    """The addresses of parts that are not proved to be as they were read. The last one needs no
    proof, and nothing writes to what is at rest.
    """
    return [
        component.address
        for component, source, one in list(zip(parts, sources, found, strict=True))[:-1]
        if not isinstance(source, StoppingSource)
        and not _is_same(one.facts, source.facts(address_of(component)))
    ]


def _is_same(before: SnapshotFacts, now: SnapshotFacts) -> bool:
    """Return whether each table is proved to have the same rows."""
    proved = all(table.checksum is not None for table in before.tables)
    by_name = {table.name: table for table in before.tables}
    return proved and by_name == {table.name: table for table in now.tables}


def _gone() -> NotFound:
    return NotFound(message("source_gone"), kind=KIND, doing=message("capturing"))
