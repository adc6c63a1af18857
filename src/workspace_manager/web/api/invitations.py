"""`/projects/{id}/invitations` and `/me/invitations`: invite somebody into a project, and answer an
invitation.

See docs/explanation/projects.md#members.
"""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.records.models import Project
from workspace_manager.web.api.auth import person_of, refuse_unless_managing, signed_in
from workspace_manager.web.api.inputs import Input, Name, ReasonToOpen, Text
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.projects import find_project
from workspace_manager.web.api.responses import ListPage
from workspace_manager.wiring import connected_systems
from workspace_manager.work import invitations
from workspace_manager.work.invitation_views import (
    INVITATIONS,
    OWN_INVITATIONS,
    ROLE,
    InvitationView,
    MemberRole,
    OwnInvitationView,
    view_own_invitation,
)

of_projects = Router(auth=signed_in)
mine = Router(auth=signed_in)


class InvitationsAsked(ListAsked, of=INVITATIONS):
    """Filters and order of a project's invitations."""


class MyInvitationsAsked(ListAsked, of=OWN_INVITATIONS):
    """Filters and order of your invitations."""


class NewInvitation(Input):
    """The invited user name or e-mail address. `role`: `write` by default."""

    username: Annotated[Name, describe("Whom to ask, by user name.", "bela")] = ""
    email: Annotated[
        Text, Field(max_length=254), describe("Or by e-mail address.", "bela@example.org")
    ] = ""
    role: Annotated[MemberRole | None, ROLE] = None
    reason: ReasonToOpen = ""


@of_projects.get(
    "/{project_id}/invitations",
    response=ListPage[InvitationView],
    summary="List who is invited into a project",
)
def list_(
    request: HttpRequest, project_id: uuid.UUID, window: Query[InvitationsAsked]
) -> dict[str, Any]:
    """For the owner and managers. People who joined are listed as members."""
    rows = invitations.of_project(_own(request, project_id))
    return list_page(rows, window, INVITATIONS, each(InvitationView.from_row))


@of_projects.post(
    "/{project_id}/invitations",
    response={202: InvitationView},
    summary="Invite somebody into a project",
    openapi_extra=says(409),
)
def invite(request: HttpRequest, project_id: uuid.UUID, body: NewInvitation) -> Any:
    """For the owner and managers. The answer is the same whether or not anybody has this name or
    address. No account is made before the invitation is accepted. A repetition changes only a named
    role.
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
    return Status(202, InvitationView.from_row(made))


@of_projects.delete(
    "/{project_id}/invitations/{invitation_id}",
    response={204: None},
    summary="Withdraw an invitation",
)
def withdraw(request: HttpRequest, project_id: uuid.UUID, invitation_id: uuid.UUID) -> HttpResponse:
    """The invitation can no longer be accepted."""
    project = _own(request, project_id)
    invitations.withdraw(project, invitation_id, actor=person_of(request).username)
    return HttpResponse(status=204)


@mine.get("", response=ListPage[OwnInvitationView], summary="List the projects I am invited into")
def list_mine(request: HttpRequest, window: Query[MyInvitationsAsked]) -> dict[str, Any]:
    """Your open invitations."""
    return list_page(
        invitations.of_person(person_of(request)),
        window,
        OWN_INVITATIONS,
        each(view_own_invitation),
    )


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
    """It is hidden, and the inviter is told nothing."""
    invitations.decline(invitation_id, person_of(request))
    return HttpResponse(status=204)


def _own(request: HttpRequest, project_id: uuid.UUID) -> Project:
    project = find_project(request, project_id)
    refuse_unless_managing(person_of(request), project)
    return project
