"""Be the worker in tests: every plan that is due is run, every wait is over."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from tests.fake_world.world import World
from workspace_manager.audit import plan_notes
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Plan, PlanChange, PlanStep

PAST = timedelta(hours=1)


def let_time_pass(**of: object) -> None:
    """Every wait is over, every call that was sent has ended, and every lease of somebody
    who died.
    """
    past = timezone.now() - PAST
    plans = Plan.objects.filter(**of)
    PlanStep.objects.filter(plan__in=plans).exclude(next_try_at=None).update(next_try_at=past)
    sent = PlanChange.objects.filter(step__plan__in=plans, sent_at__gt=past)
    of_plans = sent.values_list("step__plan", flat=True)
    with transaction.atomic(), plan_notes.changing(set(of_plans)):
        sent.update(sent_at=past)
    plans.exclude(due_at=None).update(due_at=past)
    plans.exclude(lease_until=None).update(lease_until=past)


def work_now(world: World) -> None:
    """Run what is due at this very moment, waiting for nothing."""
    for _ in range(12):
        due = Plan.objects.filter(due_at__lte=timezone.now())
        ran = [run(plan.id, world.systems(), kinds=PLAN_KINDS) for plan in due]
        if not any(ran):
            return


def work(world: World, *, turns: int = 12, late_looks: bool = False) -> None:
    """Run everything that is due, and what that leaves, until nothing more happens by itself."""
    for _ in range(turns):
        let_time_pass()
        rows = Plan.objects.filter(due_at__isnull=False).order_by("created_at")
        if not late_looks:
            rows = rows.filter(belongs_to=None)
        seen = [run(plan.id, world.systems(), kinds=PLAN_KINDS) for plan in rows]
        if not any(seen):
            return
