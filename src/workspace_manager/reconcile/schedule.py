"""Scheduled comparisons: begin one when due, and continue one that was begun."""

from datetime import datetime, timedelta

from django.conf import settings

from workspace_manager.audit.note import MANAGER
from workspace_manager.core.clock import LEAP, database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import repairs, walk
from workspace_manager.records.models import ReconcileItem, ReconcileRun

KEPT = timedelta(days=90)
"""How long finished runs and ended differences are kept."""


LOOKED_AT = timedelta(days=1)
"""How long a draft of a repair can be approved."""


def look(systems: ConnectedSystems) -> None:
    """Begin a run if the last one is long over, and continue the current one."""
    if _is_due(database_now()):
        walk.begin(MANAGER)
    for run in ReconcileRun.objects.filter(state=ReconcileRun.State.RUNNING):
        walk.go_on(run, systems)


def _is_due(now: datetime) -> bool:
    if not settings.RECONCILE_HOURS:
        return False
    since = now - timedelta(hours=settings.RECONCILE_HOURS)
    # A run in the future began before the clock was turned back.
    runs = ReconcileRun.objects.filter(started_at__gt=since, started_at__lte=now + LEAP)
    return not runs.exists()


def forget_old(now: datetime | None = None) -> None:
    """Delete old runs and ended differences, and outdate old drafts."""
    now = now or database_now()
    repairs.outdate_drafts(now - LOOKED_AT)
    before = now - KEPT
    ReconcileItem.objects.filter(ended_at__lt=before).delete()
    ReconcileRun.objects.filter(finished_at__lt=before).delete()
