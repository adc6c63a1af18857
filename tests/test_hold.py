"""A clock that was turned opens nothing, erases nothing and lets nothing expire, until a person
confirms it; what closes access goes on.
"""

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import transaction
from django.utils import timezone

from tests.clock import Clock
from tests.fake_world.identities import WorldWithIdentities
from tests.people_in_motion.people import ROOT, administrator, register, settle_person
from tests.visitors import Visitor
from workspace_manager import housekeeping
from workspace_manager.access import permissions, session_check, tokens
from workspace_manager.access.session_check import Verdict
from workspace_manager.audit import note as audit
from workspace_manager.audit import plan_notes
from workspace_manager.audit.verify import verify
from workspace_manager.contract.connector import Severity
from workspace_manager.contract.secret import Secret
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import MANAGER
from workspace_manager.housekeeping import TASKS, WAIT, TaskEffect
from workspace_manager.inbox import waiting_items
from workspace_manager.operations import hold_orders, own_health
from workspace_manager.operations.health_findings import open_findings
from workspace_manager.people import suspend
from workspace_manager.people.names_free import standing_tombstones
from workspace_manager.people.suspension_terms import Terms
from workspace_manager.records.models import (
    ApiToken,
    AuditEntry,
    Hold,
    Invitation,
    LastMinute,
    Permission,
    Person,
    Plan,
    Project,
    Registration,
    Session,
    SignIn,
    Tombstone,
)
from workspace_manager.work import invitations

pytestmark = pytest.mark.django_db(transaction=True)
FORTY_DAYS = 40 * 24
WEEK = timedelta(days=7)


@pytest.fixture
def world(clock: Clock) -> WorldWithIdentities:
    administrator()
    return WorldWithIdentities()


class Scene:
    """Something that ends within the next days, of every kind."""

    def __init__(self, world: WorldWithIdentities, visitor_for: Callable[[Person], Visitor]):
        self.world = world
        for name in ("alice", "bob", "carol"):
            settle_person(name, world)
        self.alice, self.bob = (self.person(name) for name in ("alice", "bob"))
        soon = database_now() + WEEK
        suspend.suspend(
            "alice", actor=ROOT, systems=world.systems(), terms=Terms(reason="Leave", until=soon)
        )
        Permission.objects.create(
            person=self.bob, name=Permission.Name.VIEW_STACKS, until=soon, given_by=ROOT
        )
        self.bobs = visitor_for(self.bob)
        self.token, self.clear = tokens.create(self.bob, name="laptop", actor="bob", until=soon)
        project = Project.objects.filter(owner=self.bob).first()
        assert project is not None
        invitations.invite(project, by=self.bob, username="carol")
        register("dora")
        Person.objects.filter(username="carol").update(ends_at=soon.date())
        audit.note("removal:finished", "erik", actor=audit.MANAGER)
        Tombstone.objects.create(username="erik", expires_at=soon)
        done = Plan.objects.filter(state=Plan.State.DONE)
        with transaction.atomic(), plan_notes.changing(list(done.values_list("id", flat=True))):
            done.update(finished_at=database_now())
        self.plans = set(Plan.objects.filter(due_at=None).values_list("id", flat=True))

    def person(self, name: str) -> Person:
        return Person.objects.get(username=name)

    def minute(self) -> None:
        housekeeping.look_after(self.world.systems())

    def nothing_happened(self) -> None:
        assert self.person("alice").state == Person.State.SUSPENDED
        dora = Registration.objects.get(username="dora")
        assert dora.status == Registration.Status.PENDING
        assert dora.password_hash is not None
        assert Permission.objects.filter(person=self.bob).exists()
        assert ApiToken.objects.filter(id=self.token.id).exists()
        assert Invitation.objects.filter(username="carol").exists()
        assert Session.objects.filter(person=self.bob.id).exists()
        assert not Tombstone.objects.get(username="erik").erased
        assert AuditEntry.objects.filter(subject="erik").exists()
        assert "erik" in standing_tombstones().values_list("username", flat=True)
        assert self.plans <= set(Plan.objects.values_list("id", flat=True))

    def all_counts_still(self) -> None:
        """For whoever asks by the time: nobody is signed out, and nobody loses what they may."""
        assert self.bobs.get("/components").status_code == 200
        assert permissions.has(self.bob, Permission.Name.VIEW_STACKS)
        assert tokens.find_token(self.clear) is not None
        assert invitations.of_person(self.person("carol")).exists()

    def everything_happened(self) -> None:
        assert self.person("alice").state == Person.State.ACTIVE
        assert Registration.objects.get(username="dora").password_hash is None
        assert not Permission.objects.filter(person=self.bob).exists()
        assert not Invitation.objects.filter(username="carol").exists()
        assert not Session.objects.exists()
        assert Tombstone.objects.get(username="erik").erased
        assert not AuditEntry.objects.filter(subject="erik").exists()
        assert verify().verifies, [one.why.english for one in verify().problems]


