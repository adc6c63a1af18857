"""The store as the settings name it, and the key of one snapshot."""

from functools import lru_cache

from django.conf import settings

from workspace_manager.contract.errors import Invalid
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Snapshot
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.store.failures import KIND, wrong_key
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.manifest import read_manifest
from workspace_manager.snapshots.store.messages import message as of_store
from workspace_manager.snapshots.store.objects import SnapshotStore, open_store
from workspace_manager.snapshots.store.snapshot_reader import SnapshotReader
from workspace_manager.snapshots_settings import SnapshotsLocation


def open_snapshots() -> SnapshotStore:
    """The store. Makes no call; raises the five errors where its folder cannot be made, or nobody
    has said where it is.
    """
    if not settings.SNAPSHOTS.is_set:
        raise Invalid(
            of_store("not_set"), kind=KIND, doing=of_store("listing"), advice=of_store("set_it")
        )
    return _open(settings.SNAPSHOTS)


@lru_cache(maxsize=4)
def _open(location: SnapshotsLocation) -> SnapshotStore:
    return open_store(location)


def refuse_unset() -> None:
    """Raise Refused where nobody has said where snapshots lie."""
    if not settings.SNAPSHOTS.is_set:
        raise Refused(of_store("not_set"))


def refuse_unfinished(snapshot: Snapshot) -> None:
    """Raise Refused for one that has no content yet, or none any more."""
    if snapshot.state != Snapshot.State.READY:
        raise Refused(message("not_finished", label=snapshot.label))


def key_of(snapshot: Snapshot) -> SnapshotKey:
    """Raises Damaged for one that has none."""
    if snapshot.key is None:
        raise wrong_key(snapshot.place)
    return SnapshotKey(snapshot.key)


def open_reader(snapshot: Snapshot) -> SnapshotReader:
    """Open a reader of the snapshot's content. Raises the five errors."""
    store, key = open_snapshots(), key_of(snapshot)
    return SnapshotReader(store, read_manifest(store, snapshot.place, key), key)
