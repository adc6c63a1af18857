"""What happens to somebody in a running workspace: one function for each line of the table, by chapter."""

from collections.abc import Callable
from types import ModuleType
from typing import TypeAlias

from tests.life.person import Workspace
from tests.people_in_motion.scenarios import (
    coming_back,
    deciding,
    leaving,
    sharing,
    strangers,
    suspension,
)
from tests.people_in_motion.subject import Moved

Play: TypeAlias = Callable[[Workspace], Moved]
CHAPTERS = (leaving, coming_back, suspension, deciding, sharing, strangers)


def _of(chapter: ModuleType) -> dict[str, Play]:
    """What a chapter plays: its own functions that take a workspace and nothing else."""
    return {
        name.replace("_", " "): found
        for name, found in vars(chapter).items()
        if getattr(found, "__module__", "") == chapter.__name__
        and getattr(found, "__annotations__", {}) == {"workspace": Workspace, "return": Moved}
    }


PLAYS = {case: play for chapter in CHAPTERS for case, play in _of(chapter).items()}
