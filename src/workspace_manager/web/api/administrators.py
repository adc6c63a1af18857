"""`/administrators`: who may approve and remove people. The role cannot be taken from yourself or
from the last active administrator.
"""

from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.people import roles
from workspace_manager.people.registration_views import (
    ADMINISTRATORS,
    AdministratorView,
    view_administrators,
)
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.lists import ListAsked, choose_rows
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import ListPage

router = Router(auth=administrator)


class AdministratorsAsked(ListAsked, of=ADMINISTRATORS):
    """Filters and order of the list of administrators."""


class Announcing(Input):
    """The identifier of an announcement: the user id or the confirmed address at the identity
    provider. `until`: a day or a moment.
    """

    sub: Annotated[
        Text,
        Field(max_length=300),
        describe(
            "The user id at the identity provider; blank: not by it.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ] = ""
    email: Annotated[
        Text,
        Field(max_length=254),
        describe(
            "The address the identity provider calls confirmed; blank: not by it.",
            "anna@example.org",
        ),
    ] = ""
    until: Annotated[
        Text,
        Field(max_length=40),
        describe("A day, or a moment, when it ends; blank: in 30 days.", "2026-12-31"),
    ] = ""


@router.get("", response=ListPage[AdministratorView], summary="List administrators")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[AdministratorsAsked],
) -> dict[str, Any]:
    """Administrators, then the names that become administrators at their first sign-in."""
    return choose_rows(view_administrators(), window, ADMINISTRATORS)


@router.put(
    "/{username}",
    response=AdministratorView,
    summary="Make somebody an administrator",
    openapi_extra=says(409, 422),
)
def add(request: HttpRequest, username: Name, body: Announcing | None = None) -> AdministratorView:
    """A present person gets the role now. An absent one is announced: a `sub` or a confirmed
    address gives the role at the first sign-in, a name alone once it is confirmed. A repetition
    changes nothing.
    """
    named = body or Announcing()
    name = roles.make_administrator(
        username, actor=person_of(request).username, **named.model_dump()
    )
    return _one(name)


@router.post(
    "/{username}/confirm",
    response=AdministratorView,
    summary="Confirm who was announced by name",
    openapi_extra=says(409),
)
def confirm(request: HttpRequest, username: Name) -> AdministratorView:
    """Confirms that the person who signed in under an announced name is the right one."""
    return _one(roles.confirm(username, actor=person_of(request).username))


@router.delete(
    "/{username}",
    response={204: None},
    summary="Make an administrator an ordinary person",
    openapi_extra=says(409),
)
def remove(request: HttpRequest, username: Name) -> HttpResponse:
    """You cannot do this to yourself or to the last active administrator. If two administrators do
    it to each other at the same time, one keeps the role.
    """
    roles.make_user(username, actor=person_of(request).username)
    return HttpResponse(status=204)


def _one(name: str) -> AdministratorView:
    return next(one for one in view_administrators() if one.username == name)
