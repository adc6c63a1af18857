"""Steps of a plan's page: usual durations, and the headline."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db.models import F, Max, Min
from django.utils.dateparse import parse_datetime

from workspace_manager.engine.headline import SETTLED
from workspace_manager.engine.pause import paused_systems
from workspace_manager.engine.view import PlanView, StepView
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.web.pages import plan_labels
from workspace_manager.web.pages.live import fingerprint

MEASURED = 20
"""The number of earlier runs that give a step's usual duration."""

ENDED = frozenset(PlanStep.ENDED)
OPENS_NOTHING = frozenset({"ended", "absent", "nothing"})
"""States of credentials that need no attention, listed together."""


class PageStep(StepView):
    """A step on its page. `usual`: its usual duration in seconds, if known and of interest."""

    usual: float | None = None


class PagePlan(PlanView):
    """A plan on its page."""

    steps: tuple[PageStep, ...]


def progress_of(plan: Plan, shown: PlanView) -> dict[str, Any]:
    """Return the context of the live part. `shown`: the plan's view for all interfaces."""
    looking = plan.state == Plan.State.DRAFT and plan.due_at is not None
    page = PagePlan(**{**dict(shown), "steps": tuple(_page_steps(plan, shown))})
    troubled = [step for step in page.steps if step.state in {"stuck", "waiting"}]
    paused = sorted(paused_systems()) if troubled else []
    waiting_for_late_look = plan.state == Plan.State.DONE and page.late_look.state == "pending"
    return {
        "plan": page,
        "ended": sum(step.state in ENDED for step in page.steps),
        "total": len(page.steps),
        "troubled": troubled,
        "looking": looking,
        "paused": paused,
        "polling": looking or plan.state in Plan.OPEN or waiting_for_late_look,
        "token_good_until": _token_good_until(page),
        "settled": page.headline.state in SETTLED,
        "late_found": plan.recheck_found,
        "kept": [one for one in page.end_of_access if one.state not in OPENS_NOTHING],
        "kept_for_nothing": [one for one in page.end_of_access if one.state in OPENS_NOTHING],
        "looks": sum(max(1, len(step.evidence)) for step in page.steps),
        "removes": count_losses(page.steps) if plan.state == Plan.State.DRAFT else [],
        "seen": fingerprint([page.model_dump(mode="json"), looking, paused]),
    }


def _page_steps(plan: Plan, shown: PlanView) -> Iterator[PageStep]:
    draft = plan.state == Plan.State.DRAFT
    usual = usual_seconds([step.name for step in shown.steps]) if draft else {}
    for step in shown.steps:
        fields = dict(step)
        if plan.state == Plan.State.SUPERSEDED and step.state not in ENDED:
            # Nobody retries it, so the reason to wait no longer matters.
            fields |= {"state": str(Plan.State.SUPERSEDED), "advice": "", "next_try_at": None}
        yield PageStep(**fields, usual=usual.get(step.name))


def _token_good_until(shown: PlanView) -> datetime | None:
    """Return how long a token that was issued earlier may still work; the follow-up check runs a
    few seconds later.
    """
    return parse_datetime(shown.late_look.due_at) if shown.late_look.due_at else None


def count_losses(steps: Sequence[StepView]) -> list[tuple[int, str]]:
    """Return the number of things removed, by noun: kinds with the same one are counted together.
    Things that were gone already do not count.
    """
    found: dict[str, list[str]] = {}
    for change in (change for step in steps for change in step.changes):
        if change.after is None and change.before is not None:
            found.setdefault(plan_labels.count_label(change.kind, 2), []).append(change.kind)
    return [
        (len(kinds), plan_labels.count_label(kinds[0], len(kinds)))
        for noun, kinds in found.items()
        if noun
    ]


def usual_seconds(names: list[str]) -> dict[str, float]:
    """Return the median duration of each step's last runs; steps that never ran are left out."""
    usual: dict[str, float] = {}
    for name in set(names):
        runs = (
            PlanStep.objects.filter(name=name, state=PlanStep.State.DONE)
            .annotate(began=Min("changes__sent_at"), ended=Max("changes__finished_at"))
            .filter(began__isnull=False, ended__gte=F("began"))
            .order_by("-since")
            .values_list("began", "ended")[:MEASURED]
        )
        took = [(ended - began) / timedelta(seconds=1) for began, ended in runs]
        if took:
            usual[name] = median(took)
    return usual
