"""`/administrators`: who may approve and remove people. The role cannot be taken from yourself or
from the last active administrator.
"""

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import UserName, When, describe
from workspace_manager.people import roles
from workspace_manager.people.documents import of_announcements
from workspace_manager.people.listings import ADMINISTRATORS
from workspace_manager.records.models import Person
from workspace_manager.web.api.auth import administrator, person_of
from workspace_manager.web.api.inputs import Input, Name, Text
from workspace_manager.web.api.lists import SORTED, ListAsked, chosen
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed

router = Router(auth=administrator)


State = Literal["active", "suspended", "leaving", "announced", "to_confirm"]


class AdministratorShown(BaseModel):
    """An administrator, or who is announced as one. `announced`: nobody of that name has come;
    `to_confirm`: somebody has, and that it is the right one is not known. `bound`: what the
    announcement is made for.
    """

    username: Annotated[UserName, describe("Who it is.")]
    state: Annotated[
        State,
        describe(
            "How somebody who is here stands; `announced` and `to_confirm` of who is not one yet."
        ),
    ]
    bound: Annotated[
        Literal["name", "sub", "email"] | None, describe("What an announcement is made for.")
    ] = None
    sub: Annotated[
        str | None,
        describe(
            "The user id at the identity provider it is made for.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ] = None
    email: Annotated[
        str | None, describe("The confirmed address it is made for.", "anna@example.org")
    ] = None
    until: Annotated[When | None, describe("When the announcement ends by itself.")] = None
    announced_by: Annotated[UserName | None, describe("Who announced it.")] = None


class AdministratorsAsked(ListAsked):
    """Which administrators."""

    state: Annotated[State | None, describe("Only those who stand so.")] = None
    sort: Annotated[Literal["username", "-username", "state", "-state"] | None, SORTED] = None


class Announcing(Input):
    """Whom an announcement is for: the user id or the confirmed address at the identity provider.
    `until`: a day or a moment.
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


@router.get("", response=Listed[AdministratorShown], summary="List administrators")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[AdministratorsAsked],
) -> dict[str, Any]:
    """Those who are, then the names that become administrators at their first sign-in."""
    return chosen(_all(), window, ADMINISTRATORS)


@router.put(
    "/{username}",
    response=AdministratorShown,
    summary="Make somebody an administrator",
    openapi_extra=says(409, 422),
)
def add(request: HttpRequest, username: Name, body: Announcing | None = None) -> dict[str, Any]:
    """Somebody who is here: now. Somebody who is not: announced, for a `sub` or a confirmed
    address, and becomes one at the first sign-in; for the name alone once it is confirmed. Again
    changes nothing.
    """
    named = body or Announcing()
    name = roles.make_administrator(
        username, actor=person_of(request).username, **named.model_dump()
    )
    return _one(name)


@router.post(
    "/{username}/confirm",
    response=AdministratorShown,
    summary="Confirm who was announced by name",
    openapi_extra=says(409),
)
def confirm(request: HttpRequest, username: Name) -> dict[str, Any]:
    """Of somebody who signed in under a name that was announced: that is the right one."""
    return _one(roles.confirm(username, actor=person_of(request).username))


@router.delete(
    "/{username}",
    response={204: None},
    summary="Make an administrator an ordinary person",
    openapi_extra=says(409),
)
def remove(request: HttpRequest, username: Name) -> HttpResponse:
    """Refused for oneself and for the last active one; of two who do it to each other at once one
    stays.
    """
    roles.make_user(username, actor=person_of(request).username)
    return HttpResponse(status=204)


def _one(name: str) -> dict[str, Any]:
    (found,) = [one for one in _all() if one["username"] == name]
    return found


def _all() -> list[dict[str, Any]]:
    """Administrators are few: they are listed whole and cut afterwards."""
    rows = Person.objects.filter(role=Person.Role.ADMINISTRATOR).order_by("username")
    unknown = {"sub": None, "email": None}
    here = [{"username": row.username, "state": str(row.state), **unknown} for row in rows]
    return here + of_announcements()
