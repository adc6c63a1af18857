"""Permissions that administrators give to single people: by name, until a day.

A permission counts from the moment it is given to its end, and nothing has to be done for it to
end. It is its person's alone: whoever is suspended or leaving has none, and a request by an API
token has those that the token was made with (`access/tokens.py`).

See docs/explanation/permissions.md#permissions.
"""

import contextlib
import uuid
from collections.abc import Iterator
from contextvars import ContextVar

from django.db.models import Q, QuerySet

from workspace_manager.core import hold
from workspace_manager.records.models import Permission, Person

_asked: ContextVar[dict[uuid.UUID, frozenset[str]] | None] = ContextVar("asked", default=None)


def has(person: Person, *names: str) -> bool:
    """Return whether somebody may now what one of these permissions lets people do. Administrators
    may all of it.
    """
    if person.is_administrator:
        return person.state == Person.State.ACTIVE
    if not person.is_active or person.state != Person.State.ACTIVE:
        return False
    asked = _asked.get()
    if asked is None:
        return in_force(person).filter(name__in=names).exists()
    if person.pk not in asked:
        asked[person.pk] = frozenset(in_force(person).values_list("name", flat=True))
    return not asked[person.pk].isdisjoint(names)


@contextlib.contextmanager
def asked_once() -> Iterator[None]:
    """Ask once for each person in this block, which only looks: what is given or taken meanwhile
    counts from the next one on.
    """
    token = _asked.set({})
    try:
        yield
    finally:
        _asked.reset(token)


def in_force(person: Person) -> QuerySet[Permission]:
    """The permissions of a person that have not ended, as far as this request goes."""
    found = Permission.objects.filter(not_ended(), person=person)
    return found if person.limited_to is None else found.filter(name__in=person.limited_to)


def not_ended() -> Q:
    """Return which rows count at this moment, whoever has them."""
    return Q(until=None) | Q(until__gt=hold.ends_by())
