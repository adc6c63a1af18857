"""Snapshots are created by themselves: once each, also by several workers, and as many are kept as
somebody chose.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.conf import LazySettings
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.work import work
from tests.fake_world.world import World
from tests.snapshots import source
from tests.snapshots.test_doors import signed_in
from tests.snapshots.test_plans import make
from tests.visitors import Visitor
from tests.web.api.documents import problem
from tests.web.pages import scenes
from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.message import quote_words
from workspace_manager.core.refusal import BadInput
from workspace_manager.housekeeping import TASKS
from workspace_manager.inbox import waiting_items
from workspace_manager.people import suspend
from workspace_manager.records.models import (
    AuditEntry,
    Component,
    Person,
    Plan,
    Snapshot,
    SnapshotSchedule,
)
from workspace_manager.snapshots import schedule
from workspace_manager.snapshots.schedule import next_moment
from workspace_manager.snapshots.store.objects import SnapshotStore
from workspace_manager.snapshots_settings import SnapshotBounds
from workspace_manager.work import components

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(days=1)


@pytest.fixture
def daily(database: Component, world: World, snapshot_store: SnapshotStore) -> SnapshotSchedule:
    """Each day, and two are kept."""
    return schedule.set_schedule(
        database, every="day", keep=2, actor="alice", systems=world.systems()
    )


def come_by(world: World, now: datetime) -> None:
    """A worker does what it does every minute."""
    for task in ("make_snapshots", "delete_snapshots"):
        TASKS[task].run(world.systems(), now)
    work(world)


def read_due_moment(row: SnapshotSchedule) -> datetime:
    row.refresh_from_db()
    assert row.next_at
    return row.next_at


def test_moments_are_spread_and_stay_those_of_the_component() -> None:
    after = datetime(2026, 3, 4, 12, 30, tzinfo=UTC)
    moments = [next_moment(UUID(int=n), "day", after) for n in range(200)]
    assert all(after < one <= after + DAY for one in moments)
    assert {one.hour for one in moments} == set(range(24))
    weekly = [next_moment(UUID(int=n), "week", after) for n in range(200)]
    assert all(after < one <= after + 7 * DAY for one in weekly)
    assert {one.weekday() for one in weekly} == set(range(7))
    assert next_moment(UUID(int=1), "day", moments[1]) == moments[1] + DAY
    assert next_moment(UUID(int=1), "week", weekly[1]) == weekly[1] + 7 * DAY


def test_one_is_created_when_it_is_due_and_not_before(
    daily: SnapshotSchedule, world: World
) -> None:
    moment = read_due_moment(daily)
    come_by(world, moment - timedelta(seconds=1))
    assert not Snapshot.objects.exists()
    come_by(world, moment)
    made = Snapshot.objects.get()
    assert (made.scheduled, made.state, made.owner.username) == (True, "ready", "alice")
    assert made.label == "Herbarium"
    assert read_due_moment(daily) == moment + DAY
    come_by(world, moment)
    assert Snapshot.objects.count() == 1


def test_what_was_missed_for_days_is_made_once(daily: SnapshotSchedule, world: World) -> None:
    late = read_due_moment(daily) + 5 * DAY + timedelta(hours=1)
    come_by(world, late)
    assert Snapshot.objects.count() == 1
    assert late < read_due_moment(daily) <= late + DAY


def test_of_two_workers_one_finds_it_due(daily: SnapshotSchedule, world: World) -> None:
    """Both have read the row before either writes."""
    moment = read_due_moment(daily)
    stale = SnapshotSchedule.objects.get()
    schedule.make_due(world.systems(), moment)
    schedule._make(stale, world.systems(), moment)
    assert Snapshot.objects.count() == 1


def test_so_many_are_kept_and_none_that_somebody_created_is_deleted(
    daily: SnapshotSchedule, database: Component, world: World, snapshot_store: SnapshotStore
) -> None:
    by_hand = make(world, database)
    first = read_due_moment(daily)
    for n in range(4):
        come_by(world, first + n * DAY)
    come_by(world, first + 3 * DAY)
    rows = Snapshot.objects.filter(scheduled=True)
    assert rows.count() == 2
    assert Snapshot.objects.filter(id=by_hand.id).exists()
    assert len({name.partition("/")[0] for name in snapshot_store.names()}) == 3
    newest = AuditEntry.objects.filter(event="snapshot:requested", actor="manager")
    assert {str(one.id) for one in rows} == {
        one.details["id"] for one in newest.order_by("-at", "-id")[:2]
    }


def test_one_that_failed_is_told_and_goes_when_the_next_one_is_ready(
    daily: SnapshotSchedule, owner: Person, world: World
) -> None:
    def fail(_verb: str) -> None:
        raise Invalid(quote_words("no"), kind="sql_server.database", doing=quote_words("x"))

    source.MEANWHILE.append(fail)
    moment = read_due_moment(daily)
    come_by(world, moment)
    [item] = waiting_items.list_items(owner, timezone.now(), kinds=["snapshot_failed"]).items
    assert "The snapshot “Herbarium” of “Herbarium” could not be created." in item.what.english
    source.MEANWHILE.clear()
    come_by(world, moment + DAY)
    come_by(world, moment + DAY)
    assert [one.state for one in Snapshot.objects.all()] == ["ready"]


def test_at_the_bound_the_oldest_scheduled_one_makes_room(
    daily: SnapshotSchedule,
    database: Component,
    owner: Person,
    world: World,
    settings: LazySettings,
) -> None:
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(count=2)
    by_hand = make(world, database)
    moment = read_due_moment(daily)
    come_by(world, moment)
    come_by(world, moment + DAY)
    assert Snapshot.objects.count() == 2
    assert Snapshot.objects.filter(id=by_hand.id).exists()
    scenes.set_up_systems("sql_server")
    visitor = signed_in(owner)
    said = problem(visitor.ask("POST", f"/components/{database.id}/snapshots"), 409)["reason"]
    assert "has 2 snapshots" in said
    assert "for example “Herbarium” (" in said
    assert "“Monday”" in said


def test_where_nothing_scheduled_can_go_it_is_late_and_says_so(
    daily: SnapshotSchedule,
    database: Component,
    owner: Person,
    world: World,
    settings: LazySettings,
) -> None:
    make(world, database)
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(bytes=1)
    now = timezone.now()
    SnapshotSchedule.objects.update(next_at=now - timedelta(hours=2))
    come_by(world, now)
    assert Snapshot.objects.count() == 1
    [item] = waiting_items.list_items(owner, now, kinds=["snapshot_late"]).items
    assert item.why
    assert "Delete some first, for example “Monday”" in item.why.english
    where = f"/components/{database.id}/snapshot-schedule"
    assert "Monday" in signed_in(owner).ask("GET", where).json()["late"]
    settings.SNAPSHOT_BOUNDS = SnapshotBounds()
    come_by(world, now)
    assert Snapshot.objects.filter(scheduled=True).count() == 1
    assert not waiting_items.list_items(owner, now, kinds=["snapshot_late"]).items


def test_scheduled_ones_are_deleted_after_so_many_days(
    daily: SnapshotSchedule,
    database: Component,
    world: World,
    settings: LazySettings,
) -> None:
    by_hand = make(world, database)
    come_by(world, read_due_moment(daily))
    schedule.end_schedule(database, actor="alice")
    Snapshot.objects.update(created_at=timezone.now() - 31 * DAY)
    settings.SNAPSHOT_BOUNDS = SnapshotBounds(days=30)
    come_by(world, timezone.now())
    assert list(Snapshot.objects.values_list("id", flat=True)) == [by_hand.id]


def test_a_suspension_stops_it_and_a_return_goes_on_with_one(
    daily: SnapshotSchedule, world: World
) -> None:
    moment = read_due_moment(daily)
    plan = suspend.suspend("alice", actor="root-admin", systems=world.systems())
    assert plan
    work(world)
    come_by(world, moment + 3 * DAY)
    assert not Snapshot.objects.exists()
    suspend.resume("alice", actor="root-admin", systems=world.systems())
    work(world)
    come_by(world, moment + 3 * DAY)
    assert Snapshot.objects.count() == 1


def test_the_deletion_of_a_component_ends_it_and_keeps_its_snapshots(
    daily: SnapshotSchedule, database: Component, world: World
) -> None:
    moment = read_due_moment(daily)
    come_by(world, moment)
    components.delete(database, actor="alice", systems=world.systems())
    come_by(world, moment + 2 * DAY)
    assert not SnapshotSchedule.objects.exists()
    [left] = Snapshot.objects.all()
    assert (left.state, left.component) == ("ready", None)
    assert not Plan.objects.filter(state__in=Plan.OPEN).exists()


def test_what_cannot_be_is_refused(database: Component, world: World) -> None:
    systems = world.systems()
    for every, keep in (("hour", 1), ("day", 0), ("week", 367)):
        with pytest.raises(BadInput):
            schedule.set_schedule(database, every=every, keep=keep, actor="a", systems=systems)
    assert not SnapshotSchedule.objects.exists()


def test_by_rest(database: Component, owner: Person, snapshot_store: SnapshotStore) -> None:
    scenes.set_up_systems("sql_server")
    where, visitor = f"/components/{database.id}/snapshot-schedule", signed_in(owner)
    problem(visitor.ask("GET", where), 404)
    said = visitor.ask("PUT", where, {"every": "week", "keep": 4}).json()
    assert (said["every"], said["keep"], said["late"]) == ("week", 4, None)
    assert visitor.ask("GET", where).json() == said
    again = visitor.ask("PUT", where, {"every": "week", "keep": 5}).json()
    assert again == {**said, "keep": 5}
    problem(visitor.ask("PUT", where, {"every": "week", "keep": 0}), 422)
    assert visitor.ask("DELETE", where).status_code == 204
    assert visitor.ask("DELETE", where).status_code == 204
    events = AuditEntry.objects.filter(event__startswith="snapshot:schedule")
    assert [one.event.partition("_")[2] for one in events.order_by("id")] == ["set", "set", "ended"]
    stranger: Visitor = signed_in(make_person("dora", sub="dora-sub"))
    problem(stranger.ask("PUT", where, {"every": "day", "keep": 1}), 404)
