"""Views of projects, for REST, pages and the command line."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.views import View
from workspace_manager.records.models import Membership, Project
from workspace_manager.work.rows import columns, values


class Row(NamedTuple):
    """The columns that a view needs."""

    id: UUID
    label: str
    description: str
    owner: str
    default: bool
    ontology_project_id: str
    created_at: datetime


COLUMNS: Final = columns(Row._fields)


class ProjectView(View):
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


def view_project(project: Project) -> ProjectView:
    (view,) = view_projects([values(project, Row._fields)])
    return view


def view_projects(rows: Iterable[Any]) -> list[ProjectView]:
    """Return views; the number of queries does not grow with the rows. `rows`: values of
    `COLUMNS`.
    """
    projects = [Row(*one) for one in rows]
    members: dict[UUID, list[str]] = {project.id: [] for project in projects}
    found = Membership.objects.filter(project__in=list(members))
    for project_id, username in found.values_list("project_id", "person__username"):
        members[project_id].append(username)
    return [
        ProjectView(**project._asdict(), members=sorted(members[project.id]))
        for project in projects
    ]
