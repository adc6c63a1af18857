"""The late look after a removal: what counts as having come back."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.lifecycle.leaving import SUB, alice_with_everything
from tests.lifecycle.world import FakeConnector, World
from workspace_manager.contract.connector import ALREADY, Change, Facts, Outcome, Target
from workspace_manager.contract.errors import ConnectorError, Denied, Invalid
from workspace_manager.lifecycle.deprovision import start
from workspace_manager.lifecycle.followers import FOLLOWERS
from workspace_manager.lifecycle.planning import pausing
from workspace_manager.lifecycle.planning.run import run
from workspace_manager.records.models import Plan

pytestmark = pytest.mark.django_db(transaction=True)
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
    plan = removed(world)
    if back:
        world.things[NOTEBOOK] = {"running": True}
    look_again(plan, world)
    assert plan.late_look_state == state
    assert not world.things.get(NOTEBOOK, {}).get("running")


@pytest.mark.parametrize("trouble", [Invalid, Denied])
def test_a_late_look_that_could_not_look_is_made_again(trouble: type[ConnectorError]) -> None:
    """A login page in place of an answer must not leave what came back where it is."""
    world = HubWorld()
    plan = removed(world)
    world.things[f"drive.account:{SUB}"] = {"exists": True}

    def refuse(verb: str) -> ConnectorError:
        return trouble("no", kind="drive.account", doing=verb, advice="look")

    world.broken["drive"] = refuse
    look_again(plan, world)
    assert plan.late_look_state == "stuck"
    assert plan.due_at is not None
    assert plan.due_at > timezone.now()
    if trouble is Denied:  # nobody hammers with a refused password
        assert "drive" in pausing.paused()
        world.broken.clear()
        look_again(plan, world)
        assert (plan.late_look_state, plan.due_at is None) == ("pending", False)
        pausing.resume("drive", actor="root-admin")
    world.broken.clear()
    look_again(plan, world)
    assert plan.late_look_state == "removed"
    assert plan.due_at is None
    assert f"drive.account:{SUB}" not in world.things


def removed(world: World) -> Plan:
    """A removal that is done."""
    alice_with_everything(world)
    world.things.pop(NOTEBOOK, None)
    plan = start.draft("alice", actor="root-admin", driven=world.driven())
    run(plan.id, world.driven(), followers=FOLLOWERS)
    plan.refresh_from_db()
    start.approve(plan.id, digest=plan.digest, actor="root-admin", driven=world.driven())
    for _ in range(3):
        run(plan.id, world.driven(), followers=FOLLOWERS)
    plan.refresh_from_db()
    assert plan.state == Plan.State.DONE
    return plan


def look_again(plan: Plan, world: World) -> None:
    """The time has come."""
    Plan.objects.filter(id=plan.id).update(due_at=timezone.now() - timedelta(seconds=1))
    run(plan.id, world.driven(), followers=FOLLOWERS)
    plan.refresh_from_db()
