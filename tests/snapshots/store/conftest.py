"""A store in a folder, and one in a bucket that fails; small objects, so that a snapshot has
several.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.snapshots.bucket import Bucket
from workspace_manager.snapshots.store import snapshot_writer
from workspace_manager.snapshots.store.keys import SnapshotKey, make_key
from workspace_manager.snapshots.store.objects import SnapshotStore, open_store
from workspace_manager.snapshots_settings import SnapshotsLocation

SMALL = 1000


@pytest.fixture(autouse=True)
def small_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot_writer, "OBJECT_BYTES", SMALL)


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with Bucket().running() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "snapshots"


@pytest.fixture
def in_folder(folder: Path) -> SnapshotStore:
    return open_store(SnapshotsLocation(folder=folder))


@pytest.fixture
def store(in_folder: SnapshotStore) -> SnapshotStore:
    """The tests that take it run in a bucket of a real server too."""
    return in_folder


@pytest.fixture
def in_bucket(bucket: Bucket) -> SnapshotStore:
    return open_store(bucket.location)


@pytest.fixture
def key() -> SnapshotKey:
    return make_key()
