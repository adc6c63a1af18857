"""Bounds of what one person may have in the making at once: a script must not fill everybody's
queue.
"""

from django.conf import settings

from workspace_manager.accounts.messages import message
from workspace_manager.core.refusal import Refused
from workspace_manager.engine.kind import PlanKind
from workspace_manager.records.models import Person, Plan


def refuse_too_many(owner: Person, kind: PlanKind) -> None:
    """Raise Refused while as many plans of this kind are open as may be. The owner's row is locked:
    of several at once none is overlooked. A bound of 0 bounds nothing.
    """
    most = settings.OPEN_CREATIONS
    mine = Plan.objects.filter(kind=kind.name, subject=str(owner.id), state__in=Plan.OPEN)
    if most and mine.count() >= most:
        raise Refused(message("too_many_open", count=most))
