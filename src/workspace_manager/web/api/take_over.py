"""`/reconcile/{run_id}/take-over` and `/take-overs`: whom existing accounts belong to, confirmed as
they were shown, and taken back.

See docs/howto/take-over.md.
"""

import uuid
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.core.listing import ListQuery
from workspace_manager.core.timestamps import in_utc
from workspace_manager.reconcile import take_over as stories
from workspace_manager.reconcile.listings import TAKE_OVERS
from workspace_manager.reconcile.proposals import Proposal, digest, left_out, proposals
from workspace_manager.records.models import ReconcileRun, TakeOver
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.api.lists import SORTED, ListAsked, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.pages.translate import Coded, said
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)
history = Router(auth=administrator)

System = Annotated[Text, Field(max_length=40)]
Words = Annotated[Text, Field(max_length=100)]


class ProposalsAsked(ListAsked):
    """Which accounts of nobody."""

    system: Annotated[System | None, describe("Only of this system.", "drive")] = None
    proposed: Annotated[
        bool | None, describe("Only those somebody is proposed for, or only the others.")
    ] = None
    sort: Annotated[Literal["name", "-name", "login_name", "-login_name"] | None, SORTED] = None


class ProposalShown(BaseModel):
    """An account that nobody here has, whose it may be, and what speaks for it."""

    n: Annotated[int, describe("The number of the difference.", 17)]
    system: Annotated[SystemName, describe("Where the account is.")]
    kind: Annotated[str, describe("What kind of account it is.", "drive.account")]
    name: Annotated[
        str, describe("What it is called there.", "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90")
    ]
    login_name: Annotated[str | None, describe("The name its person signs in with there.", "anna")]
    email: Annotated[str | None, describe("Its address there.", "anna@example.org")]
    email_confirmed: Annotated[bool, describe("Whether somebody confirmed that address there.")]
    full_name: Annotated[str | None, describe("What its person is called there.", "Anna Abel")]
    username: Annotated[UserName | None, describe("Whose it is proposed to be; null: nobody's.")]
    proposed: Annotated[bool, describe("Whether somebody is proposed.")]
    new: Annotated[bool, describe("Whether a person is made for it.")]
    why: Annotated[
        str, describe("What speaks for it, or why nobody is proposed.", "The id is hers.")
    ]
    why_message: Coded | None = None


class ProposalsListed(Listed[ProposalShown]):
    """One part of the list, and what whoever confirms it echoes."""

    proposals: Annotated[int, describe("How many of all that are asked for are proposed.", 4)]
    digest: Annotated[
        str, describe("Opaque: echo it when you confirm what you were shown.", "5f2d")
    ]
    left_out: Annotated[
        int,
        describe("How many more there are than are judged together: they follow, or search.", 0),
    ]


class Confirming(Input):
    """What is confirmed. `system`, `q`: as the list was asked for."""

    digest: Annotated[
        Annotated[Text, Field(max_length=64)], describe("As the list gave it.", "5f2d")
    ]
    system: Annotated[System | None, describe("Only accounts of this system.", "drive")] = None
    q: Annotated[Words, describe("The words that were looked for.", "anna")] = ""
    items: Annotated[
        Annotated[list[Annotated[int, Field(ge=1, le=2**53)]], Field(max_length=1_000)] | None,
        describe("Only these numbers; left out, everything that was proposed.", [17]),
    ] = None


class NotTaken(BaseModel):
    """One that was chosen and was not so any more."""

    n: Annotated[int, describe("The number of the difference.", 17)]
    reason: Annotated[str, describe("Why it was not taken over.", "It was recorded meanwhile.")]
    reason_message: Coded | None = None


class TakeOverShown(BaseModel):
    """One confirmation, and what it brought about."""

    id: Annotated[Uuid, describe("The id of the take-over.")]
    run: Annotated[Uuid, describe("The comparison it was about.")]
    confirmed_at: Annotated[When, describe("When it was confirmed.")]
    confirmed_by: Annotated[UserName, describe("Who confirmed it.")]
    finished_at: Annotated[
        When | None, describe("When all of it was dealt with; null: it goes on by itself.")
    ]
    undone_at: Annotated[When | None, describe("When it was taken back.")]
    chosen: Annotated[int, describe("How many accounts were chosen.", 4)]
    taken: Annotated[int, describe("How many were taken over.", 3)]
    refused: Annotated[int, describe("How many were not so any more.", 1)]
    left: Annotated[int, describe("How many are still to be dealt with.", 0)]
    not_taken: Annotated[list[NotTaken], describe("Those that were not so any more, and why.")]


