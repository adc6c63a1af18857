"""`/hold`: why what opens, erases or expires waits, and letting it go on.

See docs/explanation/hold.md.
"""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import UserName, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.operations import clock_health, hold_orders
from workspace_manager.records.models import Hold
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.openapi import says
from workspace_manager.web.pages.translate import Coded, said

router = Router(auth=administrator)


class HoldShown(BaseModel):
    """The hold that stands, or else the one that ended last; blank where there never was one."""

    stands: Annotated[bool, describe("Whether something waits now.", True)]
    reason: Annotated[
        Literal["clock", "restore"] | None,
        describe("A leap of the clock (or a long time without a worker), or a restored database."),
    ]
    since: Annotated[When | None, describe("The last minute against which nothing speaks.")]
    said: Annotated[When | None, describe("What the clock said when it began.")]
    text: Annotated[
        str | None, describe("Why it began, in a sentence.", "The database was put back.")
    ]
    text_message: Coded | None = None
    begun_by: Annotated[
        UserName | None, describe("Who began it; `manager` for the manager itself.")
    ]
    ended_at: Annotated[When | None, describe("When it was let go on.")]
    confirmed_by: Annotated[UserName | None, describe("Who let it go on.")]


@router.get("", response=HoldShown, summary="Show the hold")
def show(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """While one stands nothing that was shut opens, nothing is erased and nothing expires. What
    closes access goes on.
    """
    return shown(hold_orders.latest_hold())


@router.post("", response=HoldShown, summary="Begin a hold after a restore")
def begin(request: HttpRequest) -> dict[str, Any]:
    """Have everything wait until somebody has looked through what was put back from a backup."""
    return shown(hold_orders.begin_for_restore(actor=person_of(request).username))


@router.post("/confirm", response=HoldShown, summary="End the hold", openapi_extra=says(409))
def confirm(request: HttpRequest) -> dict[str, Any]:
    """Say that the time is right, and what was put back is looked through: all goes on."""
    return shown(hold_orders.confirm(actor=person_of(request).username))


def shown(one: Hold | None) -> dict[str, Any]:
    return {
        "stands": one is not None and one.ended_at is None,
        "reason": one.reason if one else None,
        "since": in_utc(one.since) if one else None,
        "said": in_utc(one.said) if one else None,
        **said("text", clock_health.hold_reason(one) if one else None),
        "begun_by": one.begun_by if one else None,
        "ended_at": in_utc(one.ended_at) if one else None,
        "confirmed_by": (one.confirmed_by or None) if one else None,
    }
