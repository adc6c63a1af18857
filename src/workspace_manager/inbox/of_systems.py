"""What waits for administrators in the connected systems: which are paused, are down or do not work
as they should, and what their checks find.

See docs/explanation/inbox.md#what-waits.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Now

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import quoted
from workspace_manager.core.connected_systems import label_of
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import Source, Told, of_administrators
from workspace_manager.operations.health_state import State, Teller, looked_since
from workspace_manager.records.models import Health, HealthFinding, Person, SystemStatus
from workspace_manager.systems import registry


@of_administrators
def _paused(_person: Person, _now: datetime) -> QuerySet[SystemStatus]:
    return _PAUSED.filter(system__in=registry().names())


_PAUSED: Final = SystemStatus.objects.filter(paused=True)


def _in_state(state: str, now: datetime) -> QuerySet[Health]:
    """Systems that stand so for whoever looks now: nothing is claimed of one that is paused, or at
    which nobody looked lately.
    """
    rows = Health.objects.filter(
        state=state, looked_at__gte=looked_since(now), system__in=registry().names()
    )
    return rows.exclude(system__in=_PAUSED.values("system"))


@of_administrators
def _down(_person: Person, now: datetime) -> QuerySet[Health]:
    return _in_state(State.DOWN, now)


@of_administrators
def _degraded(_person: Person, now: datetime) -> QuerySet[Health]:
    """Slow, in maintenance, or our calls fail; what a check finds stands for itself."""
    return _in_state(State.DEGRADED, now).exclude(told_by=Teller.CHECK)


@of_administrators
def _findings(_person: Person, now: datetime) -> QuerySet[HealthFinding]:
    """What checks find now. Of a system that is not called or does not answer nothing can be found
    or mended; that it is so waits instead.
    """
    rows = HealthFinding.objects.filter(
        closed_at=None, severity=Severity.FAILING, system__in=registry().names()
    )
    silent = rows.exclude(system__in=_PAUSED.values("system"))
    return silent.exclude(system__in=_in_state(State.DOWN, now).values("system"))


def _told(code: str) -> Callable[[SystemStatus | Health], Told]:
    def told(row: SystemStatus | Health) -> Told:
        return Told(message(code, system=label_of(row.system)), _open(row.system), row.reason)

    return told


def _told_finding(row: HealthFinding) -> Told:
    found = Finding.model_validate(row.finding)
    name = found.name_message or quoted(found.name)
    what = message("finding", system=label_of(row.system), name=name)
    return Told(what, _open(row.system), found.message or quoted(found.text))


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
    Source("system_down", _down, _told("down"), "since", ("system",), serious=True),
    Source("finding", _findings, _told_finding, "first_seen", ("system", "key"), serious=True),
    Source("system_degraded", _degraded, _told("degraded"), "since", ("system",)),
)
