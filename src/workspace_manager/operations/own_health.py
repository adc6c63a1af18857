"""The manager's own health: problems that do not come from the systems.

The findings are kept under a name of their own like those of systems, so that the inbox, the
letters, `check` and the page of systems show them.
"""

from collections.abc import Callable, Iterator
from typing import Final

from django.db import transaction

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.findings import Findings
from workspace_manager.core import connections, dropped_tasks, housekeeping_failures
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import MANAGER
from workspace_manager.operations import clock_health, health_findings
from workspace_manager.operations.messages import message

SHOWN: Final = 10
"""The most rows that a finding names."""


def look() -> None:
    """Run all looks and keep their findings."""
    found = findings()
    with transaction.atomic():
        health_findings.record_findings(MANAGER, found, database_now())


def findings() -> list[Finding]:
    return [finding for one in LOOKS for finding in one()]


def _housekeeping() -> Iterator[Finding]:
    said, name = Findings(MANAGER), message("check_housekeeping")
    failing = list(housekeeping_failures.repeated_failures())
    if not failing:
        yield said.ok(name, message("housekeeping_done"))
        return
    what = ", ".join(f"{one.task} {one.row} ({one.error})" for one in failing[:SHOWN])
    yield said.failing(
        name,
        message("housekeeping_fails", n=len(failing), what=what, since=failing[0].since),
        message("housekeeping_advice"),
    )


def _room() -> Iterator[Finding]:
    said, name = Findings(MANAGER), message("check_connections")
    room = connections.room()
    if room is None:
        return
    if not room.is_near:
        yield said.ok(name, message("connections_free", taken=room.taken, most=room.most))
        return
    say = said.failing if room.is_reached else said.warning
    key = "connections_gone" if room.is_reached else "connections_few"
    yield say(name, message(key, taken=room.taken, most=room.most), message("connections_advice"))


def _queue() -> Iterator[Finding]:
    said, name = Findings(MANAGER), message("check_queue")
    dropped = dropped_tasks.recent_drops()
    if dropped is None:
        yield said.ok(name, message("queue_ours"))
        return
    found = message("queue_dropped", n=dropped.times, since=dropped.since, last=dropped.last_at)
    yield said.failing(name, found, message("queue_advice"))


LOOKS: Final[tuple[Callable[[], Iterator[Finding]], ...]] = (
    _housekeeping,
    clock_health.of_hold,
    clock_health.of_this_host,
    _room,
    _queue,
)
