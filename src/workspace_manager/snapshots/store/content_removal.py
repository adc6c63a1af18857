"""Take away what lies in the place of a snapshot, whether it was finished or not."""

from typing import Final

from workspace_manager.contract import progress
from workspace_manager.contract.errors import Unavailable
from workspace_manager.snapshots.store.failures import KIND
from workspace_manager.snapshots.store.manifest import Manifest, has_manifest, object_name
from workspace_manager.snapshots.store.messages import message
from workspace_manager.snapshots.store.objects import SnapshotStore

LOOKS: Final = 3
"""So often it is looked whether something came meanwhile from a writer that did not know yet."""


def is_gone(store: SnapshotStore, place: str) -> bool:
    """Return whether nothing lies there."""
    return next(store.names(place), None) is None


def remove_content(store: SnapshotStore, place: str) -> int:
    """Delete everything of a snapshot; gives how many objects that were. The manifest goes first,
    and the key with it: from then on nobody can read what is still there. Raises Unavailable when
    something is still seen.
    """
    count = 0
    store.delete(object_name(place))
    if has_manifest(store, place):
        raise _still_there()
    for _ in range(LOOKS):
        found = list(store.names(place))
        if not found:
            return count
        count += _delete(store, found)
    if not is_gone(store, place):
        raise _still_there()
    return count


def remove_unfinished(store: SnapshotStore, place: str, manifest: Manifest | None = None) -> int:
    """Delete what the manifest does not name, or everything where there is none: what tries left
    that were cut off. Gives how many objects that were.
    """
    kept = {object_name(place)} if manifest else set()
    for part in manifest.parts if manifest else ():
        kept |= {f"{place}/{one.name}" for one in part.objects}
    return _delete(store, [name for name in store.names(place) if name not in kept])


def _delete(store: SnapshotStore, names: list[str]) -> int:
    for name in names:
        store.delete(name)
        progress.report(0)
    return len(names)


def _still_there() -> Unavailable:
    return Unavailable(message("still_there"), kind=KIND, doing=message("deleting"))
