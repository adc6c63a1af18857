"""Items for administrators about the connected systems: paused systems, systems that are down or
degraded, and findings of their checks.

See docs/explanation/inbox.md#what-waits.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Now

from workspace_manager.contract.connector import Severity
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import AS_PERSON, MANAGER, label_of
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import ItemText, Source, of_administrators
from workspace_manager.operations import health_findings
from workspace_manager.operations.health_state import State, Teller, looked_since
from workspace_manager.records.models import Health, HealthFinding, Person, SystemStatus
from workspace_manager.systems import registry


@of_administrators
def _paused(_person: Person, _now: datetime) -> QuerySet[SystemStatus]:
    return _PAUSED.filter(system__in=registry().names())


_PAUSED: Final = SystemStatus.objects.filter(paused=True)


def _seen(now: datetime, *states: str) -> QuerySet[Health]:
    """Return systems whose state was seen lately. A paused system, or one without a recent check,
    has no known state.
    """
    rows = Health.objects.filter(
        state__in=states, looked_at__gte=looked_since(now), system__in=registry().names()
    )
    return rows.exclude(system__in=_PAUSED.values("system"))


def _not_seen(*states: str) -> Callable[[Person, datetime], QuerySet[Health] | None]:
    """Return systems that are not known to be in these states now. A paused or unchecked system may
    still be in its last state, so its item is not closed.
    """

    @of_administrators
    def rows(_person: Person, now: datetime) -> QuerySet[Health]:
        known = Health.objects.filter(system__in=registry().names())
        return known.exclude(system__in=_seen(now, *states).values("system"))

    return rows


@of_administrators
def _down(_person: Person, now: datetime) -> QuerySet[Health]:
    return _seen(now, State.DOWN)


@of_administrators
def _degraded(_person: Person, now: datetime) -> QuerySet[Health]:
    """Return systems that are slow, in maintenance, or refuse our calls. Findings of checks have
    items of their own.
    """
    return _seen(now, State.DEGRADED).exclude(told_by=Teller.CHECK)


_OPEN: Final = HealthFinding.objects.filter(closed_at=None, severity=Severity.FAILING)


@of_administrators
def _not_closed(_person: Person, _now: datetime) -> QuerySet[HealthFinding]:
    return _OPEN.filter(system__in=[MANAGER, AS_PERSON, *registry().names()])


@of_administrators
def _findings(_person: Person, now: datetime) -> QuerySet[HealthFinding]:
    """Return current findings. A system that is paused or down has another item instead: its
    findings can be neither confirmed nor mended.
    """
    silent = _OPEN.filter(system__in=[MANAGER, AS_PERSON, *registry().names()])
    silent = silent.exclude(system__in=_PAUSED.values("system"))
    return silent.exclude(system__in=_seen(now, State.DOWN).values("system"))


def _told(code: str) -> Callable[[SystemStatus | Health], ItemText]:
    def told(row: SystemStatus | Health) -> ItemText:
        return ItemText(message(code, system=label_of(row.system)), _open(row.system), row.reason)

    return told


def _told_finding(row: HealthFinding) -> ItemText:
    found = health_findings.read(row)
    name = found.name_message or quote_words(found.name)
    what = message("finding", system=label_of(row.system), name=name)
    return ItemText(what, _open(row.system), found.message or quote_words(found.text))


def _open(system: str) -> Action:
    return Action(message("open_system"), f"/manage/systems#{system}")


SOURCES: Final = (
    Source(
        "system_paused",
        _paused,
        _told("paused"),
        Coalesce("paused_at", Now()),
        ("system",),
        serious=True,
    ),
    Source(
        "system_down",
        _down,
        _told("down"),
        "since",
        ("system",),
        serious=True,
        lasts=_not_seen(State.UP, State.DEGRADED),
    ),
    Source(
        "finding",
        _findings,
        _told_finding,
        "first_seen",
        ("system", "key"),
        serious=True,
        lasts=_not_closed,
    ),
    # A system that goes down, or has a new finding, has not recovered.
    Source(
        "system_degraded",
        _degraded,
        _told("degraded"),
        "since",
        ("system",),
        lasts=_not_seen(State.UP),
    ),
)
