"""What waits for administrators in the connected systems: which are paused, are down or do not work
as they should, and what their checks find.

See docs/explanation/inbox.md#what-waits.
"""

from datetime import datetime
from typing import Final

from django.db.models import QuerySet
from django.db.models.functions import Coalesce, Now

from workspace_manager.contract.connector import Finding, Severity
from workspace_manager.contract.message import quoted
from workspace_manager.core.connected_systems import label_of
from workspace_manager.inbox.item import Action
from workspace_manager.inbox.messages import message
from workspace_manager.inbox.source import Source, Told
from workspace_manager.operations.health_state import State, Teller, looked_since
from workspace_manager.records.models import Health, HealthFinding, Person, SystemStatus
from workspace_manager.systems import registry


def _paused(person: Person, _now: datetime) -> QuerySet[SystemStatus] | None:
    return _PAUSED.filter(system__in=registry().names()) if person.is_administrator else None


_PAUSED: Final = SystemStatus.objects.filter(paused=True)


def _told_paused(row: SystemStatus) -> Told:
    return Told(message("paused", system=label_of(row.system)), _open(row.system), row.reason)


def _in_state(state: str, now: datetime) -> QuerySet[Health]:
    """Systems that stand so for whoever looks now: nothing is claimed of one that is paused, or at
    which nobody looked lately.
    """
    rows = Health.objects.filter(
        state=state, looked_at__gte=looked_since(now), system__in=registry().names()
    )
    return rows.exclude(system__in=_PAUSED.values("system"))


def _down(person: Person, now: datetime) -> QuerySet[Health] | None:
    return _in_state(State.DOWN, now) if person.is_administrator else None


def _degraded(person: Person, now: datetime) -> QuerySet[Health] | None:
    """Slow, in maintenance, or our calls fail; what a check finds stands for itself."""
    if not person.is_administrator:
        return None
    return _in_state(State.DEGRADED, now).exclude(told_by=Teller.CHECK)


def _told_down(row: Health) -> Told:
    return Told(message("down", system=label_of(row.system)), _open(row.system), row.reason)


def _told_degraded(row: Health) -> Told:
    return Told(message("degraded", system=label_of(row.system)), _open(row.system), row.reason)


def _findings(person: Person, now: datetime) -> QuerySet[HealthFinding] | None:
    """What checks find now. Of a system that is not called or does not answer nothing can be found
    or mended; that it is so waits instead.
    """
    if not person.is_administrator:
        return None
    rows = HealthFinding.objects.filter(
        closed_at=None, severity=Severity.FAILING, system__in=registry().names()
    )
    silent = rows.exclude(system__in=_PAUSED.values("system"))
    return silent.exclude(system__in=_in_state(State.DOWN, now).values("system"))


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
        _told_paused,
        Coalesce("paused_at", Now()),
        ("system",),
        serious=True,
    ),
    Source("system_down", _down, _told_down, "since", ("system",), serious=True),
    Source("finding", _findings, _told_finding, "first_seen", ("system", "key"), serious=True),
    Source("system_degraded", _degraded, _told_degraded, "since", ("system",)),
)
