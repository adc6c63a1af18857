"""Rechecks while others write. Run by test_manager_on_postgresql.py, as
together_on_postgresql.py is.
"""

import uuid
from functools import partial

import pytest
from django.conf import LazySettings

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import World
from tests.real.together_on_postgresql import at_once, make_due
from workspace_manager.audit.verify import verify
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import AuditEntry
from workspace_manager.records.plan_content import NOTED

pytestmark = pytest.mark.django_db(transaction=True)


def test_late_looks_and_whoever_verifies_meanwhile(world: World, settings: LazySettings) -> None:
    """Four rechecks of one removal write to it at once: each is noted, no finding is lost, and
    nobody who compares in between sees half of it.
    """
    settings.RECHECK_AGAIN_HOURS = [1, 2, 3]
    alice_with_everything(world)
    plan = approved_removal(world)
    run(plan.id, world.systems(), kinds=PLAN_KINDS)
    rechecks = list(plan.rechecks.values_list("id", flat=True))
    for recheck in rechecks:
        make_due(recheck)

    def looked(recheck: uuid.UUID) -> bool:
        return run(recheck, world.systems(), kinds=PLAN_KINDS)

    def verified() -> list[str]:
        return [one.why.english for _ in range(5) for one in verify().problems]

    found = at_once(*(partial(looked, one) for one in rechecks), *[verified] * 3)
    assert found == [True] * 4 + [[]] * 3
    assert verify().verifies
    noted = AuditEntry.objects.filter(event=NOTED, subject=str(plan.id)).order_by("id")
    counted = [row.details["n"] for row in noted]
    assert counted == list(range(1, len(counted) + 1))
    assert len(counted) > 1
