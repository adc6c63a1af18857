"""Who shares a project, on its page: adding, leaving, and deciding about those who ask (specification, sections 2.6 and 3.5)."""

import uuid

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from workspace_manager.core import access
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import MembershipRequest, Person, Project
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import error_notice
from workspace_manager.wiring import connected_systems
from workspace_manager.work import memberships


def join(request: HttpRequest) -> HttpResponse:
    """Ask to join a project whose address somebody gave. Whether it exists is told no more than the owner's answer tells."""
    text = request.POST.get("project", "").strip().rstrip("/").rpartition("/")[2]
    try:
        project = Project.objects.filter(id=uuid.UUID(text)).first()
    except ValueError:
        messages.error(
            request,
            _("This is not the address of a project. Ask its owner for the address of its page."),
        )
        return HttpResponseRedirect(reverse("projects"))
    if project is not None:
        try:
            memberships.ask(project, person_of(request))
        except Refused as refusal:
            messages.error(request, error_notice(refusal).spoken())
            return HttpResponseRedirect(reverse("projects"))
    messages.success(
        request, _("The owner of the project was asked. Once they agree, it appears here.")
    )
    return HttpResponseRedirect(reverse("projects"))


def add(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Make somebody a member, by user name."""
    project = _own(request, project_id)
    username = request.POST.get("username", "").strip().lower()
    person = Person.objects.filter(username=username).first()
    if person is None:
        text = _(
            "Nobody called “%(name)s” is in this workspace. Ask the person for their user name."
        )
        messages.error(request, text % {"name": username})
        return _back(project)
    try:
        member, _plan = memberships.add(
            project, person, actor=person_of(request).username, systems=connected_systems()
        )
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
    else:
        text = _("%(name)s is a member. Access in the systems follows by itself.")
        messages.success(request, text % {"name": member.person.username})
    return _back(project)


def end(request: HttpRequest, project_id: uuid.UUID, username: str) -> HttpResponse:
    """The owner takes somebody out, or a member leaves."""
    person = person_of(request)
    project = visible.project(person, project_id)
    membership = (
        project.memberships.select_related("person").filter(person__username=username).first()
    )
    if membership is None:
        raise Http404
    if membership.person != person and not access.may_change(person, project):
        raise PermissionDenied(_("Only the owner of a project decides who is in it."))
    try:
        memberships.end(
            project, membership.person, actor=person.username, systems=connected_systems()
        )
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
        return _back(project)
    text = _("%(name)s is not a member any more. Access in the systems ends by itself.")
    messages.success(request, text % {"name": username})
    return (
        _back(project)
        if access.may_view(person, project)
        else HttpResponseRedirect(reverse("projects"))
    )


def approve(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> HttpResponse:
    """Let somebody in who asked."""
    project, asked = _asked(request, project_id, request_id)
    try:
        memberships.approve(
            asked.id, actor=person_of(request).username, systems=connected_systems()
        )
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
    return _back(project)


def reject(request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID) -> HttpResponse:
    """Do not let somebody in who asked."""
    project, asked = _asked(request, project_id, request_id)
    try:
        memberships.reject(asked.id, actor=person_of(request).username)
    except Refused as refusal:
        messages.error(request, error_notice(refusal).spoken())
    return _back(project)


def _asked(
    request: HttpRequest, project_id: uuid.UUID, request_id: uuid.UUID
) -> tuple[Project, MembershipRequest]:
    project = _own(request, project_id)
    asked = project.requests.filter(id=request_id).first()
    if asked is None:
        raise Http404
    return project, asked


def _own(request: HttpRequest, project_id: uuid.UUID) -> Project:
    project = visible.project(person_of(request), project_id)
    if not access.may_change(person_of(request), project):
        raise PermissionDenied(_("Only the owner of a project decides who is in it."))
    return project


def _back(project: Project) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('project', args=[project.id])}#people-here")
