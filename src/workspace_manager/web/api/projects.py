"""`/projects`: where people share things. Members see a project; its owner changes it.

See docs/explanation/permissions.md#the-policy.
"""

import uuid
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import Field

from workspace_manager.accounts.labels import checked_description, checked_label
from workspace_manager.contract.member_description import describe
from workspace_manager.records.models import Project
from workspace_manager.snapshots import source_deletion
from workspace_manager.web.api.auth import person_of, refuse_unless_owner, signed_in
from workspace_manager.web.api.inputs import Input, Label, Text
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import (
    ListPage,
    Ordered,
    ProjectDeletionAsked,
    located,
)
from workspace_manager.web.pages import visible
from workspace_manager.wiring import connected_systems
from workspace_manager.work import projects
from workspace_manager.work.component_lists import PROJECTS
from workspace_manager.work.project_views import COLUMNS, ProjectView, view_project, view_projects

router = Router(auth=signed_in)

LONGEST_DESCRIPTION = 2000
Description = Annotated[Text, Field(max_length=LONGEST_DESCRIPTION)]


class ProjectsAsked(ListAsked, of=PROJECTS):
    """Filters and order of the list of projects."""


class NewProject(Input):
    """A new project."""

    label: Annotated[Label, describe("What people call it.", "Herbarium")]
    description: Annotated[Description, describe("What it is about.", "Plants of the Harz")] = ""


class ProjectChange(Input):
    """Changes; members left out stay as they are."""

    label: Annotated[Label | None, describe("A new name; left out, it stays.", "Herbarium II")] = (
        None
    )
    description: Annotated[
        Description | None, describe("A new description; left out, it stays.", "Plants of the Alps")
    ] = None


@router.get("", response=ListPage[ProjectView], summary="List projects")
def list_(request: HttpRequest, window: Query[ProjectsAsked]) -> dict[str, Any]:
    """Your own projects and those you are a member of; administrators see all."""
    rows = visible.projects(person_of(request)).values_list(*COLUMNS)
    return list_page(rows, window, PROJECTS, view_projects)


@router.post("", response={201: ProjectView}, summary="Create a project")
def create(request: HttpRequest, response: HttpResponse, body: NewProject) -> ProjectView:
    """The project exists at once; a plan makes its ontology project."""
    made = projects.make(
        person_of(request),
        connected_systems(),
        label=checked_label(body.label),
        description=checked_description(body.description),
    )
    located(response, "project", project_id=made.id)
    return view_project(made)


@router.get("/{project_id}", response=ProjectView, summary="Show one project", url_name="project")
def show(request: HttpRequest, project_id: uuid.UUID) -> ProjectView:
    return view_project(find_project(request, project_id))


@router.patch(
    "/{project_id}", response=ProjectView, summary="Change a project", openapi_extra=says(409)
)
def change(request: HttpRequest, project_id: uuid.UUID, body: ProjectChange) -> ProjectView:
    """Changes the label and the description; a plan passes them on to the ontology project."""
    person, project = person_of(request), find_project(request, project_id)
    refuse_unless_owner(person, project)
    changed = projects.change(
        project,
        label=body.label,
        description=body.description,
        actor=person.username,
        systems=connected_systems(),
    )
    return view_project(changed)


@router.delete(
    "/{project_id}", response={202: Ordered}, summary="Delete a project", openapi_extra=says(409)
)
def delete(request: HttpRequest, project_id: uuid.UUID, how: Query[ProjectDeletionAsked]) -> Any:
    """A plan moves the ontology project to the trash and ends memberships; components leave the
    project with their owners. You can have the owner's snapshots of them deleted, too.
    """
    person, project = person_of(request), find_project(request, project_id)
    refuse_unless_owner(person, project)
    plan = source_deletion.delete_project(
        project,
        by=person,
        systems=connected_systems(),
        delete_snapshots=how.delete_snapshots,
    )
    return Status(202, {"plan": str(plan.id)})


def find_project(request: HttpRequest, project_id: uuid.UUID) -> Project:
    """Return the project, if the caller may see it. Raises DoesNotExist."""
    return visible.projects(person_of(request)).get(id=project_id)
