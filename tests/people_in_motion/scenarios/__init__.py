"""Scenarios of a person in a running workspace: one function for each line of the table, by
group.
"""

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
from tests.people_in_motion.subject import Subject

Scenario: TypeAlias = Callable[[Workspace], Subject]
GROUPS = (leaving, coming_back, suspension, deciding, sharing, strangers)


def _of(group: ModuleType) -> dict[str, Scenario]:
    """The scenarios of a group: its own functions that take a workspace and nothing else."""
    return {
        name.replace("_", " "): found
        for name, found in vars(group).items()
        if getattr(found, "__module__", "") == group.__name__
        and getattr(found, "__annotations__", {}) == {"workspace": Workspace, "return": Subject}
    }


SCENARIOS = {case: scenario for group in GROUPS for case, scenario in _of(group).items()}
