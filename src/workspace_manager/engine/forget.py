"""Forget plans that ended long ago. Nothing is worked out from them: what has to outlive a plan
is written elsewhere when it happens.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from workspace_manager.core.clock import database_now
from workspace_manager.records.models import Plan

FORGETTABLE = (Plan.State.DONE, Plan.State.STALE, Plan.State.SUPERSEDED)
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
    # Asked again where it is deleted: one may have become due since.
    _, deleted = _forgettable().filter(id__in=found).delete()
    return deleted.get("records.Plan", 0)


def _forgettable() -> QuerySet[Plan]:
    rows = Plan.objects.filter(due_at=None, state__in=FORGETTABLE)
    return rows.exclude(rechecks__in=Plan.objects.filter(state__in=Plan.OPEN))
