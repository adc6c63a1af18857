"""`/projects/{id}/invitations` and `/me/invitations`: asking somebody into a project, and the
answer.

See docs/explanation/projects.md#members.
"""

import uuid
from typing import Annotated, Any, Final, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.listing import Listing
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Invitation, Project
from workspace_manager.web.api.auth import person_of, refuse_unless_managing, signed_in
from workspace_manager.web.api.inputs import Input, Name, ReasonToOpen, Text
from workspace_manager.web.api.lists import SORTED, ListAsked, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.projects import found
from workspace_manager.web.api.shown import Listed
from workspace_manager.wiring import connected_systems
from workspace_manager.work import invitations

of_projects = Router(auth=signed_in)
mine = Router(auth=signed_in)

MemberRole = Literal["read", "write", "manage"]
ROLE: Final = describe(
    "What a member may do: `read` what the project shares, `write` it, or `manage` who else may, "
    "too.",
    "write",
)


OF_PROJECTS: Final = Listing(searched=("username", "email"), order=("created_at",))
MINE: Final = Listing(
    searched=("project__label", "project__owner__username"),
    order=("created_at",),
    columns={"label": "project__label", "owner": "project__owner__username"},
)


class InvitationsAsked(ListAsked):
    """Which of those who are invited."""

    sort: Annotated[
        Literal["created_at", "-created_at", "expires_at", "-expires_at"] | None, SORTED
    ] = None


class MyInvitationsAsked(ListAsked):
    """Which invitations."""

    owner: Annotated[Name | None, describe("Only those of this person.", "anna")] = None
    sort: Annotated[
        Literal[
            "created_at",
            "-created_at",
            "expires_at",
            "-expires_at",
            "label",
            "-label",
            "owner",
            "-owner",
        ]
        | None,
        SORTED,
    ] = None


class NewInvitation(Input):
    """Whom to ask: a user name or an e-mail address. `role`: as what; `write` where nothing is
    said.
    """

    username: Annotated[Name, describe("Whom to ask, by user name.", "bela")] = ""
    email: Annotated[
        Text, Field(max_length=254), describe("Or by e-mail address.", "bela@example.org")
    ] = ""
    role: Annotated[MemberRole | None, ROLE] = None
    reason: ReasonToOpen = ""


class InvitationShown(BaseModel):
    """Who was asked, as it was typed. Whether anybody has this name or address is not told."""

    id: Annotated[Uuid, describe("The id of the invitation.")]
    username: Annotated[str | None, describe("Who was asked, by name.", "bela")]
    email: Annotated[str | None, describe("Or by address.", "bela@example.org")]
    role: Annotated[MemberRole, ROLE]
    created_at: Annotated[When, describe("When somebody was asked.")]
    expires_at: Annotated[When, describe("Until when it can be answered.")]


class InvitationOfMine(BaseModel):
    """Somebody asks me into a project. `project` and `label`: which; it is shown once I joined."""

    id: Annotated[Uuid, describe("The id of the invitation.")]
    project: Annotated[Uuid, describe("The project it is into.")]
    label: Annotated[str, describe("What people call the project.", "Herbarium")]
    owner: Annotated[UserName, describe("Whose project it is.")]
    role: Annotated[MemberRole, ROLE]
    created_at: Annotated[When, describe("When I was asked.")]
    expires_at: Annotated[When, describe("Until when it can be answered.")]


@of_projects.get(
    "/{project_id}/invitations",
    response=Listed[InvitationShown],
    summary="List who is invited into a project",
)
def list_(
    request: HttpRequest, project_id: uuid.UUID, window: Query[InvitationsAsked]
) -> dict[str, Any]:
    """For the owner and managers. Whoever joined is listed as a member."""
    rows = invitations.of_project(_own(request, project_id))
    return listed(rows, window, OF_PROJECTS, each(shown))


@of_projects.post(
    "/{project_id}/invitations",
    response={202: InvitationShown},
    summary="Invite somebody into a project",
    openapi_extra=says(409),
)
def invite(request: HttpRequest, project_id: uuid.UUID, body: NewInvitation) -> Any:
    """The owner's and managers' to do. The answer is the same whether or not anybody has this name
    or address; no account is made anywhere before they accept. Again changes nothing but the role,
    where one is named.
    """
    project = _own(request, project_id)
    made = invitations.invite(
        project,
        by=person_of(request),
        username=body.username,
        email=body.email,
        role=body.role,
        reason=body.reason,
    )
    return Status(202, shown(made))


@of_projects.delete(
    "/{project_id}/invitations/{invitation_id}",
    response={204: None},
    summary="Withdraw an invitation",
)
def withdraw(request: HttpRequest, project_id: uuid.UUID, invitation_id: uuid.UUID) -> HttpResponse:
    """It cannot be accepted any more."""
    project = _own(request, project_id)
    invitations.withdraw(project, invitation_id, actor=person_of(request).username)
    return HttpResponse(status=204)


@mine.get("", response=Listed[InvitationOfMine], summary="List the projects I am invited into")
def list_mine(request: HttpRequest, window: Query[MyInvitationsAsked]) -> dict[str, Any]:
    """Those that can be answered."""
    return listed(invitations.of_person(person_of(request)), window, MINE, each(_of_mine))


@mine.post(
    "/{invitation_id}/accept",
    response={204: None},
    summary="Accept an invitation",
    openapi_extra=says(409),
)
def accept(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """Join the project. Access in the systems follows by a plan."""
    invitations.accept(invitation_id, person_of(request), systems=connected_systems())
    return HttpResponse(status=204)


@mine.post("/{invitation_id}/decline", response={204: None}, summary="Decline an invitation")
def decline(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """It is not shown again, and whoever invited is told nothing."""
    invitations.decline(invitation_id, person_of(request))
    return HttpResponse(status=204)


def _own(request: HttpRequest, project_id: uuid.UUID) -> Project:
    project = found(request, project_id)
    refuse_unless_managing(person_of(request), project)
    return project


def shown(row: Invitation) -> dict[str, Any]:
    """One invitation for whoever invited."""
    return {
        "id": str(row.id),
        "username": row.username or None,
        "email": row.email or None,
        "role": row.role,
        "created_at": in_utc(row.created_at),
        "expires_at": in_utc(row.expires_at),
    }


def _of_mine(row: Invitation) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "project": str(row.project_id),
        "label": row.project.label,
        "owner": row.project.owner.username,
        "role": row.role,
        "created_at": in_utc(row.created_at),
        "expires_at": in_utc(row.expires_at),
    }
