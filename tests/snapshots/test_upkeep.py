"""The worker's upkeep: each snapshot is read now and then, and what killed captures left is
swept.
"""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.utils import timezone

from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.test_plans import make
from workspace_manager.contract.connector import Severity
from workspace_manager.inbox import waiting_items
from workspace_manager.records.models import Component, HousekeepingFailure, Person, Snapshot
from workspace_manager.snapshots import (
    creation,
    in_place_restoration,
    store_health,
    upkeep,
    verification,
)
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotBounds

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def snapshot(database: Component, world: World, snapshot_store: SnapshotStore) -> Snapshot:
    cache.clear()
    return make(world, database)


def flip_a_bit(settings: LazySettings) -> None:
    [file] = Path(str(settings.SNAPSHOTS.folder)).rglob("000001")
    content = bytearray(file.read_bytes())
    content[-5] ^= 4
    file.write_bytes(content)


def test_a_flipped_bit_is_found_by_itself(
    snapshot: Snapshot, owner: Person, world: World, settings: LazySettings
) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(read_days=30)
    now = timezone.now()
    assert upkeep.read_next(now + timedelta(days=29)) is None
    assert upkeep.read_next(now + timedelta(days=31)) == snapshot
    snapshot.refresh_from_db()
    assert snapshot.damage is None
    assert snapshot.read_at == snapshot.verified_at
    flip_a_bit(settings)
    Snapshot.objects.update(read_at=now - timedelta(days=31))
    assert upkeep.read_next(now) is None, "it is not read twice a day"
    cache.clear()
    upkeep.look(world.systems())
    assert not HousekeepingFailure.objects.exists()
    [item] = waiting_items.list_items(owner, now, kinds=["snapshot_damaged"]).items
    assert item.why
    assert "object 1 of “database.sql” was changed" in item.why.english
    found = [one for one in store_health.findings() if one.severity == Severity.WARNING]
    assert [one.message and one.message.code for one in found] == ["snapshots.content_damaged"]
    assert "not what was written: 1" in found[0].text
    flip_a_bit(settings)
    assert verification.verify(Snapshot.objects.get()).ok
    assert not waiting_items.list_items(owner, now, kinds=["snapshot_damaged"]).items


def test_nothing_is_read_where_nobody_wants_it(snapshot: Snapshot, settings: LazySettings) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds()
    assert upkeep.read_next(timezone.now() + timedelta(days=999)) is None


def test_a_sweep_knows_what_is_in_use(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    upkeep.sweep("sql_database", world.systems())
    creation.create(database, actor="alice", systems=world.systems())
    upkeep.sweep("sql_database", world.systems())
    assert [[], [database.address, f"{database.address}-beside"]] == source.SWEPT


def test_a_restore_in_place_is_in_use_and_a_sweep_is_made_each_hour(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    in_place_restoration.restore_in_place(snapshot, actor="alice", systems=world.systems())
    for _ in range(2):
        upkeep.look(world.systems())
    assert [[database.address, f"{database.address}-beside"]] == source.SWEPT
