"""The disk is full while something is written down: once, or until somebody has made room. Then everything goes on as if nothing had been."""

import contextlib

import pytest
from django.db import OperationalError

from tests.crash.matrix import lived, moments, same_end
from tests.crash.replay import Theatre
from tests.crash.scenarios import STORIES, Story
from tests.figures import tell

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
WRITES = {"write", "commit"}


class Bothered:
    """A story in which a person may see an error page, and asks again later."""

    def __init__(self, story: Story) -> None:
        self.name, self.done, self._come_by = story.name, story.done, story.come_by
        self.visits = 0

    def come_by(self) -> None:
        self.visits += 1
        with contextlib.suppress(OperationalError):
            self._come_by()


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES.keys())
@pytest.mark.parametrize("lasting", [False, True], ids=["once", "until-the-next-visit"])
def test_the_disk_is_full(
    stage: Theatre, story: type[Story], lasting: bool, everything: bool, seed: int,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    played = story(stage.outside)
    start = stage.begin()
    clean = lived(stage, played, start)
    most = None if everything else 3
    chosen, writes = moments(stage, played, start, WRITES, most=most, seed=seed)
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

        life = stage.live(bothered, start, event=fill, watch=False)
        assert hit
        assert all("disk is full" in text for text in stage.complaints), stage.complaints
        same_end(played, clean, life)
    how = "for a while" if lasting else "once"
    tell(request.node, f"{story.name:28} disk full {how} at {len(chosen)} of {writes} writes")
