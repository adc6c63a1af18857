"""`/strangers`: accounts that the identity provider vouches for and that belong to nobody here, and
decisions about them.
"""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router

from workspace_manager.contract.member_description import describe
from workspace_manager.people import unlinked_sign_ins
from workspace_manager.people.stranger_views import (
    STRANGERS,
    StrangerView,
    view_stranger,
    view_strangers,
)
from workspace_manager.records.models import UnapprovedSignIn
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage
from workspace_manager.web.sign_in.fresh import proves
from workspace_manager.wiring import connected_systems

router = Router(auth=administrator)


class Relinking(Input):
    """The intended person, since the account may have signed in under another name meanwhile.
    Required for administrators and people with permissions.
    """

    username: Annotated[Name | None, describe("The person who was shown.", "anna")] = None


class StrangersAsked(ListAsked, of=STRANGERS):
    """Filters and order of the list of refused sign-ins."""


@router.get("", response=ListPage[StrangerView], summary="List refused sign-ins, latest first")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[StrangersAsked],
) -> dict[str, Any]:
    """Including decided ones."""
    return list_page(UnapprovedSignIn.objects.all(), window, STRANGERS, view_strangers)


@router.get("/{stranger_id}", response=StrangerView, summary="Show one refused sign-in")
def show(request: HttpRequest, stranger_id: uuid.UUID) -> StrangerView:  # noqa: ARG001
    return view_stranger(stranger_id)


@router.post(
    "/{stranger_id}/relink",
    response=StrangerView,
    summary="Link a known person to this account",
    openapi_extra=says(409),
)
def relink(
    request: HttpRequest, stranger_id: uuid.UUID, body: Relinking | None = None
) -> StrangerView:
    """For an account that was made again at the identity provider: the person signs in with it from
    now on. For administrators and people with permissions, send the name, and sign in again first.
    """
    story = partial(
        unlinked_sign_ins.relink,
        systems=connected_systems(),
        meant=(body.username if body else None) or "",
        proved=proves(request),
    )
    return _decide(story, request, stranger_id)


@router.post(
    "/{stranger_id}/adopt",
    response=StrangerView,
    summary="Approve this account",
    openapi_extra=says(409),
)
def adopt(request: HttpRequest, stranger_id: uuid.UUID) -> StrangerView:
    """Approves an account that exists at the identity provider. Its next sign-in is its first
    here.
    """
    return _decide(
        partial(unlinked_sign_ins.approve_existing, systems=connected_systems()),
        request,
        stranger_id,
    )


@router.post(
    "/{stranger_id}/refuse",
    response=StrangerView,
    summary="Settle that this account does not belong here",
    openapi_extra=says(409),
)
def refuse(request: HttpRequest, stranger_id: uuid.UUID) -> StrangerView:
    """The account stays refused and keeps seeing the page of a refused sign-in."""
    return _decide(unlinked_sign_ins.refuse, request, stranger_id)


def _decide(
    story: Callable[..., object], request: HttpRequest, stranger_id: uuid.UUID
) -> StrangerView:
    story(stranger_id, actor=person_of(request).username)
    return view_stranger(stranger_id)