@pytest.fixture
def scene(world: WorldWithIdentities, visitor_for: Callable[[Person], Visitor]) -> Scene:
    return Scene(world, visitor_for)


def leap(clock: Clock, hours: float) -> None:
    """Turn host and database: no time passes for whoever counts by themselves."""
    clock.host = clock.database = hours


def another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has counted nothing yet."""
    monkeypatch.setattr(hold, "_seen", None)


def test_a_leap_of_forty_days_changes_nothing_until_it_is_confirmed(
    scene: Scene, clock: Clock
) -> None:
    scene.minute()
    leap(clock, FORTY_DAYS)
    for _ in range(3):
        scene.minute()
        scene.nothing_happened()
        scene.all_counts_still()
    hold_orders.confirm(actor=ROOT)
    scene.minute()
    scene.everything_happened()


def test_what_closes_access_goes_on(scene: Scene, clock: Clock) -> None:
    scene.minute()
    leap(clock, FORTY_DAYS)
    scene.minute()
    assert scene.person("carol").state == Person.State.SUSPENDED


def test_a_clock_that_is_set_right_ends_it_and_nothing_is_lost(scene: Scene, clock: Clock) -> None:
    scene.minute()
    leap(clock, FORTY_DAYS)
    scene.minute()
    leap(clock, 0)
    scene.minute()
    assert not Hold.objects.exists()
    assert not open_findings(MANAGER)
    scene.nothing_happened()
    scene.all_counts_still()


@pytest.mark.parametrize("hours", [3, -3])
def test_three_hours_change_nothing(scene: Scene, clock: Clock, hours: int) -> None:
    scene.minute()
    leap(clock, hours)
    scene.minute()
    assert not Hold.objects.exists()
    assert not open_findings(MANAGER)
    scene.nothing_happened()
    scene.all_counts_still()


@pytest.mark.parametrize("hours", [3, -3, FORTY_DAYS, -FORTY_DAYS])
def test_a_host_that_is_off_decides_nothing(scene: Scene, clock: Clock, hours: int) -> None:
    scene.minute()
    clock.host = hours
    for _ in range(2):
        scene.minute()
    assert not Hold.objects.exists()
    scene.nothing_happened()
    scene.all_counts_still()
    said = [finding for finding in own_health.findings() if finding.severity == Severity.FAILING]
    assert [finding.message and finding.message.code for finding in said] == (
        ["operations.clocks_differ"] if abs(hours) > 3 else []
    )


def test_time_that_passes_is_no_leap(scene: Scene, clock: Clock) -> None:
    scene.minute()
    clock.forward(FORTY_DAYS)
    scene.minute()
    assert not Hold.objects.exists()
    scene.everything_happened()


def test_the_first_day_holds_nothing(world: WorldWithIdentities) -> None:
    housekeeping.look_after(world.systems())
    assert LastMinute.objects.count() == 1
    assert not Hold.objects.exists()


def test_after_a_long_time_without_a_worker_a_person_is_asked(
    scene: Scene, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ended meanwhile by the clock does not come back by that."""
    scene.minute()
    clock.forward(FORTY_DAYS)
    another_process(monkeypatch)
    assert not permissions.has(scene.bob, Permission.Name.VIEW_STACKS)
    scene.minute()
    scene.nothing_happened()
    assert not permissions.has(scene.bob, Permission.Name.VIEW_STACKS)
    assert tokens.find_token(scene.clear) is None
    assert scene.bobs.get("/components").status_code == 302
    hold_orders.confirm(actor=ROOT)
    scene.minute()
    assert scene.person("alice").state == Person.State.ACTIVE


