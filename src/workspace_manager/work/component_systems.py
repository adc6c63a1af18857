"""States of the systems that hold components, for lists, pages and REST. A ready component in an
unavailable system is not shown as ready.
"""

from collections.abc import Iterable
from typing import Final

from django.utils import timezone

from workspace_manager.operations.health_state import read_healths
from workspace_manager.records.models import Component, Health
from workspace_manager.work.reservation import SYSTEMS

NOT_THERE: Final = frozenset({Health.State.DOWN, Health.State.PAUSED})


def system_of(kind: str) -> str:
    """Return the system that holds components of a kind; "" for a stack."""
    return SYSTEMS[Component.Kind(kind)] if kind in SYSTEMS else ""


def system_states(kinds: Iterable[str]) -> dict[str, str]:
    """Return the states of the systems that hold these kinds, by system."""
    systems = sorted({system_of(kind) for kind in kinds} - {""})
    found = read_healths(systems, timezone.now()) if systems else {}
    return {name: str(one.state) for name, one in found.items()}


def state_for_people(kind: str, state: str, states: dict[str, str]) -> str:
    """Return the state to show: that of the system if it is unavailable."""
    its = states.get(system_of(kind), "")
    return its if state == Component.State.READY and its in NOT_THERE else state
