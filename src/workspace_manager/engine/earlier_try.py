"""A call of an earlier try may still take effect: the engine waits for its end before it looks at
anything.
"""

from workspace_manager.contract.connector import Change, Connector
from workspace_manager.contract.errors import Unavailable
from workspace_manager.core.clock import database_now
from workspace_manager.engine.journal import Entry
from workspace_manager.engine.messages import message
from workspace_manager.systems import gives


def let_end(entry: Entry, connector: Connector, change: Change) -> None:
    """Somebody sent this and may have died: a create that is still under way there would be made
    twice. Raises Unavailable until it has had the time of a call.

    The same for a grant that is to be taken back meanwhile: its effect would come after it was
    taken.
    """
    sent_at = entry.sent_at
    if not entry.sent_before or not sent_at or entry.was_answered:
        return
    sent = entry.change
    if not gives(sent) and sent.after == change.after:
        return
    now = database_now()
    # Sent later than now: the clock was turned back since, and the wait begins anew.
    entry.wait_from(min(sent_at, now))
    left = (min(sent_at, now) - now).total_seconds() + connector.calls.answer_s
    if left > 0:
        raise may_go_on(change, left)


def may_go_on(change: Change, seconds: float) -> Unavailable:
    return Unavailable(
        message("earlier_try"),
        kind=change.kind,
        doing=message("doing.waiting"),
        retry_after=seconds,
    )
