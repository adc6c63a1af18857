"""Projects of one name, told apart: by whose they are, or else by the beginning of their id.

Nobody is kept from calling two projects the same; a list that shows two equal lines has to say
more.
"""

from collections import Counter
from collections.abc import Iterable
from uuid import UUID

from workspace_manager.records.models import Component, Project

SHORT = 8


def short_id(project: Project) -> str:
    """The beginning of its address, which its page shows too."""
    return str(project.id)[:SHORT]


def marks(projects: Iterable[Project]) -> dict[UUID, str]:
    """What to say of a project beside its name, of those that have no name of their own here."""
    shown = {project.id: project for project in projects}.values()
    of_name = Counter(one.label for one in shown)
    of_name_and_owner = Counter((one.label, one.owner_id) for one in shown)
    return {
        one.id: short_id(one)
        if of_name_and_owner[one.label, one.owner_id] > 1
        else one.owner.username
        for one in shown
        if of_name[one.label] > 1
    }


def twins(projects: Iterable[Project]) -> dict[UUID, str]:
    """As `marks`, for a list that says whose each is already."""
    shown = list(projects)
    ids = {project.id: short_id(project) for project in shown}
    return {which: mark for which, mark in marks(shown).items() if mark == ids[which]}


def marks_of(components: Iterable[Component]) -> dict[UUID, str]:
    """What to say of the projects that these components are in."""
    return marks(one.project for one in components if one.project)
