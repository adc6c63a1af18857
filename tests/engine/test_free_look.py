"""A step that was told to come back in two minutes goes on as soon as a free look shows the system
there again.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.fake_world.leaving import alice_with_everything, approved_removal
from tests.fake_world.world import FakeSystem, World
from workspace_manager import worker
from workspace_manager.contract.errors import ConnectorError, Unavailable
from workspace_manager.contract.message import quote_words
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import free_look, pause
from workspace_manager.engine.run import run
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import Plan, PlanStep, SystemStatus

pytestmark = pytest.mark.django_db(transaction=True)
STEP = "remove_drive_account"


class Looked(FakeSystem):
    """The drive, which can be looked at freely: `there`, or an error."""

    there: bool | ConnectorError = False
    looks = 0

    def is_there(self) -> bool:
        self.looks += 1
        if isinstance(self.there, ConnectorError):
            raise self.there
        return self.there


@dataclass
class Waiting:
    """A removal whose drive step was told to come back in two minutes."""

    world: World
    drive: Looked
    plan: Plan

    def systems(self) -> ConnectedSystems:
        systems = self.world.systems()
        ready: dict[str, Any] = {**systems.by_name, "drive": self.drive}
        return ConnectedSystems(by_name=ready, settings=systems.settings)

    def look(self) -> bool:
        SystemStatus.objects.update(looked_at=None)
        return free_look.look(self.systems())

    def work(self) -> None:
        for _ in range(3):
            run(self.plan.id, self.systems(), kinds=PLAN_KINDS)
        self.plan.refresh_from_db()

    @property
    def step(self) -> PlanStep:
        return self.plan.steps.get(name=STEP)


def in_maintenance(verb: str) -> ConnectorError:
    return Unavailable(
        quote_words("maintenance"), kind="drive.account", doing=quote_words(verb), retry_after=120
    )


@pytest.fixture
def waiting(world: World) -> Waiting:
    alice_with_everything(world)
    plan = approved_removal(world)
    world.broken["drive"] = in_maintenance
    found = Waiting(world, Looked(world, "drive"), plan)
    found.work()
    assert found.step.state == PlanStep.State.WAITING
    again = found.step.next_try_at
    assert again
    assert again > timezone.now() + timedelta(seconds=60)
    return found


@pytest.mark.parametrize("away", [False, in_maintenance("looking")], ids=["maintenance", "silent"])
def test_it_goes_on_as_soon_as_a_free_look_shows_the_system_there_again(
    waiting: Waiting, away: Any
) -> None:
    waiting.drive.there = away
    assert waiting.look(), "somebody has to look again"
    waiting.work()
    assert waiting.step.state == PlanStep.State.WAITING
    waiting.drive.there, waiting.world.broken = True, {}
    waiting.look()
    waiting.work()
    assert waiting.plan.state == Plan.State.DONE
    assert not waiting.look(), "nobody waits any more"


def test_a_system_that_is_there_and_says_not_now_is_waited_for_as_it_asked(
    waiting: Waiting,
) -> None:
    """Blocked or overloaded: its status says nothing of that, and asking more makes it worse."""
    waiting.drive.there = True
    calls = len(waiting.world.writes)
    for _ in range(5):
        waiting.look()
        waiting.work()
    assert waiting.step.state == PlanStep.State.WAITING
    assert waiting.step.attempts == 1
    assert len(waiting.world.writes) == calls


def test_one_that_comes_and_is_still_no_good_is_not_hammered(waiting: Waiting) -> None:
    waiting.look()
    waiting.drive.there = True
    for _ in range(5):
        waiting.look()
        waiting.work()
    assert waiting.step.attempts == 2, "tried once more, then waited for again"


def test_a_paused_system_is_not_looked_at(waiting: Waiting) -> None:
    pause.pause("drive", actor="ada", reason="a move")
    assert not waiting.look()
    assert waiting.drive.looks == 0


def test_many_processes_look_together_not_each_by_itself(waiting: Waiting) -> None:
    waiting.look()
    assert not free_look.look(waiting.systems())
    assert waiting.drive.looks == 1


def test_the_worker_looks_again_as_long_as_somebody_waits(
    waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    later: list[float] = []
    monkeypatch.setattr(worker, "connected_systems", waiting.systems)
    monkeypatch.setattr(worker.look_freely, "schedule", lambda delay: later.append(delay))
    worker.look_freely.call_local()
    assert later == [5.0]
    waiting.step.changes.update(state="skipped")
    Plan.objects.update(state=Plan.State.DONE)
    SystemStatus.objects.update(looked_at=None)
    worker.look_freely.call_local()
    assert later == [5.0]
