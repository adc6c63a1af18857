"""Snapshots in a bucket of a real S3 server, S3Proxy: the tests of the store that a folder runs
everywhere, what only a bucket has, and the life of a snapshot. Databases are in memory.
"""

import json
import subprocess
import sys
from dataclasses import asdict, replace

import httpx
import pytest
from django.conf import LazySettings

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.real.leftovers import check_leftovers_are_cleared
from tests.snapshots import source
from tests.snapshots.conftest import TABLES, content, database, owner, world
from tests.snapshots.s3_bucket import S3Bucket
from tests.snapshots.store.conftest import key, small_objects
from tests.snapshots.store.test_content import (
    read,
    test_a_part_that_is_opened_again_begins_anew,
    test_a_range_is_read_from_the_object_it_begins_in,
    test_a_snapshot_with_an_open_part_is_not_finished,
    test_another_key_opens_nothing,
    test_of_two_tries_at_once_the_first_counts,
    test_parts_may_be_written_by_turns,
    test_the_manifest_goes_first_and_is_seen_gone,
    test_what_was_written_is_read,
    write,
)
from tests.snapshots.store.test_trouble import (
    OBJECTS,
    test_a_rotated_key_is_wrapped_anew_and_the_content_stays,
    test_whatever_a_killed_writer_left_is_listed_and_deleted,
    test_whoever_is_not_wanted_any_more_writes_no_further,
)
from tests.snapshots.test_plans import make, stuck_or_waits
from tests.snapshots.test_store_health import look, only
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.errors import Denied, Unavailable
from workspace_manager.engine.pause import paused_systems
from workspace_manager.records.models import Component, Person, Plan, Snapshot
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import deletion, restoration, verification
from workspace_manager.snapshots.store.content_removal import (
    is_gone,
    remove_content,
    remove_unfinished,
)
from workspace_manager.snapshots.store.keys import SnapshotKey
from workspace_manager.snapshots.store.manifest import has_manifest
from workspace_manager.snapshots.store.objects import SnapshotStore, open_store
from workspace_manager.snapshots.store.snapshot_reader import verify_place
from workspace_sandbox.real import s3proxy

__all__ = [
    "content",
    "database",
    "key",
    "owner",
    "small_objects",
    "test_a_part_that_is_opened_again_begins_anew",
    "test_a_range_is_read_from_the_object_it_begins_in",
    "test_a_rotated_key_is_wrapped_anew_and_the_content_stays",
    "test_a_snapshot_with_an_open_part_is_not_finished",
    "test_another_key_opens_nothing",
    "test_of_two_tries_at_once_the_first_counts",
    "test_parts_may_be_written_by_turns",
    "test_the_manifest_goes_first_and_is_seen_gone",
    "test_what_was_written_is_read",
    "test_whatever_a_killed_writer_left_is_listed_and_deleted",
    "test_whoever_is_not_wanted_any_more_writes_no_further",
    "world",
]

pytestmark = pytest.mark.real
in_a_database = pytest.mark.django_db(transaction=True)

WRITES_UNTIL_KILLED = """
import json, random, signal, sys
import workspace_manager.bootstrap
from workspace_manager.snapshots.store import snapshot_writer
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.objects import open_store
from workspace_manager.snapshots_settings import SnapshotsLocation
snapshot_writer.OBJECT_BYTES = 100_000
store = open_store(SnapshotsLocation(**json.load(sys.stdin)))
with snapshot_writer.SnapshotWriter(store, make_key(), place="of-a-killed-writer") as writer:
    with writer.open_part("data") as part:
        part.write(random.randbytes(400_000))
        print(len(part.objects), flush=True)
        signal.pause()
"""


@pytest.fixture
def bucket(real_s3proxy: s3proxy.S3Proxy, settings: LazySettings) -> S3Bucket:
    made = S3Bucket(real_s3proxy)
    settings.SNAPSHOTS = made.location
    return made


@pytest.fixture
def store(bucket: S3Bucket) -> SnapshotStore:
    return open_store(bucket.location)


