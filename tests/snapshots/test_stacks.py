"""A whole stack is kept in one snapshot: programs stand still, and other accounts are named."""

from collections.abc import Iterator

import pytest

from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.stack_of_all import HELD, keep_everything, make_stack, part_of
from tests.snapshots.test_plans import Killed, stuck_or_waits, work_through
from workspace_manager.contract.message import in_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Component, Person, Plan, Snapshot, Stack
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import creation, deletion, in_place_restoration, upkeep
from workspace_manager.snapshots.stack_content import FolderReader, stack_facts_of
from workspace_manager.snapshots.store.content_removal import is_gone
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.work import stacks
from workspace_manager.work.content_address import address_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def content(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, source.Tables]]:
    keep_everything(monkeypatch)
    yield source.CONTENT
    source.CONTENT.clear()
    source.MEANWHILE.clear()


@pytest.fixture
def stack(owner: Person, world: World, content: dict[str, source.Tables]) -> Stack:
    return make_stack(world, owner)


def take(world: World, stack: Stack) -> Snapshot:
    snapshot, _ = creation.create(stack, actor="alice", systems=world.systems(), label="Monday")
    work(world)
    snapshot.refresh_from_db()
    return snapshot


def stopped() -> list[str]:
    """What stands still for a snapshot, and what remembers that."""
    return [one for one in source.CONTENT if one.startswith(("helper", "stopped"))]


def test_all_parts_are_in_one_snapshot(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)
    assert stuck_or_waits() == []
    assert snapshot.state == Snapshot.State.READY
    assert (snapshot.owner.username, snapshot.source_type, snapshot.kind) == ("alice", "stack", "")
    assert (snapshot.source_id, snapshot.source_label) == (stack.id, "Ferns")
    assert snapshot.consistent
    assert snapshot.notes is None
    assert stopped() == []
    reader = open_reader(snapshot)
    facts = stack_facts_of(reader.manifest)
    assert {one.kind: [table.name for table in one.facts.tables] for one in facts.parts} == {
        kind: list(tables) for kind, tables in HELD.items()
    }
    recipe = facts.parts[0].facts.recipe
    assert (recipe["template"], recipe["parameters"]) == ("sample", {"TITLE": "Ferns"})
    database = FolderReader(reader, "sql_database")
    assert list(database.sizes()) == ["database.sql"]
    assert b"thyme" in b"".join(database.read_part("database.sql"))


