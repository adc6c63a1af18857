"""What is read of things that are listed: values, since an object of each and of its owner takes
longer than the database does. A thing that is shown alone is read likewise.
"""

from collections.abc import Iterable
from typing import Any, Final

from workspace_manager.records.models import Component, Project, Stack

OWNER: Final = "owner"
"""The field that is the owner's user name."""


def columns(fields: Iterable[str]) -> tuple[str, ...]:
    """What the database calls these fields."""
    return tuple("owner__username" if one == OWNER else one for one in fields)


def values(thing: Project | Component | Stack, fields: Iterable[str]) -> list[Any]:
    """The same of one thing."""
    return [thing.owner.username if one == OWNER else getattr(thing, one) for one in fields]
