"""Beginning and ending a hold, as administrators do it: what is said of the manager follows at
once, not with the next minute of a worker.
"""

from workspace_manager.core import hold
from workspace_manager.operations import own_health
from workspace_manager.records.models import Hold


def last() -> Hold | None:
    """The hold that stands, or else the one that ended last."""
    return hold.standing() or Hold.objects.order_by("-ended_at", "-id").first()


def begin_for_restore(*, actor: str) -> Hold:
    """Have what opens, erases or expires wait, after the database was put back from a backup.
    Raises Refused for a former administrator.
    """
    begun = hold.begin_for_restore(actor=actor)
    own_health.look()
    return begun


def confirm(*, actor: str) -> Hold:
    """Let it go on. Raises Refused where nothing is held, and for a former administrator."""
    ended = hold.confirm(actor=actor)
    own_health.look()
    return ended
