"""Two workers and one plan: side by side, and one that was frozen past its lease and goes on when
the other has finished.
"""

import contextlib
import contextvars

import pytest

from tests.crash.matrix import moments, same_end, undisturbed
from tests.crash.replay import Replay
from tests.crash.scenario import Scenario
from tests.crash.scenarios import IN_TURN
from tests.figures import report
from workspace_manager import worker
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.refusal import Refused

pytestmark = [pytest.mark.django_db(transaction=True)]
EVERY_SCENARIO = pytest.mark.parametrize("scenario", IN_TURN)


class Thawed:
    """A scenario in which a request that was frozen may be told, when it goes on, that others were
    faster.
    """

    def __init__(self, scenario: Scenario) -> None:
        self.name, self.done, self._come_by = scenario.name, scenario.done, scenario.come_by

    def come_by(self) -> None:
        with contextlib.suppress(Refused, ConnectorError):
            self._come_by()


@EVERY_SCENARIO
@pytest.mark.one_in(2)
def test_a_second_one_does_nothing_while_the_first_is_at_it(
    replay: Replay, scenario: type[Scenario]
) -> None:
    """Whenever the first has a call under way, a second worker comes by, and somebody asks for the
    same again.
    """
    played = scenario(replay.fakes)
    start = replay.begin()
    clean = undisturbed(replay, played, start)
    visits = 0

    def second_comes_by(_n: int, what: str) -> None:
        nonlocal visits
        if what == "call":
            visits += 1
            with replay.aside():
                before = len(replay.fakes.writes)
                contextvars.Context().run(worker.every_minute.call_local)
                with contextlib.suppress(Refused):  # in words: somebody is at it
                    contextvars.Context().run(played.ask)
                assert len(replay.fakes.writes) == before

    run = replay.run(played, start, event=second_comes_by, watch=False)
    assert visits
    assert not replay.complaints, replay.complaints
    same_end(played, clean, run)


@EVERY_SCENARIO
@pytest.mark.one_in(4)
def test_a_worker_that_was_frozen_past_its_lease_changes_nothing_any_more(
    replay: Replay,
    scenario: type[Scenario],
    everything: bool,
    seed: int,
    request: pytest.FixtureRequest,
) -> None:
    """Frozen at a call, while another takes the plan over and finishes it; then thawed."""
    played = scenario(replay.fakes)
    start = replay.begin()
    clean = undisturbed(replay, played, start)
    most = None if everything else 5
    chosen, calls = moments(replay, played, start, {"call", "effect"}, most=most, seed=seed)
    assert chosen
    for frozen_at in chosen:

        def other_finishes(n: int, _what: str, at: int = frozen_at) -> None:
            if n == at:
                with replay.aside():
                    for _ in range(4):
                        replay.clock.forward()
                        contextvars.Context().run(played.come_by)
                        if played.done():
                            break

        run = replay.run(Thawed(played), start, event=other_finishes, watch=False)
        assert not replay.complaints, replay.complaints
        same_end(played, clean, run)
    report(request.node, f"{scenario.name:28} frozen and thawed at {len(chosen)} of {calls} calls")
