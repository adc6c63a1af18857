"""Killed anywhere, any number of times, each scenario ends as if nothing had happened, and no
verified write is repeated.
"""

import pytest

from tests.crash.matrix import explore
from tests.crash.replay import Replay
from tests.crash.scenario import Scenario
from tests.crash.scenarios import SCENARIOS
from tests.figures import report
from workspace_manager.plan_kinds import PLAN_KINDS
from workspace_manager.records.models import StoredSetting

pytestmark = [pytest.mark.django_db(transaction=True)]


EACH = [
    pytest.param(one, id=name, marks=pytest.mark.thorough if one.slow else ())
    for name, one in SCENARIOS.items()
]


@pytest.mark.parametrize("scenario", EACH)
@pytest.mark.one_in(3)
def test_killed_anywhere(
    replay: Replay,
    scenario: type[Scenario],
    everything: bool,
    seed: int,
    request: pytest.FixtureRequest,
) -> None:
    most = None if everything else 6
    report(request.node, explore(replay, scenario(replay.fakes), most=most, seed=seed).line())


def test_every_kind_of_plan_has_a_scenario() -> None:
    """Whoever adds a kind of plan adds its scenario: what the scenario does is then found and
    killed by itself.
    """
    kinds = {kind for scenario in SCENARIOS.values() for kind in scenario.plans}
    assert kinds == set(PLAN_KINDS)


class Careless(Scenario):
    """Writes two rows that belong together, one after the other."""

    name = "two rows without a transaction"

    def ask(self) -> None:
        if not StoredSetting.objects.exists():
            StoredSetting.objects.create(system="manager", name="first")
            StoredSetting.objects.create(system="manager", name="second")

    def done(self) -> bool:
        return super().done() and StoredSetting.objects.filter(name="first").exists()


def test_the_matrix_notices_what_a_kill_breaks(replay: Replay) -> None:
    with pytest.raises(AssertionError, match=r"the records differ\n- .*name=second"):
        explore(replay, Careless(replay.fakes))
