"""The state of a system: decided from what was seen, and read by everybody else.

See docs/explanation/health.md#states.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings

from workspace_manager.contract.connector import Finding
from workspace_manager.contract.message import Message, quote_words
from workspace_manager.operations.messages import message
from workspace_manager.records.models import Health, SystemStatus

State = Health.State
Teller = Health.Teller
OLD: Final = timedelta(minutes=10)
"""A state older than this is not claimed any more."""


@dataclass(frozen=True)
class HealthVerdict:
    """The state of a system, its reason, and its origin."""

    state: str
    reason: Message | None = None
    told_by: str = ""


@dataclass(frozen=True)
class SystemHealth:
    """The current state of a system. `row` holds everything else that is known; None before the
    first look.
    """

    system: str
    state: str
    since: datetime | None
    reason: Message | None
    row: Health | None

    @property
    def seen(self) -> bool:
        """Return whether the last look is recent, so that the state is the system's own."""
        return self.state in {State.UP, State.DEGRADED, State.DOWN}


def decide(row: Health, *, limits: Message | None, failing: Finding | None) -> HealthVerdict:
    """Decide the state from an answer, the last call with our credential and the last check; the
    worst counts.
    """
    if row.proof_reason is not None:
        why = message("health_call_fails", why=row.proof_reason)
        return HealthVerdict(State.DEGRADED, why, Teller.PROOF)
    if limits is not None:
        return HealthVerdict(State.DEGRADED, limits, Teller.LOOK)
    if failing is not None:
        name = failing.name_message or quote_words(failing.name)
        found = failing.message or quote_words(failing.text)
        why = message("health_finding", name=name, found=found)
        return HealthVerdict(State.DEGRADED, why, Teller.CHECK)
    if row.latency_ms is not None and row.latency_ms >= settings.HEALTH_SLOW_SECONDS * 1000:
        slow = message("health_slow", seconds=f"{row.latency_ms / 1000:.1f}")
        return HealthVerdict(State.DEGRADED, slow, Teller.LOOK)
    return HealthVerdict(State.UP, None, Teller.LOOK)


def decide_by_proof(row: Health, *, failing: Finding | None) -> HealthVerdict:
    """Decide the state of a system that has no look without a credential."""
    if row.proven_at is None:
        return HealthVerdict(State.NOT_ASKED, message("health_never"), Teller.PROOF)
    if row.proof_cause == "unavailable":
        return HealthVerdict(State.DOWN, row.proof_reason, Teller.PROOF)
    found = decide(row, limits=None, failing=failing)
    return HealthVerdict(found.state, found.reason, found.told_by or Teller.PROOF)


def looked_since(now: datetime) -> datetime:
    """Return how recent a look has to be for a state to be claimed."""
    return now - max(OLD, timedelta(seconds=5 * settings.HEALTH_LOOK_SECONDS))


def read_health(system: str, now: datetime) -> SystemHealth:
    return read_healths([system], now)[system]


def read_healths(systems: Iterable[str], now: datetime) -> dict[str, SystemHealth]:
    """Return the current state of each system, in two queries. Without a recent look no state is
    claimed.
    """
    names = list(systems)
    rows = Health.objects.in_bulk(names)
    paused = SystemStatus.objects.filter(system__in=names, paused=True).in_bulk()
    return {name: _standing(name, rows.get(name), paused.get(name), now) for name in names}


def _standing(
    name: str, row: Health | None, paused: SystemStatus | None, now: datetime
) -> SystemHealth:
    if paused is not None:
        return SystemHealth(name, State.PAUSED, paused.paused_at, paused.reason, row)
    if row is None or row.looked_at is None:
        return SystemHealth(name, State.NOT_ASKED, None, message("health_never"), row)
    if row.looked_at < looked_since(now):
        why = message("health_old", at=row.looked_at)
        return SystemHealth(name, State.NOT_ASKED, row.looked_at, why, row)
    if row.state == State.PAUSED and row.told_by == Teller.PAUSE:
        # The look was made while the system was paused, which is over.
        return SystemHealth(name, State.NOT_ASKED, None, message("health_resumed"), row)
    return SystemHealth(name, row.state, row.since, row.reason, row)
