"""Forget plans that ended long ago. Nothing is worked out from them: what has to outlive a plan
is written elsewhere when it happens.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from workspace_manager.audit.plan_notes import note_forgotten
from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Plan

AT_ONCE = 200
"""So many in one go: a sweep that finds years of plans holds nobody up."""


def forget_old_plans(now: datetime | None = None) -> int:
    """Delete plans that ended more than WORKSPACE_PLAN_RETENTION_DAYS ago; gives how many. 0
    days: they are kept for ever.

    One that somebody still has to look at is kept however old it is, and so is one as long as a
    plan that belongs to it has not ended.
    """
    if not settings.PLAN_RETENTION_DAYS:
        return 0
    limit = (now or database_now()) - timedelta(days=settings.PLAN_RETENTION_DAYS)
    ended = Coalesce("finished_at", "approved_at", "created_at")
    old = _forgettable().alias(ended=ended).order_by("created_at")
    found = list(old.filter(ended__lt=limit).values_list("id", flat=True)[:AT_ONCE])
    with transaction.atomic():
        # Asked again where it is deleted: one may have become due since.
        again = _forgettable().filter(id__in=found).values("id")
        gone = Plan.objects.filter(Q(id__in=again) | Q(belongs_to__in=again))
        plans = list(gone.select_for_update().order_by("id").values_list("id", flat=True))
        Plan.objects.filter(id__in=plans).delete()
        note_forgotten(plans)
    return len(plans)


def _forgettable() -> QuerySet[Plan]:
    rows = Plan.objects.filter(due_at=None, state__in=Plan.CLOSED)
    return rows.exclude(rechecks__in=Plan.objects.filter(state__in=Plan.OPEN))
