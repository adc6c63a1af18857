"""Killed anywhere, any number of times, each story ends as if nothing had happened, and no verified write is repeated."""

import pytest

from tests.crash.matrix import explore
from tests.crash.replay import Theatre
from tests.crash.scenarios import STORIES, Story
from tests.figures import tell
from workspace_manager.people import suspend, undo_approval
from workspace_manager.plan_kinds import FOLLOWERS
from workspace_manager.records.models import StoredSetting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
def test_killed_anywhere(
    stage: Theatre, story: type[Story], everything: bool, seed: int, request: pytest.FixtureRequest
) -> None:
    most = None if everything else 6
    tell(request.node, explore(stage, story(stage.outside), most=most, seed=seed).line())


def test_every_kind_of_plan_has_a_story() -> None:
    """Whoever adds a kind of plan adds its story: what the story does is then found and killed by itself."""
    kinds = {kind for story in STORIES.values() for kind in story.plans}
    assert kinds >= {*FOLLOWERS, suspend.SUSPEND, suspend.RESUME, undo_approval.KIND}


class Careless(Story):
    """Writes two rows that belong together, one after the other."""

    name = "two rows without a transaction"

    def ask(self) -> None:
        if not StoredSetting.objects.exists():
            StoredSetting.objects.create(system="manager", name="first")
            StoredSetting.objects.create(system="manager", name="second")

    def done(self) -> bool:
        return super().done() and StoredSetting.objects.filter(name="first").exists()


def test_the_matrix_notices_what_a_kill_breaks(stage: Theatre) -> None:
    with pytest.raises(AssertionError, match=r"the records differ\n- .*name=second"):
        explore(stage, Careless(stage.outside))