def test_no_program_runs_while_any_part_is_read(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    address = address_of(part_of(stack, "knowledge_stack"))
    seen: list[str] = []

    def look(verb: str) -> None:
        seen.append(verb)
        if verb == "capture":
            assert {f"stopped {address}", f"helper {address}"} <= set(source.CONTENT)

    source.MEANWHILE.append(look)
    assert take(world, stack).state == Snapshot.State.READY
    assert seen == ["stop", "stop", "capture", "capture", "capture", "start", "start"]


def test_what_other_accounts_wrote_meanwhile_is_named(
    stack: Stack, world: World, snapshot_store: SnapshotStore, content: dict[str, source.Tables]
) -> None:
    """A database is written to after it was read, while the repository is read."""
    database, captures = part_of(stack, "sql_database").address, []

    def write(verb: str) -> None:
        captures.append(verb)
        if captures.count("capture") == 3:
            content[database] = {"herbs": ["sage"]}

    source.MEANWHILE.append(write)
    snapshot = take(world, stack)
    assert snapshot.state == Snapshot.State.READY
    assert snapshot.consistent is False
    assert snapshot.notes
    assert "not consistent between parts" in in_words(snapshot.notes, "en")
    assert database in in_words(snapshot.notes, "en")
    assert part_of(stack, "triplestore_repository").address not in in_words(snapshot.notes, "en")


@pytest.mark.parametrize("verb", ["stop", "capture", "start"])
@pytest.mark.parametrize("nth", [1, 2])
def test_what_was_killed_is_begun_anew_and_runs_again(
    stack: Stack, world: World, snapshot_store: SnapshotStore, verb: str, nth: int
) -> None:
    seen: list[str] = []

    def kill(now: str) -> None:
        seen.append(now)
        if now == verb and seen.count(verb) == nth:
            raise Killed

    source.MEANWHILE.append(kill)
    snapshot, _ = creation.create(stack, actor="alice", systems=world.systems())
    work_through(world)
    snapshot.refresh_from_db()
    assert stuck_or_waits() == []
    assert snapshot.state == Snapshot.State.READY
    assert stopped() == []
    assert sum(1 for _ in snapshot_store.names(snapshot.place)) == 1 + len(HELD)


def test_one_that_was_cut_off_is_deleted_and_its_programs_run(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    def kill(now: str) -> None:
        if now == "capture":
            raise Killed

    source.MEANWHILE.append(kill)
    snapshot, _ = creation.create(stack, actor="alice", systems=world.systems())
    with pytest.raises(Killed):
        work(world)
    source.MEANWHILE.clear()
    assert stopped()
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    Plan.objects.exclude(state__in=Plan.CLOSED).update(due_at="2020-01-01T00:00Z")
    work(world)
    assert stopped() == []
    assert list(snapshot_store.names()) == []
    assert not Snapshot.objects.exists()


def test_a_stack_that_is_deleted_meanwhile_gives_no_snapshot(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    """One that lost a part is never taken for whole."""

    def delete(_verb: str) -> None:
        source.MEANWHILE.clear()
        stacks.delete(stack, actor="alice", systems=world.systems())

    source.MEANWHILE.append(delete)
    snapshot = take(world, stack)
    assert snapshot.state == Snapshot.State.FAILED
    assert list(snapshot_store.names()) == []


def test_it_outlives_its_stack_and_is_deleted_as_one(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)
    stacks.delete(stack, actor="alice", systems=world.systems())
    work(world)
    snapshot.refresh_from_db()
    assert not Stack.objects.exists()
    assert (snapshot.stack, snapshot.source_label) == (None, "Ferns")
    deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    assert list(snapshot_store.names()) == []
    assert not Snapshot.objects.exists()


def test_nothing_of_somebody_who_leaves_is_left(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    snapshot = take(world, stack)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    work(world)
    assert is_gone(snapshot_store, snapshot.place)
    assert not Snapshot.objects.exists()
    assert not Person.objects.filter(username="alice").exists()


def test_what_is_under_way_is_refused(
    stack: Stack, world: World, snapshot_store: SnapshotStore
) -> None:
    systems, database = world.systems(), part_of(stack, "sql_database")
    before, _ = creation.create(database, actor="alice", systems=systems)
    with pytest.raises(Refused, match="already"):
        creation.create(stack, actor="alice", systems=systems)
    work(world)
    _, plan = creation.create(stack, actor="alice", systems=systems)
    for order in (
        lambda: creation.create(stack, actor="alice", systems=systems),
        lambda: creation.create(database, actor="alice", systems=systems),
        lambda: in_place_restoration.restore_in_place(before, actor="alice", systems=systems),
    ):
        with pytest.raises(Refused, match="already") as refused:
            order()
        assert refused.value.plan == str(plan.id)
    assert upkeep._addresses_in_use("sql_database") == {database.address}
    work(world)
    Component.objects.filter(id=database.id).update(state=Component.State.FAILED)
    with pytest.raises(Refused, match="not ready"):
        creation.create(stack, actor="alice", systems=systems)


def test_what_nothing_keeps_is_refused(
    stack: Stack, world: World, snapshot_store: SnapshotStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.keep_nothing("triplestore", monkeypatch)
    with pytest.raises(Refused, match="not made by this version"):
        creation.create(stack, actor="alice", systems=world.systems())
    assert not Snapshot.objects.exists()
