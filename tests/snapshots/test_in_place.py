"""A snapshot takes the place of what is in its component; it may be cut off anywhere."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.fake_world.people import here
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.conftest import TABLES
from tests.snapshots.test_plans import Killed, make, stuck_or_waits, work_through
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Membership,
    NoticeSent,
    Person,
    Plan,
    Project,
    Snapshot,
)
from workspace_manager.removal.approve import approve_removal
from workspace_manager.removal.draft import draft_removal
from workspace_manager.snapshots import creation, deletion, in_place_restoration, restoration
from workspace_manager.snapshots.content import facts_of
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots.store_access import open_reader
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)
CHANGED = {"herbs": ["sage"], "moss": ["peat"]}


@pytest.fixture
def snapshot(
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    content: dict[str, source.Tables],
) -> Snapshot:
    """Of TABLES; what is in the database now is CHANGED."""
    made = make(world, database)
    content[database.address] = {name: list(rows) for name, rows in CHANGED.items()}
    return made


def order(snapshot: Snapshot, world: World, actor: str = "alice") -> tuple[Snapshot, Plan]:
    _, kept, plan = in_place_restoration.restore_in_place(
        snapshot, actor=actor, systems=world.systems()
    )
    return kept, plan


def steps_of(plan: Plan) -> dict[str, str]:
    return {step.name: step.state for step in plan.steps.order_by("n")}


def test_the_content_is_replaced_and_that_of_before_is_kept(
    snapshot: Snapshot,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    was = (database.address, database.name, database.state)
    before = sorted(world.things)
    first, plan = order(snapshot, world)
    assert first.label == "Before restoring “Monday”"
    assert [*steps_of(plan)] == ["keep_present_content", "load_content_beside", "switch_content"]
    work(world)
    assert stuck_or_waits() == []
    assert content == {database.address: TABLES}
    database.refresh_from_db()
    assert (database.address, database.name, database.state) == was
    assert sorted(world.things) == before
    first.refresh_from_db()
    assert first.state == Snapshot.State.READY
    assert [one.name for one in facts_of(open_reader(first).manifest).tables] == [*CHANGED]
    [entry] = AuditEntry.objects.filter(event="snapshot:restore_in_place_requested")
    assert entry.details["kept"] == str(first.id)
    back, _ = order(first, world)
    work(world)
    assert content == {database.address: CHANGED}
    assert back.label == "Before restoring “Before restoring “Monday””"


@pytest.mark.parametrize("verb", ["capture", "restore", "switch", "switched"])
def test_whoever_is_killed_leaves_the_one_or_the_other(
    snapshot: Snapshot,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
    verb: str,
) -> None:
    kills = [verb]

    def kill(now: str) -> None:
        assert content[database.address] in (TABLES, CHANGED)
        if now in kills:
            kills.remove(now)
            raise Killed

    source.MEANWHILE.append(kill)
    first, _ = order(snapshot, world)
    work_through(world)
    assert kills == []
    assert stuck_or_waits() == []
    assert content == {database.address: TABLES}
    assert open_reader(first).manifest


def test_two_at_once_are_refused_and_so_is_a_snapshot_meanwhile(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    first, plan = order(snapshot, world)
    with pytest.raises(Refused, match="already") as twice:
        order(snapshot, world)
    assert twice.value.plan == str(plan.id)
    with pytest.raises(Refused, match="restored in place"):
        creation.create(database, actor="alice", systems=world.systems())
    for one in (snapshot, first):
        with pytest.raises(Refused, match="brought back"):
            deletion.delete(one, actor="alice", systems=world.systems())
    work(world)
    creation.create(database, actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="is being made already"):
        order(snapshot, world)


def test_what_is_gone_or_of_another_is_refused(
    snapshot: Snapshot, database: Component, world: World
) -> None:
    bob = here(world, "bob")
    Component.objects.filter(id=database.id).update(owner=bob)
    with pytest.raises(Refused, match="belongs to somebody else now"):
        order(snapshot, world)
    Component.objects.filter(id=database.id).update(owner=snapshot.owner)
    components.delete(database, actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="not ready"):
        order(snapshot, world)
    work(world)
    snapshot.refresh_from_db()
    with pytest.raises(Refused, match="does not exist any more"):
        order(snapshot, world)
    assert in_place_restoration.find_target(snapshot, world.systems()) is None


def break_loading(verb: str) -> None:
    if verb == "restore":
        raise Invalid(quote_words("spoiled"), kind="sql_server.database", doing=quote_words("x"))


def test_one_that_is_stuck_changes_nothing_and_gives_way(
    snapshot: Snapshot,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    source.MEANWHILE.append(break_loading)
    first, plan = order(snapshot, world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STUCK
    assert content[database.address] == CHANGED
    first.refresh_from_db()
    assert first.state == Snapshot.State.READY
    source.MEANWHILE.clear()
    creation.create(database, actor="alice", systems=world.systems())
    work(world)
    order(snapshot, world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.SUPERSEDED
    work(world)
    assert content == {database.address: TABLES}
    first.refresh_from_db()
    assert first.state == Snapshot.State.READY


@pytest.mark.parametrize("instead", ["as new", "deletion"])
def test_one_that_is_stuck_gives_way_to_whatever_is_ordered_instead(
    snapshot: Snapshot, world: World, content: dict[str, source.Tables], instead: str
) -> None:
    """It does not go on by itself, so nobody is told to wait for it."""
    source.MEANWHILE.append(break_loading)
    _, plan = order(snapshot, world)
    with pytest.raises(Refused, match="being brought back"):
        deletion.delete(snapshot, actor="alice", systems=world.systems())
    work(world)
    source.MEANWHILE.clear()
    if instead == "deletion":
        deletion.delete(snapshot, actor="alice", systems=world.systems())
    else:
        made, _ = restoration.restore_as_new(
            snapshot, label="Again", project=None, actor="alice", systems=world.systems()
        )
    plan.refresh_from_db()
    assert plan.state == Plan.State.SUPERSEDED
    work(world)
    if instead == "deletion":
        assert not Snapshot.objects.filter(id=snapshot.id).exists()
    else:
        made.refresh_from_db()
        assert content[made.address] == TABLES


def test_one_that_is_stuck_after_it_began_to_replace_is_brought_to_its_end(
    snapshot: Snapshot, world: World
) -> None:
    def break_switching(verb: str) -> None:
        if verb == "switch":
            break_loading("restore")

    source.MEANWHILE.append(break_switching)
    _, plan = order(snapshot, world)
    work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STUCK
    with pytest.raises(Refused, match="being brought back"):
        deletion.delete(snapshot, actor="alice", systems=world.systems())


def test_content_that_is_not_what_the_snapshot_held_replaces_nothing(
    snapshot: Snapshot,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = source.MemorySource.facts

    def other(self: source.MemorySource, address: str) -> object:
        found = real(self, address)
        return found.model_copy(update={"tables": found.tables[:1]})

    _, plan = order(snapshot, world)
    with monkeypatch.context() as patch:
        patch.setattr(source.MemorySource, "facts", other)
        work(world)
    plan.refresh_from_db()
    assert plan.state == Plan.State.STUCK
    [stuck] = plan.steps.filter(name="load_content_beside")
    assert "ferns differ" in stuck.reason.english
    assert content[database.address] == CHANGED


def test_a_load_that_somebody_skips_replaces_nothing(
    snapshot: Snapshot,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    from workspace_manager.engine import actions

    source.MEANWHILE.append(break_loading)
    _, plan = order(snapshot, world)
    work(world)
    actions.skip(plan, 2, actor="root-admin", reason="it never ends")
    work(world)
    [switch] = plan.steps.filter(name="switch_content")
    assert switch.state == "stuck"
    assert "not loaded" in switch.reason.english
    assert content[database.address] == CHANGED


def test_a_component_that_is_deleted_meanwhile_leaves_nothing(
    snapshot: Snapshot,
    database: Component,
    world: World,
    content: dict[str, source.Tables],
) -> None:
    source.MEANWHILE.append(break_loading)
    first, _ = order(snapshot, world)
    work(world)
    assert len(content) == 2
    plan = components.delete(database, actor="alice", systems=world.systems())
    assert next(iter(steps_of(plan))) == "discard_restored_content"
    Plan.objects.filter(id=plan.id).update(due_at=timezone.now() - timedelta(days=1))
    plan.steps.update(next_try_at=None)
    work(world)
    assert not Component.objects.filter(id=database.id).exists()
    assert [*content] == [database.address]
    first.refresh_from_db()
    assert first.state == Snapshot.State.READY


def test_an_owner_who_leaves_meanwhile_leaves_nothing(
    snapshot: Snapshot,
    database: Component,
    world: World,
    snapshot_store: SnapshotStore,
    content: dict[str, source.Tables],
) -> None:
    source.MEANWHILE.append(break_loading)
    order(snapshot, world)
    work(world)
    plan = draft_removal("alice", actor="root-admin", systems=world.systems())
    approve_removal(plan.id, digest=plan.digest, actor="root-admin", systems=world.systems())
    for _ in range(2):
        plan.steps.update(next_try_at=None)
        Plan.objects.filter(id=plan.id).update(due_at=timezone.now() - timedelta(days=1))
        work(world)
    assert not Person.objects.filter(username="alice").exists()
    assert [*content] == [database.address]
    assert list(snapshot_store.names()) == []


def test_everybody_who_uses_it_is_told_and_keeps_their_rights(
    snapshot: Snapshot, database: Component, owner: Person, world: World
) -> None:
    bob = here(world, "bob")
    project = Project.objects.create(owner=owner, label="Plants")
    Membership.objects.create(project=project, person=bob, role=Membership.Role.READ)
    components.move(database, project, by=owner, systems=world.systems())
    work(world)
    rights = {key: thing for key, thing in world.things.items() if "grant" in key}
    order(snapshot, world, actor="root-admin")
    told = {one.person.username: one.what.english for one in NoticeSent.objects.all()}
    assert "in place of the content of “Herbarium”, which you use" in told["bob"]
    assert "in place of the content of your “Herbarium”" in told["alice"]
    Membership.objects.filter(person=bob).update(role=Membership.Role.WRITE)
    work(world)
    assert stuck_or_waits() == []
    after = {key: thing for key, thing in world.things.items() if "grant" in key}
    assert after.keys() == rights.keys()
    assert after != rights