def test_a_second_worker_whose_clock_is_ahead_does_nothing_and_the_first_goes_on(
    scene: Scene, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On SQLite the database's clock is that of whoever asks it."""
    scene.minute()
    Permission.objects.update(until=database_now() + timedelta(minutes=1))
    for _ in range(3):
        leap(clock, FORTY_DAYS)
        another_process(monkeypatch)
        scene.minute()
        assert Permission.objects.exists()
        leap(clock, 0)
        another_process(monkeypatch)
        scene.minute()
        assert Permission.objects.exists()
        scene.nothing_happened()
    clock.forward(0.1)
    scene.minute()
    assert not Permission.objects.exists()


def test_two_workers_begin_one_hold(
    scene: Scene, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene.minute()
    leap(clock, FORTY_DAYS)
    for _ in range(2):
        scene.minute()
        another_process(monkeypatch)
    assert Hold.objects.count() == 1


def test_it_is_said_everywhere(scene: Scene, clock: Clock) -> None:
    scene.minute()
    leap(clock, FORTY_DAYS)
    scene.minute()
    [finding] = [one for one in own_health.findings() if one.severity == Severity.FAILING]
    assert finding.message is not None
    assert finding.message.code == "operations.held_by_clock"
    assert "workspace-manager hold confirm" in finding.remedy
    ada = scene.person(ROOT)
    [item] = waiting_items.list_items(ada, timezone.now(), kinds=["finding"]).items
    assert item.action.address == "/manage/systems#manager"


def test_what_a_restore_put_back_waits_until_somebody_has_looked(
    scene: Scene, clock: Clock
) -> None:
    scene.minute()
    hold_orders.begin_for_restore(actor=ROOT)
    hold_orders.begin_for_restore(actor="another")
    [finding] = [one for one in own_health.findings() if one.severity == Severity.FAILING]
    assert finding.message is not None
    assert finding.message.code == "operations.held_by_restore"
    clock.forward(FORTY_DAYS)
    scene.minute()
    scene.nothing_happened()
    clock.forward(1)
    scene.minute()
    assert hold.current_hold() is not None
    hold_orders.confirm(actor=ROOT)
    scene.minute()
    scene.everything_happened()
    events = AuditEntry.objects.filter(event__startswith="hold:").order_by("id")
    assert [(row.event, row.actor) for row in events] == [
        ("hold:begun", ROOT),
        ("hold:confirmed", ROOT),
    ]
    assert Hold.objects.get().confirmed_by == ROOT


def test_a_session_of_the_future_is_none(
    scene: Scene, clock: Clock, visitor_for: Callable[[Person], Visitor]
) -> None:
    """Else it would last as long as the clock was ahead."""
    leap(clock, FORTY_DAYS)
    visitor = visitor_for(scene.bob)
    SignIn.objects.create(person=scene.bob, sub="s", begun_at=database_now())
    assert visitor.get("/components").status_code == 200
    leap(clock, 0)
    assert visitor.get("/components").status_code == 302


def test_no_name_is_free_before_a_worker_sees_the_leap(scene: Scene, clock: Clock) -> None:
    scene.minute()
    leap(clock, FORTY_DAYS)
    assert "erik" in standing_tombstones().values_list("username", flat=True)


def test_who_signs_in_while_it_is_held_is_in(scene: Scene, clock: Clock) -> None:
    """Else nobody could confirm the time."""
    scene.minute()
    leap(clock, FORTY_DAYS)
    scene.minute()
    until = timezone.now() + timedelta(minutes=5)
    brought = session_check.Tokens(Secret("a"), until, None, None)
    name = session_check.begin(scene.bob, sub="s", sid="1", tokens=brought)
    assert session_check.verdict(name, scene.bob, scene.world.systems) is Verdict.ALL


def test_no_query_asks_a_host_what_has_ended() -> None:
    """`hold.ends_by()` and `hold.opens_by()` say it, or the time that the tasks are given."""
    asked = re.compile(r"(?:until|expires_at|expire_date|begun_at|ends_at)__[gl]te?=timezone\.now")
    source = Path(housekeeping.__file__).parent
    modules = [one for one in source.rglob("*.py") if "migrations" not in one.parts]
    assert [one.name for one in modules if asked.search(one.read_text())] == []
    assert any(asked.search(one.read_text()) for one in source.rglob("migrations/*.py"))


def test_every_task_says_what_it_does() -> None:
    assert {name for name, task in TASKS.items() if task.does not in WAIT} == {
        "end_people",
        "end_locks",
        "seal_audit",
        "forget_erased_pages",
        "look_again",
        "look_at_manager",
        "make_snapshots",
    }
    assert {name for name, task in TASKS.items() if task.does is TaskEffect.CLOSES} == {
        "end_people"
    }
