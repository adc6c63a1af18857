"""A clock jumps by an hour, either way: the host's, or the database's. Nothing is done twice, and
nothing waits an hour for it.
"""

import random
from dataclasses import replace

import pytest

from tests.clock import Clock
from tests.crash.matrix import new_snapshots, same_end, undisturbed
from tests.crash.replay import Replay
from tests.crash.scenario import Scenario
from tests.crash.scenarios import IN_TURN
from workspace_manager.core.locks import lease
from workspace_manager.records.models import Plan

pytestmark = [pytest.mark.django_db(transaction=True)]
EVERY_SCENARIO = pytest.mark.parametrize("scenario", IN_TURN)
TWO_LEASES = 2 * lease().total_seconds() / 3600
"""In hours: within this, a dead worker's work is taken over."""
MOST = 8
"""Visits."""


class Hurried:
    """A scenario that must be finished within a few visits; only a recheck may be as late as the
    clock was turned back.
    """

    def __init__(self, scenario: Scenario, clock: Clock) -> None:
        self.name, self.come_by, self._scenario, self._clock = (
            scenario.name,
            scenario.come_by,
            scenario,
            clock,
        )
        self.visits = 0

    def done(self) -> bool:
        self.visits += 1
        working = Plan.objects.filter(state__in=(Plan.State.DRAFT, *Plan.OPEN))
        if not working.filter(belongs_to=None).exists():
            self._clock.forward(2)
        assert self.visits < MOST, f"{self.name}: something waits for the clock"
        return self._scenario.done()


def jump(clock: Clock, which: str, hours: float) -> None:
    setattr(clock, which, getattr(clock, which) + hours)


@EVERY_SCENARIO
@pytest.mark.parametrize("hours", [1, -1], ids=["forward", "back"])
@pytest.mark.parametrize("which", ["host", "database"])
@pytest.mark.one_in(6)
def test_a_clock_jumps_while_a_worker_works(
    replay: Replay, scenario: type[Scenario], which: str, hours: int, seed: int
) -> None:
    played = scenario(replay.fakes)
    start = replay.begin()
    clean = undisturbed(replay, played, start)
    order = random.Random(seed)
    for _ in range(2):
        at = order.randint(1, clean.points)

        def turn(n: int, _what: str, at: int = at) -> None:
            if n == at:
                jump(replay.clock, which, hours)

        run = replay.run(
            Hurried(played, replay.clock), start, event=turn, watch=False, pace=TWO_LEASES
        )
        assert not replay.complaints, replay.complaints
        same_end(played, clean, run)


@pytest.mark.one_in(3)
@EVERY_SCENARIO
def test_the_clock_is_turned_back_after_a_kill(
    replay: Replay, scenario: type[Scenario], everything: bool, seed: int
) -> None:
    """The dead worker's lease would end in an hour; its work is taken over as fast as ever."""
    played = scenario(replay.fakes)
    start = replay.begin()
    clean = undisturbed(replay, played, start)
    left = new_snapshots(clean)
    for state in left if everything else random.Random(seed).sample(left, min(len(left), 6)):
        earlier = replace(state, hours=state.hours - 1)
        run = replay.run(Hurried(played, replay.clock), earlier, watch=False, pace=TWO_LEASES)
        same_end(played, clean, run)
