"""Free looks: whether a system that steps wait for is there again, asked without a credential.

A system that says "in two minutes" may be there sooner. Such a look costs nothing, counts as no
attempt and may be made every few seconds; a step is woken when a system that was seen away is seen
there. One that was never seen away is waited for as it asked: it answers, and does not want us now.

See docs/explanation/when-something-is-wrong.md#free-looks.
"""

from collections.abc import Callable
from datetime import timedelta

from django.db.models import Q

from workspace_manager.contract.deadline import time_limit
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.contract.slots import Busy
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine import pause
from workspace_manager.records.models import Plan, PlanChange, PlanStep, SystemStatus

LOOK_EVERY = timedelta(seconds=5)
_JITTER = timedelta(seconds=1)
LONGEST_S = 3
"""A system that takes longer to say that it is there is away, as far as a look goes."""


def look(systems: ConnectedSystems) -> bool:
    """Look once at each system that a step waits for; whether somebody has to look again."""
    again = False
    silent = pause.paused_systems()
    for name in _waited_for():
        # Only some can be looked at without a credential.
        is_there = getattr(systems.by_name.get(name), "is_there", None)
        if is_there and name not in silent and _our_turn(name):
            _note(name, there=_answers(is_there))
            again = True
    return again


def _waited_for() -> set[str]:
    """The systems of what is not done yet in steps that wait for longer than a look takes."""
    waiting = PlanStep.objects.filter(
        plan__state__in=Plan.OPEN,
        state=PlanStep.State.WAITING,
        cause="unavailable",
        next_try_at__gt=database_now() + _JITTER,
    )
    kinds = (
        PlanChange.objects.filter(step__in=waiting)
        .exclude(state__in=PlanChange.ENDED)
        .values_list("kind", flat=True)
    )
    return {kind.partition(".")[0] for kind in kinds}


def _our_turn(name: str) -> bool:
    """Return whether nobody else looked a moment ago: many processes look together, not each by
    itself.
    """
    now = database_now()
    SystemStatus.objects.get_or_create(system=name)
    lately = Q(looked_at=None) | Q(looked_at__lte=now - LOOK_EVERY + _JITTER)
    # Later than now: the clock was turned back since.
    lately |= Q(looked_at__gt=now + LOOK_EVERY)
    return bool(SystemStatus.objects.filter(lately, system=name).update(looked_at=now))


def _answers(is_there: Callable[[], bool]) -> bool | None:
    """None: it could not be asked."""
    try:
        with time_limit(LONGEST_S):
            return is_there()
    except Busy:
        return None
    except ConnectorError:
        return False


def _note(name: str, *, there: bool | None) -> None:
    if there is None:
        return
    row = SystemStatus.objects.filter(system=name)
    if not there:
        row.update(away=True)
    elif row.filter(away=True).update(away=False):
        pause.make_plans_due(name, causes=("unavailable",))
