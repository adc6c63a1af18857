"""`/reconcile/{run_id}/take-over` and `/take-overs`: proposed owners of existing accounts, their
confirmation and its undoing.

See docs/howto/take-over.md.
"""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.core.lists import ListQuery
from workspace_manager.reconcile import take_over as stories
from workspace_manager.reconcile.listings import PROPOSALS, TAKE_OVERS
from workspace_manager.reconcile.take_over_views import (
    ProposalsView,
    TakeOverView,
    UndoneView,
    view_proposals,
    view_take_over,
)
from workspace_manager.records.models import ReconcileRun, TakeOver
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)
history = Router(auth=administrator)

System = Annotated[Text, Field(max_length=40)]
Words = Annotated[Text, Field(max_length=100)]


class ProposalsAsked(ListAsked, of=PROPOSALS):
    """Filters and order of the list of proposals."""


class Confirming(Input):
    """The confirmation. `system`, `q`: the list's parameters."""

    digest: Annotated[
        Annotated[Text, Field(max_length=64)], describe("As the list gave it.", "5f2d")
    ]
    system: Annotated[System | None, describe("Only accounts of this system.", "drive")] = None
    q: Annotated[Words, describe("The words that were looked for.", "anna")] = ""
    items: Annotated[
        Annotated[list[Annotated[int, Field(ge=1, le=2**53)]], Field(max_length=1_000)] | None,
        describe("Only these numbers; left out, everything that was proposed.", [17]),
    ] = None


class TakeOversAsked(ListAsked, of=TAKE_OVERS):
    """Filters and order of the list of confirmations."""


@router.get(
    "/{run_id}/take-over",
    response=ProposalsView,
    summary="List accounts of nobody, and whose they may be",
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    run_id: uuid.UUID,
    window: Query[ProposalsAsked],
) -> ProposalsView:
    """From the last comparison; earlier ones cannot be confirmed."""
    ReconcileRun.objects.get(id=run_id)
    part = slice(window.offset, window.offset + window.limit)
    return view_proposals(connected_systems(), window.asked(), part)


@router.post(
    "/{run_id}/take-over",
    response=TakeOverView,
    summary="Take over what was shown",
    openapi_extra=says(409),
)
def confirm(request: HttpRequest, run_id: uuid.UUID, body: Confirming) -> TakeOverView:
    """Confirms everything that was proposed, or only `items`. With many, the rest follows by
    itself: `left` is their number. A repetition answers with the same confirmation.
    """
    row = stories.confirm(
        ReconcileRun.objects.get(id=run_id),
        digest_shown=body.digest,
        asked=ListQuery(body.q, filters={"system": body.system} if body.system else {}),
        chosen=body.items,
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    return view_take_over(row)


@history.get("", response=ListPage[TakeOverView], summary="List what was taken over, latest first")
def list_history(
    request: HttpRequest,  # noqa: ARG001
    window: Query[TakeOversAsked],
) -> dict[str, Any]:
    """Including undone ones."""
    return list_page(TakeOver.objects.all(), window, TAKE_OVERS, each(view_take_over))


@history.post(
    "/{take_over_id}/undo",
    response=UndoneView,
    summary="Take a confirmation back",
    openapi_extra=says(409),
)
def undo(request: HttpRequest, take_over_id: uuid.UUID) -> UndoneView:
    """People who have signed in or made something since then stay, with their accounts."""
    return UndoneView.from_row(stories.undo(take_over_id, actor=person_of(request).username))
