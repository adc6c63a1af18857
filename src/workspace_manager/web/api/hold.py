"""`/hold`: the reason why nothing opens, expires or is erased for now, and its end.

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
    """During a hold, nothing that was shut opens, nothing is erased and nothing expires. Access is
    still ended.
    """
    return view_hold(hold_orders.latest_hold())


@router.post("", response=HoldView, summary="Begin a hold after a restore")
def begin(request: HttpRequest) -> HoldView:
    """Holds everything until somebody has reviewed what was restored from a backup."""
    return view_hold(hold_orders.begin_for_restore(actor=person_of(request).username))


@router.post("/confirm", response=HoldView, summary="End the hold", openapi_extra=says(409))
def confirm(request: HttpRequest) -> HoldView:
    """Confirms that the clock is right and that the restored data was reviewed. Everything goes
    on.
    """
    return view_hold(hold_orders.confirm(actor=person_of(request).username))
