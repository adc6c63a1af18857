"""Projects of one name, told apart: by whose they are, or else by the beginning of their id.

Nobody is kept from calling two projects the same; a list that shows two equal lines has to say
more.
"""

from collections.abc import Iterable
from uuid import UUID

from workspace_manager.records.models import Component, Project

SHORT = 8


def short_id(project: Project) -> str:
    """The beginning of its address, which its page shows too."""
    return str(project.id)[:SHORT]


def marks(projects: Iterable[Project]) -> dict[UUID, str]:
    """What to say of a project beside its name, of those that have no name of their own here."""
    shown = {project.id: project for project in projects}
    found = {}
    for project in shown.values():
        same = [one for one in shown.values() if one.label == project.label and one != project]
        if any(one.owner_id == project.owner_id for one in same):
            found[project.id] = short_id(project)
        elif same:
            found[project.id] = project.owner.username
    return found


def twins(projects: Iterable[Project]) -> dict[UUID, str]:
    """As `marks`, for a list that says whose each is already."""
    shown = list(projects)
    ids = {project.id: short_id(project) for project in shown}
    return {which: mark for which, mark in marks(shown).items() if mark == ids[which]}


def marks_of(components: Iterable[Component]) -> dict[UUID, str]:
    """What to say of the projects that these components are in."""
    return marks(one.project for one in components if one.project)