def test_who_has_no_key_reads_nothing(
    bucket: S3Bucket, store: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(store, key)
    address = f"{bucket.location.endpoint}/{bucket.location.bucket}"
    names = [f"/ours/{one}" for one in store.names(manifest.place)]
    assert len(names) == OBJECTS + 1
    for name in ("", *names):
        assert httpx.get(address + name, trust_env=False).status_code == 403, name


def test_a_wrong_secret_is_denied_at_every_call(
    bucket: S3Bucket, store: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(store, key)
    location = bucket.location
    wrong = open_store(replace(location, secret_key="another"))
    for act in (
        lambda: write(wrong, key),
        lambda: read(wrong, manifest, key),
        lambda: remove_content(wrong, manifest.place),
        lambda: has_manifest(wrong, manifest.place),
        wrong.look,
    ):
        with pytest.raises(Denied) as refused:
            act()
        said = f"{refused.value}{refused.value.advice}{location}"
        assert location.access_key not in said
        assert location.secret_key not in said
    assert verify_place(store, manifest.place, key).ok
    assert len(bucket.files()) == OBJECTS + 1


@in_a_database
def test_a_bucket_that_is_not_there_proves_no_deletion(
    bucket: S3Bucket, store: SnapshotStore, key: SnapshotKey
) -> None:
    manifest = write(store, key)
    away = bucket.folder.rename(bucket.folder.with_suffix(".away"))
    for act in (
        lambda: remove_content(store, manifest.place),
        lambda: verify_place(store, manifest.place, key),
        store.look,
    ):
        with pytest.raises(Unavailable):
            act()
    found = only()
    assert found.message
    assert (found.severity, found.message.code) == (
        Severity.FAILING,
        "snapshots_store.bucket_missing",
    )
    away.rename(bucket.folder)
    assert verify_place(store, manifest.place, key).ok


@in_a_database
def test_a_small_object_shows_that_the_store_works(bucket: S3Bucket) -> None:
    assert only().severity is Severity.OK
    assert bucket.files() == []


def test_a_process_that_is_killed_leaves_what_is_listed_and_deleted(
    bucket: S3Bucket, store: SnapshotStore
) -> None:
    place = "of-a-killed-writer"
    with subprocess.Popen(
        [sys.executable, "-c", WRITES_UNTIL_KILLED],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as writer:  # fmt: skip
        assert writer.stdin
        assert writer.stdout
        writer.stdin.write(json.dumps(asdict(bucket.location)))
        writer.stdin.close()
        written = int(writer.stdout.readline())
        writer.kill()
    assert len(bucket.files()) == written > 1
    assert not has_manifest(store, place)
    assert remove_unfinished(store, place) == written
    assert is_gone(store, place)
    assert bucket.files() == []


@in_a_database
def test_from_its_making_to_its_deletion(
    database: Component, world: World, bucket: S3Bucket, content: dict[str, source.Tables]
) -> None:
    snapshot = make(world, database)
    assert stuck_or_waits() == []
    assert snapshot.state == Snapshot.State.READY
    assert all(one.startswith(f"{snapshot.place}/") for one in bucket.files())
    assert verification.verify(snapshot).ok
    content[database.address]["herbs"].clear()
    again, _ = restoration.restore_as_new(
        snapshot, label="Again", project=None, actor="alice", systems=world.systems()
    )
    work(world)
    again.refresh_from_db()
    assert again.state == Component.State.READY
    assert content[again.address] == TABLES
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    assert stuck_or_waits() == []
    assert not Snapshot.objects.exists()
    assert bucket.files() == []


@in_a_database
def test_a_snapshot_waits_for_a_bucket_that_is_not_there(
    database: Component, world: World, bucket: S3Bucket
) -> None:
    away = bucket.folder.rename(bucket.folder.with_suffix(".away"))
    snapshot = make(world, database)
    [step] = Plan.objects.get(kind="snapshot.create").steps.exclude(reason=None)
    assert "the bucket of the store of snapshots is not there" in step.reason.english
    assert (step.state, snapshot.state) == ("waiting", "creating")
    away.rename(bucket.folder)
    step.plan.steps.update(next_try_at=None)
    Plan.objects.filter(id=step.plan_id).update(due_at="2020-01-01T00:00Z")
    work(world)
    snapshot.refresh_from_db()
    assert snapshot.state == Snapshot.State.READY


@in_a_database
def test_a_removal_waits_for_a_store_that_refuses_our_key(
    database: Component, world: World, bucket: S3Bucket, settings: LazySettings
) -> None:
    make(world, database)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    settings.SNAPSHOTS = replace(bucket.location, secret_key="another")
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert plan.steps.get(name="delete_records").state == "stuck"
    assert "refused" in paused_systems()["snapshots"].english
    look()
    assert "snapshots" in paused_systems()
    assert bucket.files() != []

    settings.SNAPSHOTS = bucket.location
    look()
    assert paused_systems() == {}
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert bucket.files() == []
    assert not Person.objects.filter(username="alice").exists()


@in_a_database
def test_what_a_killed_run_left_is_cleared(bucket: S3Bucket) -> None:
    check_leftovers_are_cleared(s3proxy, "S3Proxy()")
    assert only().severity is Severity.OK, "ours is not ended with it"
