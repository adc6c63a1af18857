"""The worker's process and its queue (Huey), which no other file knows. The rows decide what is
due; this decides only when somebody looks.

A lost or doubled wake-up is harmless: a sweep wakes every due row, claims are conditional updates.
Who stores something to do asks `core.wake`, which asks here after the commit; web runs no step.
"""

import logging
import uuid
from typing import Final

from django.conf import settings
from django.db import OperationalError
from huey import crontab
from huey.consumer import Consumer

from workspace_manager import housekeeping
from workspace_manager.contract import slots
from workspace_manager.contract.share import Patience
from workspace_manager.core import connections, hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import lock
from workspace_manager.core.one_at_a_time import one_at_a_time
from workspace_manager.drive_credentials import after_sign_in
from workspace_manager.engine import free_look
from workspace_manager.engine import run as engine
from workspace_manager.engine.lease import due_plans
from workspace_manager.letters import mail_outbox
from workspace_manager.notices import waiting_events
from workspace_manager.operations import health, who_is_there
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.reconcile import schedule as reconcile_schedule
from workspace_manager.reconcile import take_over
from workspace_manager.records.models import Plan
from workspace_manager.snapshots import store_health, upkeep
from workspace_manager.task_queue import open_queue
from workspace_manager.webhooks import sender
from workspace_manager.wiring import connected_systems

log = logging.getLogger(__name__)

MORE_THREADS: Final = 8 + sender.AT_ONCE
"""Beyond those that all systems together may take: for letters, and so that one is free."""
WEBHOOKS_SWEPT_S: Final = 60
"""What is to be sent later than that is found by the sweep."""
LONGEST_WAIT_S: Final = 30
"""For a connection to the database. It is not waited for by people."""
STILL_S: Final = 1.0
"""Of the calls that go well one is over by then; who would wait longer is woken instead."""
LONGEST_AT_ONE_S: Final = 30
"""As long as calls go well; far less than a lease."""


queue = open_queue(settings.QUEUE_URL)


def enqueue_plan(plan_id: uuid.UUID, seconds: float = 0) -> None:
    """Have somebody look at a plan, `seconds` from now."""
    if seconds > 0:
        run_plan.schedule((str(plan_id),), delay=seconds)
    else:
        run_plan(str(plan_id))


def enqueue_letters() -> None:
    """Have somebody send the letters that wait."""
    send_letters()


def enqueue_drive_visits() -> None:
    """Have somebody make the visits to the drive that follow a sign-in."""
    visit_drives()


def enqueue_webhooks() -> None:
    """Have somebody send what webhooks are to be told."""
    send_webhooks()


def enqueue_look(system: str, why: str) -> None:
    """Have somebody look how a system stands."""
    look_at_system(system, why)


def enqueue_reconcile() -> None:
    """Have somebody compare what the systems hold with the records."""
    reconcile_systems()


def enqueue_take_overs() -> None:
    """Have somebody go on with what was confirmed and not taken over yet."""
    go_on_with_take_overs()


def _tell_of_a_place(plan_id: str) -> None:
    """The place is one of this process."""
    queue.enqueue_here(run_plan.s(plan_id))


@queue.task(log_ids=("plan",))
def run_plan(plan_id: str) -> None:
    """Run one plan as far as it goes, and be woken again when its next step is due."""
    try:
        _run_plan(plan_id)
    except OperationalError as error:
        if not connections.is_busy(error):
            raise
        # Nothing of it was tried: it waits for a connection as it would for a place.
        log.warning("the plan waits for a connection to the database")
        queue.enqueue_here(run_plan.s(plan_id))


def _run_plan(plan_id: str) -> None:
    identity = uuid.UUID(plan_id)
    with slots.on_behalf_of(plan_id):
        worked = engine.run(identity, connected_systems(), kinds=PLAN_KINDS)
        while worked and slots.is_kept_for(plan_id):
            worked = engine.run(identity, connected_systems(), kinds=PLAN_KINDS)
    plan = Plan.objects.filter(id=identity).first()
    # Who found no place is told when there is one.
    if plan and plan.due_at and not slots.is_remembered(plan_id):
        wait = (plan.due_at - database_now()).total_seconds()
        # Somebody else holds it, or another plan of the same person runs: look again soon.
        enqueue_plan(identity, max(wait, 0.05 if worked else 1.0))
        if wait > free_look.LOOK_EVERY.total_seconds():
            look_freely()


@queue.task()
@one_at_a_time
def look_freely() -> None:
    """Look at the systems that somebody waits for, and again as long as somebody does."""
    if free_look.look(connected_systems()):
        look_freely.schedule(delay=free_look.LOOK_EVERY.total_seconds())