class TakeOversAsked(ListAsked):
    """Which confirmations."""

    sort: Annotated[Literal["confirmed_at", "-confirmed_at"] | None, SORTED] = None


class UndoneShown(BaseModel):
    """What taking it back brought about."""

    accounts: Annotated[int, describe("How many accounts are nobody's again.", 3)]
    kept: Annotated[
        list[UserName], describe("Who signed in or made something since, and stays.", ["anna"])
    ]


@router.get(
    "/{run_id}/take-over",
    response=ProposalsListed,
    summary="List accounts of nobody, and whose they may be",
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    run_id: uuid.UUID,
    window: Query[ProposalsAsked],
) -> dict[str, Any]:
    """Of the last comparison: of an earlier one nothing can be confirmed."""
    ReconcileRun.objects.get(id=run_id)
    filters = {"system": window.system} if window.system else {}
    found = proposals(connected_systems(), ListQuery(window.q, window.sort or "", filters))
    shown = [one for one in found if window.proposed in {None, bool(one.username)}]
    part = shown[window.offset : window.offset + window.limit]
    return {
        "items": [_proposal(one) for one in part],
        "count": len(shown),
        "proposals": sum(bool(one.username) for one in found),
        "digest": digest(found),
        "left_out": left_out(ListQuery(window.q, filters=filters)),
    }


@router.post(
    "/{run_id}/take-over",
    response=TakeOverShown,
    summary="Take over what was shown",
    openapi_extra=says(409),
)
def confirm(request: HttpRequest, run_id: uuid.UUID, body: Confirming) -> dict[str, Any]:
    """Everything that was proposed, or only `items`. Of many the rest follows by itself: `left`
    says how many. The same again is that confirmation.
    """
    row = stories.confirm(
        ReconcileRun.objects.get(id=run_id),
        digest_shown=body.digest,
        asked=ListQuery(body.q, filters={"system": body.system} if body.system else {}),
        chosen=body.items,
        actor=person_of(request).username,
        systems=connected_systems(),
    )
    return shown(row)


@history.get("", response=Listed[TakeOverShown], summary="List what was taken over, latest first")
def list_history(
    request: HttpRequest,  # noqa: ARG001
    window: Query[TakeOversAsked],
) -> dict[str, Any]:
    """Also what was taken back."""
    return listed(TakeOver.objects.all(), window, TAKE_OVERS, each(shown))


@history.post(
    "/{take_over_id}/undo",
    response=UndoneShown,
    summary="Take a confirmation back",
    openapi_extra=says(409),
)
def undo(request: HttpRequest, take_over_id: uuid.UUID) -> dict[str, Any]:
    """People who signed in or made something since stay, with their accounts."""
    undone = stories.undo(take_over_id, actor=person_of(request).username)
    return {"accounts": undone.accounts, "kept": list(undone.kept)}


def _proposal(one: Proposal) -> dict[str, Any]:
    item = one.item
    return {
        **{
            name: getattr(item, name) for name in ("n", "system", "kind", "name", "email_confirmed")
        },
        **{name: getattr(item, name) or None for name in ("login_name", "email", "full_name")},
        "username": one.username or None,
        "proposed": bool(one.username),
        "new": one.new,
        **said("why", one.why),
    }


def shown(row: TakeOver) -> dict[str, Any]:
    """One confirmation for an administrator."""
    why: Sequence[Any] = stories.not_taken(row)
    return {
        "id": str(row.id),
        "run": str(row.run),
        "confirmed_at": in_utc(row.confirmed_at),
        "confirmed_by": row.confirmed_by,
        "finished_at": in_utc(row.finished_at),
        "undone_at": in_utc(row.undone_at),
        **stories.results(row),
        "not_taken": [{"n": n, **said("reason", text)} for n, text in why],
    }
