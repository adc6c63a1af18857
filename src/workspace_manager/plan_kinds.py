"""What each kind of plan adds to the engine, by kind: the one list the worker hands to it, and what doors show."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from workspace_manager.engine.plan_run import Customs
from workspace_manager.engine.view import Extras, PlanView, plan_view
from workspace_manager.records.models import Plan, PlanStep
from workspace_manager.removal import build, close, end_of_access
from workspace_manager.work import components, projects, sharing

FOLLOWERS: Final[Mapping[str, Customs]] = {
    build.KIND: Customs(close.follow),
    components.CREATE: Customs(components.follow, sharing.wish_now),
    components.DELETE: Customs(components.follow_deletion, sharing.wish_now),
    projects.LINK: Customs(projects.follow_link),
    projects.DELETE: Customs(),
    sharing.SETTLE: Customs(sharing.follow, sharing.wish_now),
}

EXTRAS: Final[Mapping[str, Callable[[Plan, Sequence[PlanStep]], Extras]]] = {
    build.KIND: end_of_access.extras,
}
"""What a kind of plan shows besides its steps."""


def shown(plan: Plan) -> PlanView:
    """A plan as every door shows it."""
    steps = list(plan.steps.prefetch_related("changes").order_by("n"))
    extras = EXTRAS[plan.kind](plan, steps) if plan.kind in EXTRAS else Extras()
    return plan_view(plan, steps, extras)
