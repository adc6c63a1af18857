"""Rows of lists of components and stacks, read as values: objects with their owners and projects
take longer to build than the query takes to run.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self
from uuid import UUID

from django.db.models import Model, QuerySet

from workspace_manager.records.models import Component
from workspace_manager.web.pages.project_names import ProjectName, marks
from workspace_manager.work.component_lists import Progress, progress_of
from workspace_manager.work.component_systems import state_for_people, system_states

BESIDES: Final[Mapping[type[Model], tuple[str, ...]]] = {
    Component: ("kind", "public_read", "stack_id")
}
"""Additional columns of some rows."""


@dataclass(slots=True)
class Line:
    """A component or a stack; a stack has no kind and belongs to no stack. `mark`: tells its
    project apart from others with the same name; `progress`: of the plan that works on it.
    """

    id: UUID
    label: str
    state: str
    owner: str
    project_id: UUID | None
    project: str | None
    project_owner: str | None
    kind: str = ""
    public_read: bool = False
    stack_id: UUID | None = None
    mark: str = ""
    progress: Progress | None = None

    COLUMNS: ClassVar = (
        "id",
        "label",
        "state",
        "owner__username",
        "project_id",
        "project__label",
        "project__owner__username",
    )

    @classmethod
    def read(cls, rows: QuerySet[Any]) -> list[Self]:
        """Return components or stacks, in their order."""
        columns = (*cls.COLUMNS, *BESIDES.get(rows.model, ()))
        return [cls(*row) for row in rows.values_list(*columns)]


def tell_apart(lines: Iterable[Line]) -> None:
    """Set the mark of each project whose name occurs more than once."""
    there = list(lines)
    known = marks(
        ProjectName(str(one.project_id), one.project or "", one.project_owner or "")
        for one in there
        if one.project_id
    )
    for one in there:
        if one.project_id:
            one.mark = known.get(str(one.project_id), "")


def follow(lines: Sequence[Line]) -> None:
    """Set the progress of each row's plan, and the state of its system."""
    progress, there = progress_of(lines), system_states(one.kind for one in lines)
    for one in lines:
        one.progress = progress.get(one.id)
        one.state = state_for_people(one.kind, one.state, there)
