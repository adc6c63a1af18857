"""`/projects/{id}/invitations` and `/me/invitations`: asking somebody into a project, and the
answer.

See docs/explanation/projects.md#members.
"""

import uuid
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Invitation, Project
from workspace_manager.web.api.auth import person_of, refuse_unless_owner, signed_in
from workspace_manager.web.api.inputs import Input, Name, Text, Window, part
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.projects import found
from workspace_manager.web.api.shown import Listed
from workspace_manager.wiring import connected_systems
from workspace_manager.work import invitations

of_projects = Router(auth=signed_in)
mine = Router(auth=signed_in)

MemberRole = Literal["write"]


class NewInvitation(Input):
    """Whom to ask: a user name or an e-mail address. `role`: what a member may do; there is one."""

    username: Name = ""
    email: Annotated[Text, Field(max_length=254)] = ""
    role: MemberRole = "write"


class InvitationShown(BaseModel):
    """Who was asked, as it was typed. Whether anybody has this name or address is not told."""

    id: str
    username: str | None
    email: str | None
    role: MemberRole
    created_at: str
    expires_at: str


class InvitationOfMine(BaseModel):
    """Somebody asks me into a project. `project` and `label`: which; it is shown once I joined."""

    id: str
    project: str
    label: str
    owner: str
    role: MemberRole
    created_at: str
    expires_at: str


@of_projects.get(
    "/{project_id}/invitations",
    response=Listed[InvitationShown],
    summary="List who is invited into a project",
)
def list_(request: HttpRequest, project_id: uuid.UUID, window: Query[Window]) -> dict[str, Any]:
    """For the owner. Whoever joined is listed as a member."""
    rows = invitations.of_project(_own(request, project_id))
    return {"items": [shown(row) for row in part(rows, window)], "count": rows.count()}


@of_projects.post(
    "/{project_id}/invitations",
    response={202: InvitationShown},
    summary="Invite somebody into a project",
    openapi_extra=says(409),
)
def invite(request: HttpRequest, project_id: uuid.UUID, body: NewInvitation) -> Any:
    """The owner's to do. The answer is the same whether or not anybody has this name or address; no
    account is made anywhere before they accept. Again changes nothing.
    """
    project = _own(request, project_id)
    made = invitations.invite(
        project, by=person_of(request), username=body.username, email=body.email
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
def list_mine(request: HttpRequest, window: Query[Window]) -> dict[str, Any]:
    """Those that can be answered."""
    rows = invitations.of_person(person_of(request))
    return {"items": [_of_mine(row) for row in part(rows, window)], "count": rows.count()}


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
    refuse_unless_owner(person_of(request), project.owner)
    return project


def shown(row: Invitation) -> dict[str, Any]:
    """One invitation for whoever invited."""
    return {
        "id": str(row.id),
        "username": row.username or None,
        "email": row.email or None,
        "role": "write",
        "created_at": in_utc(row.created_at),
        "expires_at": in_utc(row.expires_at),
    }


def _of_mine(row: Invitation) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "project": str(row.project_id),
        "label": row.project.label,
        "owner": row.project.owner.username,
        "role": "write",
        "created_at": in_utc(row.created_at),
        "expires_at": in_utc(row.expires_at),
    }
