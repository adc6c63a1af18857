"""Two workers and one plan: side by side, and one that was frozen past its lease and goes on when the other has finished."""

import contextlib
import contextvars

import pytest

from tests.crash.matrix import lived, moments, same_end
from tests.crash.replay import Theatre
from tests.crash.scenarios import STORIES, Story
from tests.figures import tell
from workspace_manager import worker
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.refusal import Refused

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
EVERY_STORY = pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())


class Thawed:
    """A story in which a request that was frozen may be told, when it goes on, that others were faster."""

    def __init__(self, story: Story) -> None:
        self.name, self.done, self._come_by = story.name, story.done, story.come_by

    def come_by(self) -> None:
        with contextlib.suppress(Refused, ConnectorError):
            self._come_by()


@EVERY_STORY
def test_a_second_one_does_nothing_while_the_first_is_at_it(
    stage: Theatre, story: type[Story]
) -> None:
    """Whenever the first has a call under way, a second worker comes by, and somebody asks for the same again."""
    played = story(stage.outside)
    start = stage.begin()
    clean = lived(stage, played, start)
    visits = 0

    def second_comes_by(_n: int, what: str) -> None:
        nonlocal visits
        if what == "call":
            visits += 1
            with stage.aside():
                before = len(stage.outside.writes)
                contextvars.Context().run(worker.every_minute.call_local)
                with contextlib.suppress(Refused):  # in words: somebody is at it
                    contextvars.Context().run(played.ask)
                assert len(stage.outside.writes) == before

    life = stage.live(played, start, event=second_comes_by, watch=False)
    assert visits
    assert not stage.complaints, stage.complaints
    same_end(played, clean, life)


@EVERY_STORY
def test_a_worker_that_was_frozen_past_its_lease_changes_nothing_any_more(
    stage: Theatre, story: type[Story], everything: bool, seed: int, request: pytest.FixtureRequest
) -> None:
    """Frozen at a call, while another takes the plan over and finishes it; then thawed."""
    played = story(stage.outside)
    start = stage.begin()
    clean = lived(stage, played, start)
    most = None if everything else 5
    chosen, calls = moments(stage, played, start, {"call", "effect"}, most=most, seed=seed)
    for frozen_at in chosen:

        def other_finishes(n: int, _what: str, at: int = frozen_at) -> None:
            if n == at:
                with stage.aside():
                    for _ in range(4):
                        stage.clock.forward()
                        contextvars.Context().run(played.come_by)
                        if played.done():
                            break

        life = stage.live(Thawed(played), start, event=other_finishes, watch=False)
        assert not stage.complaints, stage.complaints
        same_end(played, clean, life)
    tell(request.node, f"{story.name:28} frozen and thawed at {len(chosen)} of {calls} calls")