@queue.periodic_task(crontab(minute="*"))
def every_minute() -> None:
    """The safety net under every wake-up."""
    sweep()
    look_freely()
    tell_what_waits()
    send_letters()
    send_webhooks()
    visit_drives()
    look_who_is_there()
    look_at_systems()
    look_after_snapshots()
    reconcile_systems()
    go_on_with_take_overs()


@queue.task()
def sweep() -> None:
    """Wake every plan that is due, and end whatever ends by its time."""
    # First: whether the clock leapt decides what is due.
    minute = hold.note_minute()
    for plan_id in due_plans():
        run_plan(str(plan_id))
    housekeeping.look_after(connected_systems(), minute)


@queue.task()
@one_at_a_time
def look_who_is_there() -> None:
    """Look for those who are in at the identity provider."""
    who_is_there.look_again(connected_systems())


@queue.task()
@one_at_a_time
def look_at_systems() -> None:
    """The safety net under the looks: each but the store's brings about the next one itself."""
    for name in health.due_systems():
        look_at_system(name)
    store_health.look()


@queue.task()
@one_at_a_time
def look_after_snapshots() -> None:
    """Read one that is due, and remove what killed ones left."""
    upkeep.look(connected_systems())


@queue.task(log_ids=("system",))
def look_at_system(name: str, why: str = "") -> None:
    """Look how one system stands, and be woken again when it is due. `why`: before its time."""
    if why:
        health.bring_forward(name, why=why)
    wait = health.look(name, connected_systems())
    if wait is None and why:
        # It was looked at moments ago, or is just now: what is new is seen after that.
        wait = health.MOMENT_S
    if wait is not None:
        look_at_system.schedule((name,), delay=wait)


@queue.task()
@one_at_a_time
def reconcile_systems() -> None:
    """Compare what the systems hold with the records, when that is due or goes on."""
    reconcile_schedule.look(connected_systems())


@queue.task()
@one_at_a_time
def go_on_with_take_overs() -> None:
    """Take over what was confirmed, where that is more than a request does."""
    take_over.go_on_with_all(connected_systems())


@queue.task()
@one_at_a_time
def send_letters() -> None:
    """Send what waits."""
    mail_outbox.send_due()


@queue.task()
@one_at_a_time
def send_webhooks() -> None:
    """Have what waits for each webhook sent, each by itself: a slow one holds up no other."""
    for endpoint_id in sender.due_deliveries():
        send_webhook(str(endpoint_id))


@queue.task(log_ids=("webhook",))
def send_webhook(endpoint_id: str) -> None:
    """Send what waits for one webhook, and be woken again when there is more."""
    wait = sender.send(uuid.UUID(endpoint_id))
    if wait is not None and wait <= WEBHOOKS_SWEPT_S:
        send_webhook.schedule((endpoint_id,), delay=wait)


@queue.task()
@one_at_a_time
def tell_what_waits() -> None:
    """Write to people of what waits for them, and tell webhooks: on one host at a time."""
    with lock("notices", token=uuid.uuid4().hex) as held:
        if held:
            waiting_events.tell_people_and_webhooks()


@queue.task()
@one_at_a_time
def visit_drives() -> None:
    """Make the visits to the drive that wait, and settle what connecting left behind."""
    after_sign_in.run_pending_syncs(connected_systems())
    after_sign_in.settle(connected_systems())


def threads_for(systems: ConnectedSystems) -> int:
    """Return the number of threads: each system may take all its places, and some are left."""
    return _places_of(systems) + MORE_THREADS


def _places_of(systems: ConnectedSystems) -> int:
    return sum(one.calls_at_once for one in systems.settings.values())


def serve(*, workers: int = 0) -> None:
    """Work until told to stop (SIGTERM, SIGINT). Begins with a sweep: whatever a killed worker left
    is found. `workers`: threads; 0: as many as the systems' shares need.
    """
    connections.allow(connections.WORKER, listening=1, wait_s=LONGEST_WAIT_S)
    systems = connected_systems()
    patience = Patience(seconds=LONGEST_AT_ONE_S, threads=_places_of(systems), still_s=STILL_S)
    slots.set_patience(patience, tell=_tell_of_a_place)
    if left := queue.forget_former():
        log.warning("tasks of an earlier version were dropped, and are looked for anew: %s", left)
    sweep()
    look_at_systems()
    send_letters()
    send_webhooks()
    consumer = Consumer(
        queue,
        workers=workers or threads_for(systems),
        worker_type="thread",
        scheduler_interval=1,
    )
    consumer.run()
