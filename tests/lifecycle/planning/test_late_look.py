"""The late look after a removal: what counts as having come back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.lifecycle.people import make_person, settle_in
from tests.lifecycle.world import FakeConnector, World
from workspace_manager.contract.connector import ALREADY, Change, Facts, Outcome, Target
from workspace_manager.lifecycle.deprovision import start
from workspace_manager.lifecycle.followers import FOLLOWERS
from workspace_manager.lifecycle.planning.run import run
from workspace_manager.records.models import Plan

pytestmark = pytest.mark.django_db(transaction=True)
SUB = "6f2d9a4e-0000-4000-8000-00000000000a"
NOTEBOOK = "notebook_hub.container:jupyter-alice"


class GoneWhenStopped(FakeConnector):
    """The notebooks of a hub that keeps no stopped container: a look then finds none, as the real connector says it."""

    def plan(self, target: Target, want: Facts | None) -> Change:
        change = super().plan(target, want)
        there = self.world.things.get(NOTEBOOK, {}).get("running")
        return change.model_copy(update={"before": {"running": True} if there else None})

    def apply(self, change: Change) -> Outcome:
        return super().apply(change) if NOTEBOOK in self.world.things else ALREADY

    def verify(self, change: Change) -> Any:
        there = self.world.things.get(NOTEBOOK, {}).get("running")
        return None if there else FakeConnector(self.world, self.kind).verify(change)


class HubWorld(World):
    def connector(self, kind: str) -> FakeConnector:
        made = GoneWhenStopped if kind == "notebook_hub.container" else FakeConnector
        return made(self, kind)


@pytest.mark.parametrize(("back", "state"), [(False, "clean"), (True, "removed")])
def test_a_container_that_is_gone_did_not_come_back(back: bool, state: str) -> None:
    world = HubWorld()
    make_person("root-admin", sub="admin-sub", role="administrator")
    settle_in(make_person("alice", sub=SUB), SUB, world)
    world.things.pop(NOTEBOOK, None)
    plan = start.draft("alice", actor="root-admin", driven=world.driven())
    run(plan.id, world.driven(), followers=FOLLOWERS)
    plan.refresh_from_db()
    start.approve(plan.id, digest=plan.digest, actor="root-admin", driven=world.driven())
    for _ in range(3):
        run(plan.id, world.driven(), followers=FOLLOWERS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    if back:
        world.things[NOTEBOOK] = {"running": True}
    Plan.objects.filter(id=plan.id).update(due_at=timezone.now() - timedelta(seconds=1))
    run(plan.id, world.driven(), followers=FOLLOWERS)
    plan.refresh_from_db()
    assert plan.late_look_state == state
    assert not world.things.get(NOTEBOOK, {}).get("running")
