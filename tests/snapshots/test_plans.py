"""A snapshot is made, brought back as a new component, and deleted; each may be cut off."""

from pathlib import Path

import pytest
from django.conf import LazySettings

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import AuditEntry, Component, Person, Plan, Snapshot
from workspace_manager.records.reencrypt import reencrypt
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import creation, deletion, restoration, verification
from workspace_manager.snapshots.content import facts_of
from workspace_manager.snapshots.store.content_removal import is_gone
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.snapshots_settings import SnapshotsLocation
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)


class Killed(BaseException):
    """Nothing of ours goes on."""


def make(world: World, component: Component) -> Snapshot:
    snapshot, _ = creation.create(component, actor="alice", systems=world.systems(), label="Monday")
    work(world)
    snapshot.refresh_from_db()
    return snapshot


def stuck_or_waits() -> list[str]:
    return list(Plan.objects.exclude(state=Plan.State.DONE).values_list("kind", flat=True))


def test_a_snapshot_is_made(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = make(world, database)
    assert stuck_or_waits() == []
    assert snapshot.state == Snapshot.State.READY
    assert (snapshot.owner.username, snapshot.kind) == ("alice", "sql_database")
    assert (snapshot.source_id, snapshot.source_label) == (database.id, "Herbarium")
    assert snapshot.consistent
    assert snapshot.content_bytes > 0
    assert snapshot.bytes > 0
    reader = open_reader(snapshot)
    assert [table.name for table in facts_of(reader.manifest).tables] == list(TABLES)
    assert b"maidenhair" in b"".join(reader.read_part("database.sql"))
    assert verification.verify(snapshot).ok
    assert snapshot.verified_at
    [entry] = AuditEntry.objects.filter(event="snapshot:requested")
    assert entry.subject == "alice"


def test_it_outlives_its_source(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = make(world, database)
    components.delete(database, actor="alice", systems=world.systems())
    work(world)
    snapshot.refresh_from_db()
    assert not Component.objects.filter(id=database.id).exists()
    assert (snapshot.component, snapshot.source_label) == (None, "Herbarium")
    assert verification.verify(snapshot).ok


def test_it_comes_back_as_a_new_component(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    content: dict[str, source.Tables],
) -> None:
    snapshot = make(world, database)
    content[database.address]["herbs"].clear()
    component, plan = restoration.restore_as_new(
        snapshot, label="Herbarium again", project=None, actor="alice", systems=world.systems()
    )
    assert restoration.open_restores([snapshot]) == {snapshot.id: plan}
    with pytest.raises(Refused, match="brought back"):
        deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    component.refresh_from_db()
    assert stuck_or_waits() == []
    assert component.state == Component.State.READY
    assert component.address != database.address
    assert content[component.address] == TABLES
    assert content[database.address]["herbs"] == []
    assert restoration.open_restores([snapshot]) == {}


def test_its_deletion_takes_the_content_first(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = make(world, database)
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    assert stuck_or_waits() == []
    assert not Snapshot.objects.exists()
    assert list(snapshot_store.names()) == []
    with pytest.raises(Refused, match="not there"):
        deletion.delete(snapshot, actor="alice", systems=world.systems())


@pytest.mark.parametrize("verb", ["capture", "restore", "restored"])
def test_what_was_killed_in_the_middle_or_at_its_end_is_brought_to_an_end(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    content: dict[str, source.Tables],
    verb: str,
) -> None:
    kills = [verb]

    def kill(now: str) -> None:
        if now in kills:
            kills.remove(now)
            raise Killed

    source.MEANWHILE.append(kill)
    snapshot, _ = creation.create(database, actor="alice", systems=world.systems())
    work_through(world)
    snapshot.refresh_from_db()
    component, _ = restoration.restore_as_new(
        snapshot, label="", project=None, actor="alice", systems=world.systems()
    )
    work_through(world)
    component.refresh_from_db()
    assert kills == []
    assert stuck_or_waits() == []
    assert content[component.address] == TABLES
    assert sum(1 for _ in snapshot_store.names(snapshot.place)) == 2


def work_through(world: World) -> None:
    """As a worker would that is started again after each kill."""
    for _ in range(4):
        Plan.objects.update(lease_until=None)
        try:
            work(world)
        except Killed:
            continue
        return


def test_a_source_that_fails_leaves_nothing_in_the_store(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    def fail(_verb: str) -> None:
        raise Unavailable(quote_words("gone"), kind="sql_server.database", doing=quote_words("x"))

    source.MEANWHILE.append(fail)
    snapshot = make(world, database)
    assert snapshot.state == Snapshot.State.CREATING
    assert stuck_or_waits() == ["snapshot.create"]
    assert list(snapshot_store.names()) == []
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    assert not Snapshot.objects.exists()


def test_one_that_is_deleted_while_it_is_made_leaves_nothing(
    database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    """Its deletion ends before the capture, which does not know it yet."""

    def delete(_verb: str) -> None:
        source.MEANWHILE.clear()
        deletion.delete(Snapshot.objects.get(), actor="alice", systems=world.systems())

    source.MEANWHILE.append(delete)
    creation.create(database, actor="alice", systems=world.systems())
    for _ in range(3):
        Plan.objects.exclude(state__in=Plan.CLOSED).update(due_at="2020-01-01T00:00Z")
        work(world)
    assert list(snapshot_store.names()) == []


def test_one_that_is_finished_while_its_owner_leaves_leaves_nothing(
    database: Component, owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    """The capture does not know yet: its plan was stopped, and its row still stands."""

    def leave(_verb: str) -> None:
        source.MEANWHILE.clear()
        plan = draft_removal("alice", actor="root-admin", systems=world.systems())
        approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())

    source.MEANWHILE.append(leave)
    creation.create(database, actor="alice", systems=world.systems())
    work(world)
    assert not Snapshot.objects.filter(bytes__gt=0).exists()
    assert list(snapshot_store.names()) == []


def test_refusals(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    systems = world.systems()
    first, _ = creation.create(database, actor="alice", systems=systems)
    with pytest.raises(Refused, match="already"):
        creation.create(database, actor="alice", systems=systems)
    with pytest.raises(Refused, match="not finished"):
        restoration.restore_as_new(first, label="", project=None, actor="alice", systems=systems)
    Component.objects.filter(id=database.id).update(state=Component.State.FAILED)
    with pytest.raises(Refused, match="not ready"):
        creation.create(database, actor="alice", systems=systems)
    repository, _ = components.create(
        database.owner,
        kind="triplestore_repository",
        label="Ferns",
        project=None,
        systems=systems,
    )
    source.keep_nothing("triplestore", monkeypatch)
    with pytest.raises(Refused, match="not made by this version"):
        creation.create(repository, actor="alice", systems=systems)


def test_nothing_of_somebody_who_leaves_is_left(
    database: Component, owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = make(world, database)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    [step] = [one for one in plan.document["steps"] if one["name"] == "delete_records"]
    kinds = [one["change"]["kind"] for one in step["changes"]]
    assert kinds[:2] == ["snapshots.content", "records.snapshot"]
    assert step["changes"][1]["needs"] == [0]
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert is_gone(snapshot_store, snapshot.place)
    assert not Snapshot.objects.exists()
    assert not Person.objects.filter(username="alice").exists()


def test_one_made_after_the_preview_goes_with_the_rest(
    database: Component, owner: Person, world: World, snapshot_store: SnapshotStore
) -> None:
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    snapshot = make(world, database)
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert is_gone(snapshot_store, snapshot.place)
    assert not Person.objects.filter(username="alice").exists()
    plan.refresh_from_db()
    assert len(plan.added) == 2


def test_a_removal_waits_for_a_store_that_does_not_answer(
    database: Component,
    owner: Person,
    world: World,
    snapshot_store: SnapshotStore,
    settings: LazySettings,
    tmp_path: Path,
) -> None:
    snapshot = make(world, database)
    at = settings.SNAPSHOTS
    settings.SNAPSHOTS = SnapshotsLocation(
        bucket="kept", endpoint="http://127.0.0.1:1", access_key="x", secret_key="x"
    )
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    assert plan.steps.get(name="delete_records").state == "waiting"
    assert Snapshot.objects.filter(id=snapshot.id).exists()
    assert not is_gone(snapshot_store, snapshot.place)
    settings.SNAPSHOTS = at
    plan.steps.update(next_try_at=None)
    Plan.objects.filter(id=plan.id).update(due_at="2020-01-01T00:00Z")
    work(world)
    assert is_gone(snapshot_store, snapshot.place)
    assert not Person.objects.filter(username="alice").exists()


def test_rotated_keys_open_what_was_kept_before(
    database: Component, world: World, snapshot_store: SnapshotStore, settings: LazySettings
) -> None:
    old = list(settings.SECRET_KEYS)
    snapshot = make(world, database)
    settings.SECRET_KEYS = ["another key for these tests", *old]
    reencrypt()
    assert verification.wrap_keys_again() == 1
    settings.SECRET_KEYS = ["another key for these tests"]
    assert verification.verify(Snapshot.objects.get(id=snapshot.id)).ok
