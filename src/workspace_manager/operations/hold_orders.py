"""Begin and end a hold as an administrator. The manager's own findings follow at once, without
waiting for the worker's next minute.
"""

from typing import Annotated, Literal

from django.db import transaction
from django.db.models import F

from workspace_manager.access.administrators import lock_administrators, refuse_former
from workspace_manager.audit.note import note
from workspace_manager.contract.member_description import UserName, When, describe
from workspace_manager.core import hold
from workspace_manager.core.clock import database_now
from workspace_manager.core.messages import message
from workspace_manager.core.refusal import Refused
from workspace_manager.core.timestamps import in_utc
from workspace_manager.core.views import OR_NONE, SAID, CodedMessage, View, as_data
from workspace_manager.operations import clock_health, own_health
from workspace_manager.records.models import Hold, LastMinute


class HoldView(View):
    """The current hold, or the last one that ended; blank if there never was one."""

    stands: Annotated[bool, describe("Whether something waits now.", True)]
    reason: Annotated[
        Literal["clock", "restore"] | None,
        describe("A leap of the clock (or a long time without a worker), or a restored database."),
    ]
    since: Annotated[When | None, describe("The last minute against which nothing speaks.")]
    said: Annotated[When | None, describe("What the clock said when it began.")]
    text: Annotated[
        str | None, SAID, describe("Why it began, in a sentence.", "The database was put back.")
    ]
    text_message: Annotated[CodedMessage | None, as_data("text")] = None
    begun_by: Annotated[
        UserName | None, describe("Who began it; `manager` for the manager itself.")
    ]
    ended_at: Annotated[When | None, describe("When it was let go on.")]
    confirmed_by: Annotated[UserName | None, OR_NONE, describe("Who let it go on.")]


def view_hold(one: Hold | None) -> HoldView:
    if one is None:
        return HoldView.model_validate({**dict.fromkeys(HoldView.model_fields), "stands": False})
    return HoldView.from_row(one, stands=one.ended_at is None, text=clock_health.hold_reason(one))


def latest_hold() -> Hold | None:
    """Return the current hold, or the last one that ended."""
    return hold.current_hold() or Hold.objects.order_by("-ended_at", "-id").first()


def begin_for_restore(*, actor: str) -> Hold:
    """Hold everything that opens, erases or expires until somebody has looked through a restored
    backup. A repetition changes nothing, and a correct clock does not end it. Raises Refused for a
    former administrator.
    """
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        minute, begun = hold.locked_minute(), hold.current_hold()
        begun = begun or Hold(since=minute.believed, said=database_now())
        if begun.reason != Hold.Reason.RESTORE:
            begun.reason, begun.begun_by = Hold.Reason.RESTORE, actor
            begun.save()
            note("hold:begun", "", actor=actor, **_noted(begun))
    own_health.look()
    return begun


def confirm(*, actor: str) -> Hold:
    """End the hold: the clock is right now, and the restored data has been looked through. Raises
    Refused if nothing is held, and for a former administrator.
    """
    with transaction.atomic():
        lock_administrators()
        refuse_former(actor)
        hold.locked_minute()
        ended = hold.current_hold()
        if ended is None:
            raise Refused(message("nothing_held"))
        ended.ended_at, ended.confirmed_by = database_now(), actor
        ended.save(update_fields=["ended_at", "confirmed_by"])
        # The next minute is measured from the confirmed time.
        LastMinute.objects.update(believed=F("at"))
        note("hold:confirmed", "", actor=actor, **_noted(ended))
    own_health.look()
    return ended


def _noted(one: Hold) -> dict[str, str | None]:
    """Return a hold for the audit log."""
    return {"reason": one.reason, "since": in_utc(one.since), "said": in_utc(one.said)}
