"""The disk is full while something is written down: once, or until somebody has made room. Then
everything goes on as if nothing had been.
"""

import contextlib

import pytest
from django.db import OperationalError

from tests.crash.matrix import moments, same_end, undisturbed
from tests.crash.replay import Replay
from tests.crash.scenario import Scenario
from tests.crash.scenarios import IN_TURN
from tests.figures import report

pytestmark = [pytest.mark.django_db(transaction=True)]
WRITES = {"write", "commit"}


class Bothered:
    """A scenario in which a person may see an error page, and asks again later."""

    def __init__(self, scenario: Scenario) -> None:
        self.name, self.done, self._come_by = scenario.name, scenario.done, scenario.come_by
        self.visits = 0

    def come_by(self) -> None:
        self.visits += 1
        with contextlib.suppress(OperationalError):
            self._come_by()


@pytest.mark.parametrize("scenario", IN_TURN)
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "until-the-next-visit"])
@pytest.mark.one_in(3)
def test_the_disk_is_full(
    replay: Replay, scenario: type[Scenario], lasting: bool, everything: bool, seed: int,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    played = scenario(replay.fakes)
    start = replay.begin()
    clean = undisturbed(replay, played, start)
    most = None if everything else 3
    chosen, writes = moments(replay, played, start, WRITES, most=most, seed=seed)
    assert chosen
    for full_at in chosen:
        bothered = Bothered(played)
        hit: list[int] = []

        def fill(
            n: int, what: str, at: int = full_at, b: Bothered = bothered, hit: list[int] = hit
        ) -> None:
            if what not in WRITES or n < at:
                return
            if not hit or (lasting and hit[0] == b.visits):
                hit.append(b.visits)
                raise OperationalError("database or disk is full")

        run = replay.run(bothered, start, event=fill, watch=False)
        assert hit
        assert all("disk is full" in text for text in replay.complaints), replay.complaints
        same_end(played, clean, run)
    how = "for a while" if lasting else "once"
    report(request.node, f"{scenario.name:28} disk full {how} at {len(chosen)} of {writes} writes")
