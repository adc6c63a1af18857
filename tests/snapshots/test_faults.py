"""Faults of the store and of the streams, in the middle of plans: the present content stays whole,
and whatever was begun goes on or leaves nothing (docs/reference/snapshot-faults.md).
"""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.bucket import Bucket
from tests.snapshots.conftest import TABLES
from tests.snapshots.test_in_place import CHANGED, order, steps_of
from tests.snapshots.test_plans import make
from tests.snapshots.test_store_health import look
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.contract.snapshots import SnapshotFacts, SnapshotWriter
from workspace_manager.engine import pause
from workspace_manager.records.models import Component, Plan, Snapshot
from workspace_manager.snapshots import creation, restoration
from workspace_manager.snapshots.store import objects
from workspace_manager.snapshots.store.keys import make_key
from workspace_manager.snapshots.store.objects import SnapshotStore

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def bucket(settings: LazySettings) -> Iterator[Bucket]:
    with Bucket().running() as running:
        settings.SNAPSHOTS = running.location
        yield running


def changed(database: Component, content: dict[str, source.Tables]) -> None:
    content[database.address] = {name: list(rows) for name, rows in CHANGED.items()}


def reason_of(plan: Plan) -> str:
    """Why the plan does not go on."""
    steps = plan.steps.exclude(reason=None)
    return " ".join(step.reason.english for step in steps)


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [(403, "AccessDenied", "refused"), (503, "SlowDown", "no answer"), (507, "Full", "full")],
    ids=["refused", "slow", "full"],
)
def test_a_restore_in_place_replaces_nothing_while_the_bucket_fails(
    database: Component,
    world: World,
    bucket: Bucket,
    content: dict[str, source.Tables],
    status: int,
    code: str,
    said: str,
) -> None:
    snapshot = make(world, database)
    changed(database, content)
    bucket.status, bucket.code = status, code
    _, plan = order(snapshot, world)
    work(world)
    plan.refresh_from_db()
    assert plan.state in Plan.OPEN
    assert content == {database.address: CHANGED}
    assert said in reason_of(plan) or said in str(pause.paused_systems())
    bucket.status = 0
    look()
    for _ in range(2):
        plan.steps.exclude(next_try_at=None).update(next_try_at=None)
        Plan.objects.filter(id=plan.id).update(due_at="2020-01-01T00:00Z")
        work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    assert content == {database.address: TABLES}


@pytest.mark.parametrize("left", ["first", "middle", "last"])
def test_an_object_that_was_cut_replaces_nothing(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    content: dict[str, source.Tables],
    settings: LazySettings,
    left: str,
) -> None:
    """The object is empty, half of it is there, or its last byte is missing."""
    snapshot = make(world, database)
    changed(database, content)
    folder = settings.SNAPSHOTS.folder
    assert folder is not None
    [name] = [one for one in snapshot_store.names(snapshot.place) if not one.endswith("/0")]
    whole = (folder / name).read_bytes()
    count = {"first": 0, "middle": len(whole) // 2, "last": len(whole) - 1}[left]
    (folder / name).write_bytes(whole[:count])
    _, plan = order(snapshot, world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STUCK
    assert f"{count} bytes instead of {len(whole)}" in reason_of(plan)
    assert content[database.address] == CHANGED
    assert steps_of(plan)["switch_content"] == "pending"


@pytest.mark.parametrize("at", ["first", "middle", "last"])
def test_a_dump_that_is_cut_leaves_nothing_and_is_begun_anew(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    at: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    really = source.MemorySource.capture
    cuts = [at]

    def cut(self: source.MemorySource, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        if not cuts:
            return really(self, address, writer)
        text = b"x" * 1000
        part = writer.open_part("database.sql")
        part.write(text[: {"first": 0, "middle": 500, "last": 999}[cuts.pop()]])
        raise Unavailable(quote_words("cut"), kind="sql_server.database", doing=quote_words("x"))

    monkeypatch.setattr(source.MemorySource, "capture", cut)
    snapshot, plan = creation.create(database, actor="alice", systems=world.systems())
    seen: list[list[str]] = []
    really_run = source.MemorySource.facts

    def facts(self: source.MemorySource, address: str) -> SnapshotFacts:
        seen.append(list(snapshot_store.names()))
        return really_run(self, address)

    monkeypatch.setattr(source.MemorySource, "facts", facts)
    work(world)
    plan.refresh_from_db()
    assert cuts == []
    assert seen[0] == []
    assert plan.state == Plan.State.DONE
    again, _ = restoration.restore_as_new(
        Snapshot.objects.get(id=snapshot.id),
        label="Again",
        project=None,
        actor="alice",
        systems=world.systems(),
    )
    work(world)
    again.refresh_from_db()
    assert source.CONTENT[again.address] == TABLES


def test_a_full_disk_waits_and_goes_on_once_there_is_room(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(path: Path, _content: bytes) -> None:
        path.write_bytes(b"")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(objects, "_write", full)
        snapshot, plan = creation.create(database, actor="alice", systems=world.systems())
        work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    assert "the store of snapshots is full" in reason_of(plan)
    assert list(snapshot_store.names()) == []
    plan.steps.update(next_try_at=None)
    Plan.objects.filter(id=plan.id).update(due_at="2020-01-01T00:00Z")
    work(world)
    snapshot.refresh_from_db()
    assert snapshot.state == Snapshot.State.READY


@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "as new"])
def test_a_wrong_key_restores_nothing(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    content: dict[str, source.Tables],
    in_place: bool,
) -> None:
    snapshot = make(world, database)
    changed(database, content)
    snapshot.key = make_key().identity
    snapshot.save(update_fields=["key"])
    if in_place:
        _, plan = order(snapshot, world)
    else:
        _, plan = restoration.restore_as_new(
            snapshot, label="Again", project=None, actor="alice", systems=world.systems()
        )
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STUCK
    assert "the key of the snapshot does not open it" in reason_of(plan)
    assert content[database.address] == CHANGED
    assert [*content] == [database.address] or not any(
        rows for address, rows in content.items() if address != database.address
    )
