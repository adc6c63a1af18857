"""Plans that ended long ago are forgotten when the deployment says so; nothing is worked out from
them.
"""

from datetime import timedelta

import pytest
from django.utils import timezone

from workspace_manager import worker
from workspace_manager.engine.plan import PlanDocument
from workspace_manager.engine.rows import store
from workspace_manager.records.models import Plan

pytestmark = pytest.mark.django_db


def plan(state: str, *, days: float, due: bool = False) -> Plan:
    """A plan that ended, or began, so many days ago."""
    made = store(PlanDocument(kind="k", person="mira", subject="", steps=()), actor="mira")
    then = timezone.now() - timedelta(days=days)
    ended = {"finished_at": then} if state == Plan.State.DONE else {"finished_at": None}
    Plan.objects.filter(id=made.id).update(
        state=state,
        created_at=then,
        due_at=timezone.now() + timedelta(days=1) if due else None,
        **ended,
    )
    return made


def sweep_plans() -> set[object]:
    worker.sweep.call_local()
    return set(Plan.objects.values_list("id", flat=True))


@pytest.fixture
def old(db: None) -> list[Plan]:
    return [plan(state, days=31) for state in ("done", "stale", "superseded")]


def test_they_are_kept_for_ever_unless_somebody_decides_otherwise(old: list[Plan]) -> None:
    assert sweep_plans() == {each.id for each in old}


def test_what_ended_longer_ago_than_that_is_forgotten(old: list[Plan], settings) -> None:  # type: ignore[no-untyped-def]
    settings.PLAN_RETENTION_DAYS = 30
    young = [plan(state, days=29) for state in ("done", "stale", "superseded")]
    assert sweep_plans() == {each.id for each in young}


def test_what_is_open_or_still_to_be_looked_at_is_kept_however_old(settings) -> None:  # type: ignore[no-untyped-def]
    settings.PLAN_RETENTION_DAYS = 30
    kept = [plan(state, days=400) for state in ("draft", "running", "waiting", "stuck")]
    kept.append(plan("done", days=400, due=True))
    removal = plan("done", days=400)
    later = PlanDocument(kind="k", person="mira", subject="", steps=())
    due_at = timezone.now() + timedelta(days=1)
    recheck = store(later, actor="mira", state="waiting", due_at=due_at, belongs_to=removal)
    kept += [removal, recheck]
    assert sweep_plans() == {each.id for each in kept}
