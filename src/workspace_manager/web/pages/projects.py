"""`/projects`: projects with their members, their components, and their ontology project."""

import uuid
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.access import policy
from workspace_manager.accounts.labels import checked_description, checked_label
from workspace_manager.accounts.row_locks import deletion_of
from workspace_manager.core.lists import ListQuery
from workspace_manager.core.typed_names import is_typed
from workspace_manager.core.views import as_text
from workspace_manager.operations.system_configuration import read_settings
from workspace_manager.records.models import Person, Plan, Project
from workspace_manager.snapshots import source_deletion
from workspace_manager.systems.ontology_editor.names import project_address
from workspace_manager.systems.ontology_editor.settings import Settings as OntologyEditorSettings
from workspace_manager.web.pages import deletion_form, labels, visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import complain, on_error, refuse_invalid
from workspace_manager.web.pages.lines import Line
from workspace_manager.web.pages.project_names import ProjectName, short_id, twins
from workspace_manager.wiring import connected_systems
from workspace_manager.work import invitations, memberships, projects
from workspace_manager.work.component_lists import PROJECTS

MOST = 25
"""The most components on a project's page; the list of components has all."""
PER_PAGE = 25


class NewProject(forms.Form):
    """The form of a new project."""

    label = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=2000,
        widget=forms.Textarea({"rows": 4}),
        help_text=gettext_lazy(
            "What the project is about. Members and the ontology editor see it."
        ),
    )


def overview(request: HttpRequest) -> HttpResponse:
    """Show the reader's projects and those they are a member of."""
    person = person_of(request)
    rows = visible.projects(person)
    asked = request.GET.get("q", "").strip()[:100]
    if asked:
        rows = PROJECTS.found(rows, ListQuery(asked))
    mine, shared = rows.filter(owner=person), rows.exclude(owner=person).filter(members=person)
    others = rows.exclude(owner=person).exclude(members=person)
    groups = {"mine": mine, "shared": shared, "others": others}
    pages = {
        name: Paginator(group, PER_PAGE).get_page(request.GET.get(name))
        for name, group in groups.items()
    }
    found = {
        name: ProjectName.read(cast("QuerySet[Project]", page.object_list))
        for name, page in pages.items()
    }
    context: dict[str, Any] = {
        name: {"page": page, "projects": found[name]} for name, page in pages.items()
    }
    context["twins"] = twins(one for name in groups for one in found[name])
    context["asked"] = asked
    context["query"] = f"{urlencode({'q': asked})}&" if asked else ""
    context["invitations"] = invitations.of_person(person)
    return render(request, "projects/list.html", context)


def _form(request: HttpRequest) -> HttpResponse:
    form = NewProject(request.POST or None)
    complain(request, form)
    return render(request, "projects/new.html", {"form": form})


@on_error(_form)
def new(request: HttpRequest) -> HttpResponse:
    """Make a project; a plan makes its ontology project."""
    if request.method != "POST":
        return _form(request)
    form = NewProject(request.POST)
    refuse_invalid(form)
    project = projects.make(
        person_of(request),
        connected_systems(),
        label=checked_label(form.cleaned_data["label"]),
        description=checked_description(form.cleaned_data["description"]),
    )
    return HttpResponseRedirect(reverse("project", args=[project.id]))


def detail(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Show a project."""
    person = person_of(request)
    project = visible.project(person, project_id)
    return render(request, "projects/detail.html", _detail(project, person))


@on_error(detail)
def delete(request: HttpRequest, project_id: uuid.UUID) -> HttpResponse:
    """Delete a project after its name was typed. Memberships end; components stay with their
    owners.
    """
    person = person_of(request)
    project = visible.project(person, project_id)
    if not policy.may_change(person, project):
        raise PermissionDenied(_("Only the owner of a project can delete it."))
    if not is_typed(request.POST.get("confirm", ""), project.label):
        error = _("Type the project’s name exactly as shown.")
        context = {**_detail(project, person), "delete_error": error}
        return render(request, "projects/detail.html", context, status=422)
    plan = source_deletion.delete_project(
        project,
        by=person,
        systems=connected_systems(),
        delete_snapshots=request.POST.get("delete_snapshots") == "on",
    )
    messages.success(request, _("The project is being deleted. You can leave this page."))
    for remark in plan.remarks:
        messages.info(request, as_text(remark))
    return HttpResponseRedirect(reverse("project", args=[project.id]))


def _detail(project: Project, person: Person) -> dict[str, Any]:
    components = project.components.order_by("-created_at")
    members = project.memberships.select_related("person").order_by("person__username")
    return {
        "project": project,
        "mine": project.owner == person,
        "may_change": policy.may_change(person, project),
        **deletion_form.describe(project, person),
        "may_manage": policy.may_manage_members(person, project),
        "may_open": policy.may_open(person, project),
        "by_right": policy.opens_by_right(person, project),
        "shares": project.owner == person or any(one.person_id == person.id for one in members),
        "roles": list(labels.ROLES_OF_MEMBERS),
        "short_id": short_id(project) if _has_a_namesake(project, person) else "",
        "asking": project.requests.filter(state=memberships.PENDING).select_related("person"),
        "members": members,
        "invited": invitations.of_project(project),
        "components": Line.read(components[:MOST]),
        "components_in_all": components.count(),
        "editor": _editor(project),
        "linking": _under_way(project, projects.LINKING.name),
        "deleting": deletion_of(project),
    }


def _has_a_namesake(project: Project, person: Person) -> bool:
    """Return whether the reader sees another project with the same name."""
    same = visible.projects(person).filter(label=project.label)
    return same.exclude(id=project.id).exists()


def _under_way(project: Project, kind: str) -> Plan | None:
    return Plan.objects.filter(about=str(project.id), kind=kind, state__in=Plan.OPEN).first()


def _editor(project: Project) -> str:
    """Return the address of the project in the ontology editor.

    See docs/explanation/projects.md#links-into-the-editor.
    """
    values = read_settings("ontology_editor").settings
    if (
        not isinstance(values, OntologyEditorSettings)
        or not values.host
        or not project.ontology_project_id
    ):
        return ""
    return project_address(values.host, project.ontology_project_id, values.perspective_id)
