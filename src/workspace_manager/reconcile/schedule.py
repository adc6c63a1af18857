"""When a run begins by itself, and that one that was begun goes on."""

from datetime import datetime, timedelta

from django.conf import settings

from workspace_manager.audit.note import MANAGER
from workspace_manager.core.clock import LEAP, database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.reconcile import repairs, walk
from workspace_manager.records.models import ReconcileItem, ReconcileRun

KEPT = timedelta(days=90)
"""How long runs that are over and differences that ended are kept."""


LOOKED_AT = timedelta(days=1)
"""So long what was shown of a repair can be approved."""


def look(systems: ConnectedSystems) -> None:
    """Begin a run where the last one is long over, and go on with the one there is."""
    if _is_due(database_now()):
        walk.begin(MANAGER)
    for run in ReconcileRun.objects.filter(state=ReconcileRun.State.RUNNING):
        walk.go_on(run, systems)


def _is_due(now: datetime) -> bool:
    if not settings.RECONCILE_HOURS:
        return False
    since = now - timedelta(hours=settings.RECONCILE_HOURS)
    # One of the future began before the clock was turned back.
    runs = ReconcileRun.objects.filter(started_at__gt=since, started_at__lte=now + LEAP)
    return not runs.exists()


def forget_old(now: datetime | None = None) -> None:
    """Forget runs and ended differences of long ago, and drafts that nobody approved."""
    now = now or database_now()
    repairs.outdate_drafts(now - LOOKED_AT)
    before = now - KEPT
    ReconcileItem.objects.filter(ended_at__lt=before).delete()
    ReconcileRun.objects.filter(finished_at__lt=before).delete()
