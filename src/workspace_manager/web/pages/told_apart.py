"""Projects of one name, told apart: by whose they are, or else by the beginning of their id.

Nobody is kept from calling two projects the same; a list that shows two equal lines has to say
more.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar
from uuid import UUID

from django.db.models import QuerySet

from workspace_manager.records.models import Component, Project

SHORT = 8


class Named(NamedTuple):
    """What tells a project apart, without an object for it and for its owner: of many projects that
    is most of the time.
    """

    id: UUID
    label: str
    owner_id: UUID
    username: str

    @classmethod
    def read(cls, rows: QuerySet[Project]) -> "list[Named]":
        return [cls(*row) for row in rows.values_list(*cls._fields[:3], "owner__username")]


Shown = TypeVar("Shown", Project, Named)


def short_id(project: Project | Named) -> str:
    """The beginning of its address, which its page shows too."""
    return str(project.id)[:SHORT]


def marks(projects: Iterable[Project]) -> dict[UUID, str]:
    """What to say of a project beside its name, of those that have no name of their own here."""
    return _marks(projects, lambda one: one.owner.username)


def marks_of_names(names: Iterable[Named]) -> dict[UUID, str]:
    """As `marks`."""
    return _marks(names, lambda one: one.username)


def _marks(projects: Iterable[Shown], owner_of: Callable[[Shown], str]) -> dict[UUID, str]:
    shown = {project.id: project for project in projects}.values()
    of_name = Counter(one.label for one in shown)
    of_name_and_owner = Counter((one.label, one.owner_id) for one in shown)
    return {
        one.id: short_id(one) if of_name_and_owner[one.label, one.owner_id] > 1 else owner_of(one)
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
