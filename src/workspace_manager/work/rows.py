"""Columns of listed things. Values are read instead of objects, which take longer to build than the
query runs; a single thing is read in the same way.
"""

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final

from workspace_manager.records.models import Component, Project, Stack

COLUMNS: Final = {"owner": "owner__username", "project": "project_id"}


def columns(fields: Iterable[str]) -> tuple[str, ...]:
    """Return the database names of these fields."""
    return tuple(COLUMNS.get(one, one) for one in fields)


def values(thing: Project | Component | Stack, fields: Iterable[str]) -> tuple[Any, ...]:
    """Return these fields of one object."""
    return attrgetter(*(one.replace("__", ".") for one in columns(fields)))(thing)
