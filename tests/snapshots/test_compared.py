"""The store of snapshots is compared with the records, as the systems are."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.test_plans import make
from workspace_manager.core.clock import database_now
from workspace_manager.core.refusal import Refused
from workspace_manager.operations import hold_orders
from workspace_manager.reconcile import repairs, store_comparison
from workspace_manager.reconcile.items import open_items
from workspace_manager.reconcile.walk import begin, go_on
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Person,
    Plan,
    ReconcileItem,
    ReconcilePart,
    Snapshot,
)
from workspace_manager.snapshots import restoration, taken_back, verification
from workspace_manager.snapshots.store import manifest as manifests
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store.probe import probe_places
from workspace_manager.snapshots_settings import SnapshotsLocation

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def snapshot(database: Component, world: World, snapshot_store: SnapshotStore) -> Snapshot:
    return make(world, database)


def compare(world: World) -> ReconcilePart:
    """One comparison; gives the part of the store."""
    run = begin("root-admin")
    go_on(run, world.systems())
    return run.parts.get(system="snapshots")


def find_items() -> list[ReconcileItem]:
    return list(open_items().filter(system="snapshots"))


def forget(snapshot: Snapshot) -> None:
    """As after the restore of an older backup: the row is gone and the content is there."""
    Snapshot.objects.filter(id=snapshot.id).delete()


def test_a_store_that_fits_the_records_has_no_difference(
    snapshot: Snapshot, world: World, snapshot_store: SnapshotStore
) -> None:
    for place in probe_places():
        snapshot_store.put(f"{place}/1", b"a try of the store")
    part = compare(world)
    assert (part.state, part.seen) == (ReconcilePart.State.DONE, 1)
    assert find_items() == []


def test_content_without_a_row_is_taken_back_for_its_owner(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    forget(snapshot)
    compare(world)
    assert find_items() == []
    back = Snapshot.objects.get()
    for name in (
        *("id", "owner_id", "label", "kind", "source_type", "source_id", "source_label"),
        *("created_by", "created_at", "scheduled", "bytes", "content_bytes", "consistent"),
        *("place", "component_id", "state"),
    ):
        assert getattr(back, name) == getattr(snapshot, name), name
    assert verification.verify(back).ok
    assert AuditEntry.objects.filter(event="snapshot:taken_back").count() == 1
    again, _ = restoration.restore_as_new(
        back, label="Again", project=None, actor="alice", systems=world.systems()
    )
    work(world)
    again.refresh_from_db()
    assert source.CONTENT[again.address] == source.CONTENT[database.address]


def test_it_is_taken_back_also_when_its_source_is_gone(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    forget(snapshot)
    Component.objects.all().delete()
    compare(world)
    assert Snapshot.objects.get().component is None


def _without_manifest(kept: SnapshotStore, place: str) -> None:
    kept.delete(manifests.object_name(place))


def _of_another_key(kept: SnapshotStore, place: str) -> None:
    from django.conf import settings

    settings.SECRET_KEYS = ["the keys of another manager"]


def _of_an_earlier_version(kept: SnapshotStore, place: str) -> None:
    key = manifests.read_key(kept, place)
    old = manifests.read_manifest(kept, place, key).model_copy(update={"origin": None})
    kept.delete(manifests.object_name(place))
    manifests.write_manifest(kept, old, key)


def _of_nobody(kept: SnapshotStore, place: str) -> None:
    Component.objects.all().delete()
    Person.objects.filter(username="alice").update(username="somebody", state="leaving")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (_without_manifest, "snapshots.orphan.unfinished"),
        (_of_another_key, "snapshots.orphan.unreadable"),
        (_of_an_earlier_version, "snapshots.orphan.origin_unknown"),
        (_of_nobody, "snapshots.orphan.owner_gone"),
    ],
    ids=["unfinished", "another key", "earlier version", "owner gone"],
)
def test_what_cannot_be_taken_back_is_an_orphan_that_an_administrator_deletes(
    spoil: Callable[[SnapshotStore, str], None],
    why: str,
    snapshot: Snapshot,
    world: World,
    snapshot_store: SnapshotStore,
    settings: LazySettings,
) -> None:
    forget(snapshot)
    keys = list(settings.SECRET_KEYS)
    settings.SECRET_KEYS = keys
    spoil(snapshot_store, snapshot.place)
    compare(world)
    settings.SECRET_KEYS = keys
    assert not Snapshot.objects.exists()
    [item] = find_items()
    assert (item.difference, item.name) == ("unknown_thing", snapshot.place)
    assert item.reason is not None
    assert item.reason.code == why
    assert list(snapshot_store.names())
    plan = repairs.draft(item.n, "remove", actor="root-admin", systems=world.systems())
    repairs.approve(plan.id, digest=plan.digest, actor="root-admin")
    work(world)
    assert Plan.objects.get(id=plan.id).state == Plan.State.DONE
    assert list(snapshot_store.names()) == []
    assert find_items() == []


def test_nothing_is_offered_for_deletion_while_a_restore_is_under_review(
    snapshot: Snapshot, world: World, snapshot_store: SnapshotStore
) -> None:
    forget(snapshot)
    _of_an_earlier_version(snapshot_store, snapshot.place)
    compare(world)
    [item] = find_items()
    plan = repairs.draft(item.n, "remove", actor="root-admin", systems=world.systems())
    hold_orders.begin_for_restore(actor="root-admin")
    assert "remove" not in repairs.offered_actions(item)
    advice = repairs.advice(item)
    assert advice is not None
    assert advice.code == "reconcile.advice.under_review"
    with pytest.raises(Refused):
        repairs.draft(item.n, "remove", actor="root-admin", systems=world.systems())
    with pytest.raises(Refused):
        repairs.approve(plan.id, digest=plan.digest, actor="root-admin")
    hold_orders.confirm(actor="root-admin")
    assert "remove" in repairs.offered_actions(item)


def test_a_deletion_leaves_alone_what_was_recorded_meanwhile(
    snapshot: Snapshot, world: World, snapshot_store: SnapshotStore
) -> None:
    """Somebody put a newer backup of the records back between the approval and the deletion."""
    row = Snapshot.objects.get(id=snapshot.id)
    forget(snapshot)
    _of_an_earlier_version(snapshot_store, snapshot.place)
    compare(world)
    [item] = find_items()
    plan = repairs.draft(item.n, "remove", actor="root-admin", systems=world.systems())
    repairs.approve(plan.id, digest=plan.digest, actor="root-admin")
    row.save(force_insert=True)
    work(world)
    assert verification.verify(row).ok


def test_a_row_without_content_is_said_and_ends_when_the_content_is_back(
    snapshot: Snapshot, world: World, settings: LazySettings, tmp_path: Path
) -> None:
    folder = settings.SNAPSHOTS.folder
    assert folder is not None
    shutil.move(folder / snapshot.place, tmp_path / "elsewhere")
    compare(world)
    [item] = find_items()
    assert (item.difference, item.username) == ("missing", "alice")
    assert repairs.offered_actions(item) == ["ignore"]
    advice = repairs.advice(item)
    assert advice is not None
    assert advice.code == "reconcile.advice.missing_content"
    snapshot.refresh_from_db()
    assert snapshot.damage is not None
    assert "the manifest is missing" in snapshot.damage.english
    shutil.move(tmp_path / "elsewhere", folder / snapshot.place)
    compare(world)
    assert find_items() == []


def test_a_manifest_that_is_gone_alone_is_missing_content(
    snapshot: Snapshot, world: World, snapshot_store: SnapshotStore
) -> None:
    _without_manifest(snapshot_store, snapshot.place)
    compare(world)
    assert [one.difference for one in find_items()] == ["missing"]


def test_a_store_that_does_not_answer_waits_and_says_nothing_of_content(
    snapshot: Snapshot, world: World, settings: LazySettings
) -> None:
    at = settings.SNAPSHOTS
    settings.SNAPSHOTS = SnapshotsLocation(
        bucket="kept", endpoint="http://127.0.0.1:1", access_key="x", secret_key="x"
    )
    run = begin("root-admin")
    go_on(run, world.systems())
    part = run.parts.get(system="snapshots")
    assert part.state == ReconcilePart.State.WAITING
    assert part.reason is not None
    assert "no answer" in part.reason.english
    assert find_items() == []
    settings.SNAPSHOTS = at
    go_on(run, world.systems())
    part.refresh_from_db()
    assert part.state == ReconcilePart.State.DONE


def test_without_a_store_there_is_nothing_to_compare(
    world: World, owner: Person, settings: LazySettings
) -> None:
    settings.SNAPSHOTS = SnapshotsLocation()
    run = begin("root-admin")
    assert not run.parts.filter(system="snapshots").exists()


def test_one_that_is_deleted_between_list_and_look_is_nobodys_orphan(
    snapshot: Snapshot, world: World, snapshot_store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = taken_back.list_places

    def then_deleted() -> dict[str, bool]:
        places = listed()
        for name in list(snapshot_store.names()):
            snapshot_store.delete(name)
        forget(snapshot)
        return places

    monkeypatch.setattr(store_comparison, "list_places", then_deleted)
    compare(world)
    assert find_items() == []


def test_one_that_is_made_meanwhile_is_no_difference(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    """It is recorded before anything of it is written."""

    def meanwhile(_verb: str) -> None:
        source.MEANWHILE.clear()
        assert compare(world).state == ReconcilePart.State.DONE

    source.MEANWHILE.append(meanwhile)
    make(world, database)
    assert find_items() == []


def test_who_lists_the_store_learns_nothing_of_an_owner(
    snapshot: Snapshot, settings: LazySettings
) -> None:
    """The manifest says whose it is, and is encrypted."""
    folder = settings.SNAPSHOTS.folder
    assert folder is not None
    for file in folder.rglob("*"):
        written = str(file).encode() + (file.read_bytes() if file.is_file() else b"")
        for word in (b"alice", b"Monday", b"Herbarium", str(snapshot.id).encode()):
            assert word not in written, file
    assert database_now() > snapshot.created_at
