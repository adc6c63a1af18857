"""How the systems stand in which components lie: for lists, pages and the interface alike. What is
ready in a system that is not there is not called ready to people.
"""

from collections.abc import Iterable
from typing import Final

from django.utils import timezone

from workspace_manager.operations.health_state import read_healths
from workspace_manager.records.models import Component, Health
from workspace_manager.work.reservation import SYSTEMS

NOT_THERE: Final = frozenset({Health.State.DOWN, Health.State.PAUSED})


def system_of(kind: str) -> str:
    """Where a component of this kind lies; "" for a stack, whose parts lie somewhere."""
    return SYSTEMS[Component.Kind(kind)] if kind in SYSTEMS else ""


def system_states(kinds: Iterable[str]) -> dict[str, str]:
    """How the systems stand in which these kinds of components lie, by system."""
    systems = sorted({system_of(kind) for kind in kinds} - {""})
    found = read_healths(systems, timezone.now()) if systems else {}
    return {name: str(one.state) for name, one in found.items()}


def state_for_people(kind: str, state: str, states: dict[str, str]) -> str:
    """How a component stands: as its system does, where that is not there."""
    its = states.get(system_of(kind), "")
    return its if state == Component.State.READY and its in NOT_THERE else state
