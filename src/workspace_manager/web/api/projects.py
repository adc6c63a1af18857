"""`/projects`: where people share. Members see a project, its owner changes it.

See docs/explanation/permissions.md#the-policy.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status
from pydantic import BaseModel, Field

from workspace_manager.accounts.labels import checked_description, checked_label
from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Membership, Project
from workspace_manager.web.api.auth import person_of, refuse_unless_owner, signed_in
from workspace_manager.web.api.inputs import Input, Label, Text
from workspace_manager.web.api.lists import ListAsked, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.rows import columns, values
from workspace_manager.web.api.shown import Listed, Ordered, located
from workspace_manager.web.pages import visible
from workspace_manager.wiring import connected_systems
from workspace_manager.work import projects
from workspace_manager.work.component_lists import PROJECTS

router = Router(auth=signed_in)

LONGEST_DESCRIPTION = 2000
Description = Annotated[Text, Field(max_length=LONGEST_DESCRIPTION)]


class Row(NamedTuple):
    """What is read of a project that is shown."""

    id: uuid.UUID
    label: str
    description: str
    owner: str
    default: bool
    ontology_project_id: str
    created_at: datetime


COLUMNS: Final = columns(Row._fields)


class ProjectsAsked(ListAsked, of=PROJECTS):
    """Which projects."""


class NewProject(Input):
    """What is asked for a new project."""

    label: Annotated[Label, describe("What people call it.", "Herbarium")]
    description: Annotated[Description, describe("What it is about.", "Plants of the Harz")] = ""


class ProjectChange(Input):
    """What is to be different; what is left out stays."""

    label: Annotated[Label | None, describe("A new name; left out, it stays.", "Herbarium II")] = (
        None
    )
    description: Annotated[
        Description | None, describe("A new description; left out, it stays.", "Plants of the Alps")
    ] = None


class ProjectShown(BaseModel):
    """A project. `ontology_project_id`: empty until the ontology project is made."""

    id: Annotated[Uuid, describe("The id of the project.")]
    label: Annotated[str, describe("What people call it.", "Herbarium")]
    description: Annotated[str, describe("What it is about.", "Plants of the Harz")]
    owner: Annotated[UserName, describe("Who decides about it.")]
    members: Annotated[
        list[UserName], describe("Who uses what it shares; the owner is not among them.")
    ]
    default: Annotated[bool, describe("Whether it is the one its owner was given at first.")]
    ontology_project_id: Annotated[
        str,
        describe(
            "Its ontology project; empty until that is made.",
            "0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11",
        ),
    ]
    created_at: Annotated[When, describe("When it was made.")]


@router.get("", response=Listed[ProjectShown], summary="List projects")
def list_(request: HttpRequest, window: Query[ProjectsAsked]) -> dict[str, Any]:
    """One's own and those one is a member of; administrators see all."""
    rows = visible.projects(person_of(request)).values_list(*COLUMNS)
    return listed(rows, window, PROJECTS, lambda found: all_shown([Row(*one) for one in found]))


@router.post("", response={201: ProjectShown}, summary="Make a project")
def create(request: HttpRequest, response: HttpResponse, body: NewProject) -> dict[str, Any]:
    """The project is there at once; its ontology project follows by itself."""
    made = projects.make(
        person_of(request),
        connected_systems(),
        label=checked_label(body.label),
        description=checked_description(body.description),
    )
    located(response, "project", project_id=made.id)
    return shown(made)


@router.get("/{project_id}", response=ProjectShown, summary="Show one project", url_name="project")
def show(request: HttpRequest, project_id: uuid.UUID) -> dict[str, Any]:
    return shown(found(request, project_id))


@router.patch(
    "/{project_id}", response=ProjectShown, summary="Change a project", openapi_extra=says(409)
)
def change(request: HttpRequest, project_id: uuid.UUID, body: ProjectChange) -> dict[str, Any]:
    """Its name and description; a plan passes them on to the ontology project."""
    person, project = person_of(request), found(request, project_id)
    refuse_unless_owner(person, project)
    changed = projects.change(
        project,
        label=body.label,
        description=body.description,
        actor=person.username,
        systems=connected_systems(),
    )
    return shown(changed)


@router.delete(
    "/{project_id}", response={202: Ordered}, summary="Delete a project", openapi_extra=says(409)
)
def delete(request: HttpRequest, project_id: uuid.UUID) -> Any:
    """By a plan: the ontology project goes to the trash, memberships end, and components leave the
    project with their owners.
    """
    person, project = person_of(request), found(request, project_id)
    refuse_unless_owner(person, project)
    plan = projects.delete(project, actor=person.username, systems=connected_systems())
    return Status(202, {"plan": str(plan.id)})


def found(request: HttpRequest, project_id: uuid.UUID) -> Project:
    """The project, if it is shown to whoever asks. Raises DoesNotExist."""
    return visible.projects(person_of(request)).get(id=project_id)


def shown(project: Project) -> dict[str, Any]:
    """One project for somebody who may see it."""
    (document,) = all_shown([Row(*values(project, Row._fields))])
    return document


def all_shown(projects: Sequence[Row]) -> list[dict[str, Any]]:
    """Each of many, with as many queries as for one."""
    members: dict[uuid.UUID, list[str]] = {project.id: [] for project in projects}
    rows = Membership.objects.filter(project__in=list(members))
    for project_id, username in rows.values_list("project_id", "person__username"):
        members[project_id].append(username)
    return [
        {
            "id": str(project.id),
            "label": project.label,
            "description": project.description,
            "owner": project.owner,
            "members": sorted(members[project.id]),
            "default": project.default,
            "ontology_project_id": project.ontology_project_id,
            "created_at": in_utc(project.created_at),
        }
        for project in projects
    ]
