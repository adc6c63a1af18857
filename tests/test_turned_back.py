"""Rows that were noted while a clock was ahead are looked at again once it is right: nothing waits
for forty days.
"""

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.core.cache import cache

from tests.clock import Clock
from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from tests.removal.test_recheck import HubWorld, recheck_of, removed
from workspace_manager import housekeeping
from workspace_manager.access import provider_state
from workspace_manager.contract.errors import Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core import housekeeping_failures
from workspace_manager.core.clock import database_now
from workspace_manager.engine import lease
from workspace_manager.engine.run import run
from workspace_manager.letters import mail_outbox
from workspace_manager.operations import health, health_moments, who_is_there
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.reconcile import schedule
from workspace_manager.records.models import (
    Health,
    HousekeepingFailure,
    Mail,
    Plan,
    ReconcileRun,
    WebhookDelivery,
    WebhookEndpoint,
)
from workspace_manager.webhooks import sender

pytestmark = pytest.mark.django_db(transaction=True)
FORTY_DAYS = 40 * 24
AHEAD = timedelta(days=40)


def leap(clock: Clock, hours: float) -> None:
    clock.host = clock.database = hours


def test_people_are_asked_for_again(clock: Clock, world: World) -> None:
    make_person("anna", sub="sub-anna")
    clock.host = FORTY_DAYS
    assert who_is_there.look_again(world.systems()) == 1
    clock.host = 0
    assert who_is_there.look_again(world.systems()) == 1
    assert who_is_there.look_again(world.systems()) == 0


def test_three_hours_ask_for_nobody_again(clock: Clock, world: World) -> None:
    make_person("anna", sub="sub-anna")
    clock.host = 3
    assert who_is_there.look_again(world.systems()) == 1
    clock.host = 0
    assert who_is_there.look_again(world.systems()) == 0


def test_what_was_said_in_the_future_opens_nothing(clock: Clock) -> None:
    at = database_now()
    assert provider_state.access_since(at) is provider_state.Access.ALL
    assert provider_state.access_since(at + AHEAD) is provider_state.Access.NOTHING
    assert provider_state.access_since(at + timedelta(hours=3)) is provider_state.Access.READING


def test_a_silence_of_the_future_keeps_nobody_from_asking(
    clock: Clock, settings: LazySettings
) -> None:
    """Whoever is ahead says by its clock until when: here, for good."""
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    clock.host = FORTY_DAYS
    silent = Unavailable(
        quote_words("silent"), kind="identity_provider", doing=quote_words("asking")
    )
    with pytest.raises(Unavailable), provider_state.patience():
        raise silent
    assert cache.get(provider_state._SILENT_KEY)
    cache.touch(provider_state._SILENT_KEY, timeout=None)
    clock.host = 0
    with provider_state.patience():
        pass


def test_a_task_that_failed_is_tried(clock: Clock) -> None:
    leap(clock, FORTY_DAYS)
    with housekeeping_failures.attempt("a_task"):
        raise ValueError
    assert not housekeeping_failures.is_due("a_task")
    leap(clock, 0)
    assert housekeeping_failures.is_due("a_task")
    assert HousekeepingFailure.objects.exists()


def test_a_letter_is_sent(clock: Clock) -> None:
    mail = Mail.objects.create(
        to="a@example.org", subject="s", text="t", html="h", kind="notice", attempts=1
    )
    Mail.objects.update(next_try_at=database_now() + AHEAD, trouble="unreachable")
    assert mail_outbox.send_due() == 1
    mail.refresh_from_db()
    assert mail.sent_at is not None


def test_webhooks_are_told(clock: Clock) -> None:
    far = database_now() + AHEAD
    hook = WebhookEndpoint.objects.create(
        label="Tools", origin="https://x.example.org", rests_until=far, claimed_until=far
    )
    WebhookDelivery.objects.create(
        endpoint=hook, type="webhook.test", body="{}", state="waiting", tries=2, next_try_at=far
    )
    assert sender.due_deliveries() == [hook.id]
    soon = database_now() + timedelta(seconds=30)
    WebhookEndpoint.objects.update(rests_until=soon)
    assert sender.due_deliveries() == []


def test_a_comparison_begins(clock: Clock, settings: LazySettings) -> None:
    settings.RECONCILE_HOURS = 24
    ReconcileRun.objects.create(started_by="manager", started_at=database_now() + AHEAD)
    assert schedule._is_due(database_now())
    ReconcileRun.objects.create(started_by="manager", started_at=database_now())
    assert not schedule._is_due(database_now())


def test_a_system_is_proven_and_checked(clock: Clock) -> None:
    at = database_now()
    assert health_moments.is_check_due(at + AHEAD, at)
    assert not health_moments.is_check_due(at + timedelta(minutes=15), at)
    Health.objects.create(system="drive", proven_at=at + AHEAD, prove_at=at + AHEAD)
    health.bring_forward("drive", why="settings")
    prove_at = Health.objects.get(system="drive").prove_at
    assert prove_at is not None
    assert prove_at <= database_now()


def removal_that_waited(world: World, clock: Clock) -> Plan:
    """The clock is ahead, and the drive was away; it is there again."""
    alice_with_everything(world)
    plan = approved_removal(world)
    leap(clock, FORTY_DAYS)

    def refuse(verb: str) -> Unavailable:
        return Unavailable(quote_words("away"), kind="drive.account", doing=quote_words(verb))

    world.broken["drive"] = refuse
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    world.broken.clear()
    return plan


def test_a_removal_that_waited_while_the_clock_was_ahead_goes_on(clock: Clock) -> None:
    world = HubWorld()
    plan = removal_that_waited(world, clock)
    plan.refresh_from_db()
    assert plan.state == Plan.State.WAITING
    leap(clock, 0)
    assert plan.id in lease.due_plans()
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE


def test_a_late_look_of_the_future_comes_as_late_as_it_was_to_come(clock: Clock) -> None:
    leap(clock, FORTY_DAYS)
    world = HubWorld()
    look = recheck_of(removed(world))
    assert look.due_at is not None
    wait = look.due_at - database_now()
    leap(clock, 0)
    housekeeping.look_after(world.systems())
    look.refresh_from_db()
    assert abs(look.due_at - database_now() - wait) < timedelta(minutes=5)


def test_a_removal_that_ends_after_the_clock_was_set_right_is_looked_after_in_time(
    clock: Clock,
) -> None:
    world = HubWorld()
    plan = removal_that_waited(world, clock)
    leap(clock, 0)
    for _ in range(3):
        run(plan.id, world.systems(), kinds=PLAN_KINDS)
    plan.refresh_from_db()
    due_at = recheck_of(plan).due_at
    assert due_at is not None
    assert due_at < database_now() + timedelta(days=1)


def test_no_leap_brings_a_late_look_before_its_time(clock: Clock) -> None:
    """What it looks for may still come."""
    world = HubWorld()
    housekeeping.look_after(world.systems())
    look = recheck_of(removed(world))
    leap(clock, FORTY_DAYS)
    assert look.id not in lease.due_plans(), "in the minute in which nobody has seen the leap"
    assert lease.claim(look.id) is None
    housekeeping.look_after(world.systems())
    assert look.id not in lease.due_plans()
    clock.passed += 3
    clock.database += 3
    clock.host += 3
    housekeeping.look_after(world.systems())
    assert look.id in lease.due_plans()
