"""A schedule of a whole stack: by every door, and beside those of its components."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.snapshots.stack_of_all import part_of
from tests.snapshots.test_doors import signed_in
from tests.snapshots.test_schedule import DAY, come_by, read_due_moment
from tests.snapshots.test_stack_doors import typed
from tests.visitors import BACKEND
from tests.web.api.documents import problem
from workspace_manager.core.refusal import Refused
from workspace_manager.inbox import waiting_items
from workspace_manager.records.models import (
    AuditEntry,
    Membership,
    Person,
    Project,
    Snapshot,
    SnapshotSchedule,
    Stack,
)
from workspace_manager.snapshots import schedule
from workspace_manager.work import stacks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def daily(stack: Stack, world: World) -> SnapshotSchedule:
    """Each day, and two are kept."""
    return schedule.set_schedule(stack, every="day", keep=2, actor="alice", systems=world.systems())


def list_snapshots() -> list[Snapshot]:
    return list(Snapshot.objects.order_by("created_at"))


def test_one_of_all_components_is_created_when_it_is_due(
    daily: SnapshotSchedule, stack: Stack, world: World
) -> None:
    moment = read_due_moment(daily)
    come_by(world, moment - timedelta(seconds=1))
    assert list_snapshots() == []
    come_by(world, moment)
    [one] = list_snapshots()
    assert (one.scheduled, one.state, one.source_type) == (True, "ready", "stack")
    assert (one.stack, one.owner, one.label) == (stack, stack.owner, "Ferns")
    assert read_due_moment(daily) == moment + DAY


def test_so_many_are_kept_and_a_schedule_of_a_component_counts_its_own(
    daily: SnapshotSchedule, stack: Stack, world: World
) -> None:
    database = part_of(stack, "sql_database")
    of_part = schedule.set_schedule(
        database, every="day", keep=1, actor="alice", systems=world.systems()
    )
    moment = max(read_due_moment(daily), read_due_moment(of_part))
    for n in range(4):
        # At one moment only one of the two is made; the other is due still, and comes next.
        for _ in range(2):
            come_by(world, moment + n * DAY)
    come_by(world, moment + 3 * DAY)
    kinds = [one.source_type for one in list_snapshots()]
    assert (kinds.count("stack"), kinds.count("component")) == (2, 1)
    assert {one.state for one in list_snapshots()} == {"ready"}


def test_the_end_of_one_leaves_the_other(
    daily: SnapshotSchedule, stack: Stack, world: World
) -> None:
    database = part_of(stack, "sql_database")
    schedule.set_schedule(database, every="week", keep=1, actor="alice", systems=world.systems())
    schedule.end_schedule(stack, actor="alice")
    assert [one.source for one in SnapshotSchedule.objects.all()] == [database]
    [ended] = AuditEntry.objects.filter(event="snapshot:schedule_ended")
    assert ended.details["stack"] == str(stack.id)


def test_a_stack_that_is_being_deleted_gets_none(
    daily: SnapshotSchedule, stack: Stack, world: World
) -> None:
    stacks.delete(stack, actor="alice", systems=world.systems())
    with pytest.raises(Refused, match="already being deleted"):
        schedule.set_schedule(stack, every="day", keep=2, actor="alice", systems=world.systems())


def test_one_that_is_late_says_why(daily: SnapshotSchedule, stack: Stack, world: World) -> None:
    now: datetime = timezone.now()
    SnapshotSchedule.objects.update(next_at=now - timedelta(hours=2))
    Stack.objects.update(state=Stack.State.CREATING)
    [item] = waiting_items.list_items(stack.owner, now, kinds=["snapshot_late"]).items
    assert "“Ferns”" in item.what.english
    assert item.action.address == f"/stacks/{stack.id}#snapshots"
    Stack.objects.update(state=Stack.State.READY)
    come_by(world, now)
    assert [one.state for one in list_snapshots()] == ["ready"]
    assert not waiting_items.list_items(stack.owner, now, kinds=["snapshot_late"]).items


def test_by_rest(stack: Stack) -> None:
    where, visitor = f"/stacks/{stack.id}/snapshot-schedule", signed_in(stack.owner)
    problem(visitor.ask("GET", where), 404)
    said = visitor.ask("PUT", where, {"every": "week", "keep": 4}).json()
    assert (said["every"], said["keep"], said["late"]) == ("week", 4, None)
    assert visitor.ask("GET", where).json() == said
    problem(visitor.ask("PUT", where, {"every": "week", "keep": 0}), 422)
    assert visitor.ask("DELETE", where).status_code == 204
    problem(visitor.ask("GET", where), 404)


def test_members_of_its_project_set_none(stack: Stack) -> None:
    stack.project = Project.objects.create(owner=stack.owner, label="Plants")
    stack.save()
    member: Person = make_person("carl", sub="carl-sub")
    Membership.objects.create(project=stack.project, person=member)
    where = f"/stacks/{stack.id}/snapshot-schedule"
    problem(signed_in(member).ask("PUT", where, {"every": "day", "keep": 1}), 403)
    browser = Client()
    browser.force_login(member, backend=BACKEND)
    assert browser.post(where, {"every": "day", "keep": "1"}).status_code == 403
    assert not SnapshotSchedule.objects.exists()


def test_on_its_page(stack: Stack) -> None:
    browser, where = Client(), f"/stacks/{stack.id}"
    browser.force_login(stack.owner, backend=BACKEND)
    assert "Save the schedule" in browser.get(where).content.decode()
    asked = f"{where}/snapshot-schedule"
    wrong = browser.post(asked, {"every": "day", "keep": "0"}, follow=True)
    assert "from 1 to 366" in wrong.content.decode()
    done = browser.post(asked, {"every": "day", "keep": "3"}, follow=True).content.decode()
    assert "A snapshot is created every day." in done
    browser.post(asked, {"every": "", "keep": ""})
    assert not SnapshotSchedule.objects.exists()


def test_on_the_command_line(stack: Stack) -> None:
    said = typed("schedule", str(stack.id), "--every", "day", "--keep", "2")
    assert "day" in said
    assert SnapshotSchedule.objects.get().source == stack
    assert "There is no schedule." in typed("schedule", str(stack.id)[:8], "--off")
