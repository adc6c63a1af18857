"""`/hold`: why what opens, erases or expires waits, and letting it go on.

See docs/explanation/hold.md.
"""

from django.http import HttpRequest
from ninja import Router

from workspace_manager.operations import hold_orders
from workspace_manager.operations.hold_orders import HoldView, view_hold
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.openapi import says

router = Router(auth=administrator)


@router.get("", response=HoldView, summary="Show the hold")
def show(request: HttpRequest) -> HoldView:  # noqa: ARG001
    """While one stands nothing that was shut opens, nothing is erased and nothing expires. What
    closes access goes on.
    """
    return view_hold(hold_orders.latest_hold())


@router.post("", response=HoldView, summary="Begin a hold after a restore")
def begin(request: HttpRequest) -> HoldView:
    """Have everything wait until somebody has looked through what was put back from a backup."""
    return view_hold(hold_orders.begin_for_restore(actor=person_of(request).username))


@router.post("/confirm", response=HoldView, summary="End the hold", openapi_extra=says(409))
def confirm(request: HttpRequest) -> HoldView:
    """Say that the time is right, and what was put back is looked through: all goes on."""
    return view_hold(hold_orders.confirm(actor=person_of(request).username))
