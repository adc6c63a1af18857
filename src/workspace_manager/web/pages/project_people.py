"""Members on a project's page: adding, leaving, roles, and requests to join.

See docs/explanation/projects.md#members.
"""

import uuid

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.access import policy
from workspace_manager.records.models import (
    Invitation,
    Membership,
    MembershipRequest,
    Project,
)
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, notice_of, on_error
from workspace_manager.wiring import connected_systems
from workspace_manager.work import invitations, memberships

LONGEST_NAME = 255
NOT_YOURS = gettext_lazy(
    "Only the owner of a project and members who manage it can change its members."
)


ON_PROJECT = message_on("project", "project_id", anchor="people-here")
ON_LIST = message_on("projects")


@on_error(ON_LIST)
def join(request: HttpRequest) -> HttpResponse:
    """Ask to join a project by its address. The answer does not reveal whether the project
    exists.
    """
    text = request.POST.get("project", "").strip().rstrip("/").rpartition("/")[2]
    try:
        project = Project.objects.filter(id=uuid.UUID(text)).first()
    except ValueError:
        messages.error(
            request,
            _("This is not the address of a project. Ask the project’s owner for it."),
        )
        return HttpResponseRedirect(reverse("projects"))
    if project is not None:
        memberships.ask(project, person_of(request))
    messages.success(
        request,
        _(
            "Your request was sent to the project’s owner. The project appears here when the "
            "owner accepts."
        ),
    )
    return HttpResponseRedirect(reverse("projects"))


def _not_added(request: HttpRequest, project_id: uuid.UUID) -> HttpResponseBase:
    notice = notice_of(request)
    if notice is None or notice.status != 404:
        return ON_PROJECT(request, project_id=project_id)
    text = _("Nobody called “%(name)s” is in this workspace.")
    messages.error(request, text % {"name": _username(request)})
    return HttpResponseRedirect(f"{reverse('project', args=[project_id])}#people-here")


@on_error(_not_added)
def add(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Invite a person by user name. A person who asked, or whom an administrator names, joins at
    once.
    """
    project, by = _own(request, project_id, opens=True), person_of(request)
    done = invitations.add(
        project,
        _username(request),
        by=by,
        systems=connected_systems(),
        role=_role(request),
        reason=_reason(request),
    )
    messages.success(request, _who_was_added(done))
    return _back(project)


def _username(request: HttpRequest) -> str:
    return request.POST.get("username", "").strip().lower()[:LONGEST_NAME]


def _role(request: HttpRequest) -> str | None:
    """Return the chosen role; None for an unknown one."""
    chosen = request.POST.get("role", "")
    return chosen if chosen in Membership.Role.values else None


def _reason(request: HttpRequest) -> str:
    return request.POST.get("reason", "")


@on_error(ON_PROJECT)
def change_role(request: HttpRequest, project_id: uuid.UUID, username: str) -> HttpResponse:
    """Change the role of a member."""
    project, role = _own(request, project_id, opens=True), _role(request)
    members = project.memberships.select_related("person")
    member = get_object_or_404(members, person__username=username)
    memberships.change_role(
        project,
        member.person,
        role or member.role,
        by=person_of(request),
        systems=connected_systems(),
        reason=_reason(request),
    )
    text = _("The role of %(name)s is changed. Access in the systems follows automatically.")
    messages.success(request, text % {"name": username})
    return _back(project)


def _who_was_added(done: Membership | Invitation) -> str:
    if isinstance(done, Membership):
        text = _("%(name)s is a member now. Access in the systems follows automatically.")
        return text % {"name": done.person.username}
    text = _(
        "“%(name)s” is invited, if a person of this name exists here, and becomes a member by "
        "accepting."
    )
    return text % {"name": done.username}


def withdraw(request: HttpRequest, project_id: uuid.UUID, invitation_id: uuid.UUID) -> HttpResponse:
    """Withdraw an invitation."""
    project = _own(request, project_id)
    invitations.withdraw(project, invitation_id, actor=person_of(request).username)
    return _back(project)


@on_error(ON_LIST)
def accept(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """Accept an invitation and open the project."""
    member = invitations.accept(invitation_id, person_of(request), systems=connected_systems())
    messages.success(
        request, _("You are a member now. Access in the systems follows automatically.")
    )
    return HttpResponseRedirect(reverse("project", args=[member.project_id]))


def decline(request: HttpRequest, invitation_id: uuid.UUID) -> HttpResponse:
    """Decline; the inviter is told nothing."""
    invitations.decline(invitation_id, person_of(request))
    return HttpResponseRedirect(reverse("projects"))


@on_error(ON_PROJECT)
def end(request: HttpRequest, project_id: uuid.UUID, username: str) -> HttpResponse:
    """End a membership: the owner or a manager removes a member, or a member leaves."""
    person = person_of(request)
    project = visible.project(person, project_id)
    members = project.memberships.select_related("person")
    membership = get_object_or_404(members, person__username=username)
    if membership.person != person and not policy.may_manage_members(person, project):
        raise PermissionDenied(NOT_YOURS)
    memberships.end(project, membership.person, actor=person.username, systems=connected_systems())
    text = _("%(name)s is no longer a member. Access in the systems ends automatically.")
    messages.success(request, text % {"name": username})
    return (
        _back(project)
        if policy.may_view(person, project)
        else HttpResponseRedirect(reverse("projects"))
    )


@on_error(ON_PROJECT)
def approve(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> HttpResponse:
    """Let a person join who asked to."""
    project, asked = _membership_request(request, project_id, request_id, opens=True)
    memberships.approve(
        asked.id,
        by=person_of(request),
        systems=connected_systems(),
        role=_role(request),
        reason=_reason(request),
    )
    return _back(project)


@on_error(ON_PROJECT)
def reject(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> HttpResponse:
    """Reject a request to join."""
    project, asked = _membership_request(request, project_id, request_id)
    memberships.reject(asked.id, actor=person_of(request).username)
    return _back(project)


def _membership_request(
    request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID, *, opens: bool = False
) -> tuple[Project, MembershipRequest]:
    project = _own(request, project_id, opens=opens)
    return project, get_object_or_404(project.requests, id=request_id)


def _own(request: HttpRequest, project_id: uuid.UUID, *, opens: bool = False) -> Project:
    """Return the project, if the reader may change its members. `opens`: whether the change lets
    more people in.
    """
    person = person_of(request)
    project = visible.project(person, project_id)
    may = policy.may_open if opens else policy.may_manage_members
    if not may(person, project):
        raise PermissionDenied(NOT_YOURS)
    return project


def _back(project: Project) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('project', args=[project.id])}#people-here")
