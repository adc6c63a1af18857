"""`/projects/{id}/members` and `/membership-requests`: the members of a project, their roles, and
requests to join.

The rows count at once; plans change the access in the systems.

See docs/explanation/projects.md#members.
"""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from workspace_manager.records.models import Membership, Project
from workspace_manager.web.api.auth import person_of, refuse_unless_managing, signed_in
from workspace_manager.web.api.inputs import Input, Name, ReasonToOpen
from workspace_manager.web.api.lists import ListAsked, each, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.projects import find_project
from workspace_manager.web.api.responses import ListPage
from workspace_manager.wiring import connected_systems
from workspace_manager.work import invitations, memberships
from workspace_manager.work.invitation_views import ROLE, InvitationView, MemberRole
from workspace_manager.work.member_views import (
    MEMBERS,
    REQUESTS,
    MembershipRequestView,
    MemberView,
)

router = Router(auth=signed_in)


class MembersAsked(ListAsked, of=MEMBERS):
    """Filters and order of a project's members."""


class RequestsAsked(ListAsked, of=REQUESTS):
    """Filters and order of a project's requests to join."""


class RoleGiven(Input):
    """The role of a new member; `write` by default."""

    role: Annotated[MemberRole | None, ROLE] = None
    reason: ReasonToOpen = ""


class RoleChange(Input):
    """The new role of a member."""

    role: Annotated[MemberRole, ROLE]
    reason: ReasonToOpen = ""


@router.get(
    "/{project_id}/members", response=ListPage[MemberView], summary="List the members of a project"
)
def list_members(
    request: HttpRequest, project_id: uuid.UUID, window: Query[MembersAsked]
) -> dict[str, Any]:
    """The owner is not a member."""
    rows = find_project(request, project_id).memberships.select_related("person")
    return list_page(rows, window, MEMBERS, each(MemberView.from_row))


@router.get(
    "/{project_id}/members/{username}", response=MemberView, summary="Show one member of a project"
)
def show_member(request: HttpRequest, project_id: uuid.UUID, username: Name) -> MemberView:
    rows = find_project(request, project_id).memberships
    return MemberView.from_row(rows.get(person__username=username))


@router.put(
    "/{project_id}/members/{username}",
    response={200: MemberView, 202: InvitationView},
    summary="Make somebody a member, or invite them",
    openapi_extra=says(409),
)
def add_member(
    request: HttpRequest, project_id: uuid.UUID, username: Name, body: RoleGiven | None = None
) -> Any:
    """For the owner and managers. A person who asked to join, or whom an administrator names,
    becomes a member at once (200); a plan gives access in the systems. Everybody else is invited
    (202), whether or not the name exists. A repetition changes only a named role. A permission
    alone does not let anybody in. Administrators who add themselves give a reason.
    """
    project = _decidable(request, project_id)
    given = body or RoleGiven()
    done = invitations.add(
        project,
        username,
        by=person_of(request),
        systems=connected_systems(),
        role=given.role,
        reason=given.reason,
    )
    if isinstance(done, Membership):
        return Status(200, MemberView.from_row(done))
    return Status(202, InvitationView.from_row(done))


@router.patch(
    "/{project_id}/members/{username}",
    response=MemberView,
    summary="Change the role of a member",
    openapi_extra=says(409),
)
def change_member(
    request: HttpRequest, project_id: uuid.UUID, username: Name, body: RoleChange
) -> MemberView:
    """For the owner and managers. A plan changes the access in the systems."""
    project = _decidable(request, project_id)
    member = project.memberships.select_related("person").get(person__username=username)
    changed, _plan = memberships.change_role(
        project,
        member.person,
        body.role,
        by=person_of(request),
        systems=connected_systems(),
        reason=body.reason,
    )
    return MemberView.from_row(changed)


@router.delete(
    "/{project_id}/members/{username}",
    response={204: None},
    summary="End a membership",
    openapi_extra=says(409),
)
def remove_member(request: HttpRequest, project_id: uuid.UUID, username: Name) -> HttpResponse:
    """For the owner and managers, and for the member (leaving). The member keeps what they own; it
    leaves the project with them.
    """
    person, project = person_of(request), find_project(request, project_id)
    member = project.memberships.select_related("person").filter(person__username=username).first()
    if member is None or member.person != person:
        refuse_unless_managing(person, project)
    if member is None:
        raise Membership.DoesNotExist
    memberships.end(project, member.person, actor=person.username, systems=connected_systems())
    return HttpResponse(status=204)


@router.get(
    "/{project_id}/membership-requests",
    response=ListPage[MembershipRequestView],
    summary="List who asks to join a project",
)
def list_requests(
    request: HttpRequest, project_id: uuid.UUID, window: Query[RequestsAsked]
) -> dict[str, Any]:
    """For the owner and managers, who decide."""
    rows = _decidable(request, project_id).requests.select_related("person")
    return list_page(rows, window, REQUESTS, each(MembershipRequestView.from_row))


@router.post(
    "/{project_id}/membership-requests",
    response={201: MembershipRequestView},
    summary="Ask to join a project",
    openapi_extra=says(409),
)
def ask(request: HttpRequest, project_id: uuid.UUID) -> Any:
    """For people who were given the project's id. Its owner or a manager decides. A repetition
    changes nothing.
    """
    asked = memberships.ask(Project.objects.get(id=project_id), person_of(request))
    return Status(201, MembershipRequestView.from_row(asked))


@router.post(
    "/{project_id}/membership-requests/{request_id}/approve",
    response=MembershipRequestView,
    summary="Let somebody join",
    openapi_extra=says(409),
)
def approve(
    request: HttpRequest,
    project_id: uuid.UUID,
    request_id: uuid.UUID,
    body: RoleGiven | None = None,
) -> MembershipRequestView:
    """For the owner and managers. A plan gives the new member access in the systems."""
    asked = _decidable(request, project_id).requests.get(id=request_id)
    given = body or RoleGiven()
    asked, _plan = memberships.approve(
        asked.id,
        by=person_of(request),
        systems=connected_systems(),
        role=given.role,
        reason=given.reason,
    )
    return MembershipRequestView.from_row(asked)


@router.post(
    "/{project_id}/membership-requests/{request_id}/reject",
    response=MembershipRequestView,
    summary="Do not let somebody join",
    openapi_extra=says(409),
)
def reject(
    request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID
) -> MembershipRequestView:
    """For the owner and managers. The person may ask again."""
    asked = _decidable(request, project_id).requests.get(id=request_id)
    rejected = memberships.reject(asked.id, actor=person_of(request).username)
    return MembershipRequestView.from_row(rejected)


def _decidable(request: HttpRequest, project_id: uuid.UUID) -> Project:
    project = find_project(request, project_id)
    refuse_unless_managing(person_of(request), project)
    return project
