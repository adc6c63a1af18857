"""`/projects/{id}/members` and `/membership-requests`: who shares a project, and who asks to (specification, sections 2.6 and 3.5).

Reading is here. Adding, leaving, asking and deciding give or take access in other systems too and are not offered yet; they answer 409
to those who might, and what they answer everybody else already holds.
"""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.lifecycle.refusal import Refused
from workspace_manager.records.models import Membership, MembershipRequest, Person, Project
from workspace_manager.web.api.auth import person_of, refuse_unless_owner, signed_in
from workspace_manager.web.api.inputs import Name, Window, part
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.projects import found
from workspace_manager.web.api.shown import Listed, not_offered, time

router = Router(auth=signed_in)


class MemberShown(BaseModel):
    """Somebody who uses what a project shares."""

    username: str
    since: str


class RequestShown(BaseModel):
    """Somebody asks to join a project."""

    id: str
    username: str
    state: str
    created_at: str


@router.get(
    "/{project_id}/members", response=Listed[MemberShown], summary="List the members of a project"
)
def list_members(
    request: HttpRequest, project_id: uuid.UUID, window: Query[Window]
) -> dict[str, Any]:
    """The owner is not a member."""
    rows = found(request, project_id).memberships.select_related("person")
    items = [_member(row) for row in part(rows.order_by("person__username"), window)]
    return {"items": items, "count": rows.count()}


@router.get(
    "/{project_id}/members/{username}", response=MemberShown, summary="Show one member of a project"
)
def show_member(request: HttpRequest, project_id: uuid.UUID, username: Name) -> dict[str, Any]:
    return _member(found(request, project_id).memberships.get(person__username=username))


@router.put(
    "/{project_id}/members/{username}",
    response=MemberShown,
    summary="Make somebody a member",
    openapi_extra=says(409),
)
def add_member(request: HttpRequest, project_id: uuid.UUID, username: Name) -> dict[str, Any]:  # noqa: ARG001
    """The owner's to do. Not offered yet."""
    refuse_unless_owner(person_of(request), found(request, project_id).owner)
    raise not_offered("Adding members")


@router.delete(
    "/{project_id}/members/{username}",
    response={204: None},
    summary="End a membership",
    openapi_extra=says(409),
)
def remove_member(request: HttpRequest, project_id: uuid.UUID, username: Name) -> HttpResponse:
    """The owner's to do, and the member's own (leaving). Not offered yet."""
    person, project = person_of(request), found(request, project_id)
    member = project.memberships.select_related("person").filter(person__username=username).first()
    if member is None or member.person != person:
        refuse_unless_owner(person, project.owner)
    if member is None:
        raise Membership.DoesNotExist
    raise not_offered("Ending a membership")


@router.get(
    "/{project_id}/membership-requests",
    response=Listed[RequestShown],
    summary="List who asks to join a project",
)
def list_requests(
    request: HttpRequest, project_id: uuid.UUID, window: Query[Window]
) -> dict[str, Any]:
    """For the owner, who decides."""
    rows = _decidable(request, project_id).requests.select_related("person")
    items = [_request(row) for row in part(rows.order_by("created_at", "id"), window)]
    return {"items": items, "count": rows.count()}


@router.post(
    "/{project_id}/membership-requests",
    response={201: RequestShown},
    summary="Ask to join a project",
    openapi_extra=says(409),
)
def ask(request: HttpRequest, project_id: uuid.UUID) -> dict[str, Any]:
    """For whoever was given the project's id. Not offered yet."""
    project = Project.objects.get(id=project_id)
    if _shares(person_of(request), project):
        raise Refused("You share this project already.")
    raise not_offered("Asking to join a project")


@router.post(
    "/{project_id}/membership-requests/{request_id}/approve",
    response=RequestShown,
    summary="Let somebody join",
    openapi_extra=says(409),
)
def approve(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> dict[str, Any]:
    """The owner's to do. Not offered yet."""
    return _decide(request, project_id, request_id)


@router.post(
    "/{project_id}/membership-requests/{request_id}/reject",
    response=RequestShown,
    summary="Do not let somebody join",
    openapi_extra=says(409),
)
def reject(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> dict[str, Any]:
    """The owner's to do. Not offered yet."""
    return _decide(request, project_id, request_id)


def _decide(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> dict[str, Any]:
    _decidable(request, project_id).requests.get(id=request_id)
    raise not_offered("Deciding about membership requests")


def _decidable(request: HttpRequest, project_id: uuid.UUID) -> Project:
    project = found(request, project_id)
    refuse_unless_owner(person_of(request), project.owner)
    return project


def _shares(person: Person, project: Project) -> bool:
    return person == project.owner or project.memberships.filter(person=person).exists()


def _member(row: Membership) -> dict[str, Any]:
    return {"username": row.person.username, "since": time(row.since)}


def _request(row: MembershipRequest) -> dict[str, Any]:
    return {
        "id": str(row.id),
        "username": row.person.username,
        "state": row.state,
        "created_at": time(row.created_at),
    }
