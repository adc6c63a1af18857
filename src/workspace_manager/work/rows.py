"""What is read of things that are listed: values, since an object of each and of its owner takes
longer than the database does. A thing that is shown alone is read likewise.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final

from workspace_manager.records.models import Component, Project, Stack

COLUMNS: Final = {"owner": "owner__username", "project": "project_id"}


def columns(fields: Iterable[str]) -> tuple[str, ...]:
    """What the database calls these fields."""
    return tuple(COLUMNS.get(one, one) for one in fields)


def values(thing: Project | Component | Stack, fields: Iterable[str]) -> tuple[Any, ...]:
    """The same of one thing."""
    return attrgetter(*(one.replace("__", ".") for one in columns(fields)))(thing)
