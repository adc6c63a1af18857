"""The inbox, as the tests read it."""

from datetime import timedelta

from django.utils import timezone

from workspace_manager.inbox import waiting_items
from workspace_manager.inbox.item import Item
from workspace_manager.records.models import Person

LATER = timedelta(minutes=11)
"""So long waits a plan until it is told."""


def waits(person: Person, kind: str, *, after: timedelta = timedelta()) -> list[Item]:
    """What waits of one kind; it is counted as well as it is shown."""
    now = timezone.now() + after
    found = waiting_items.list_items(person, now, kinds=[kind])
    assert found.total == len(found.items) == found.counts.get(kind, 0)
    return found.items


def the_one(person: Person, kind: str, *, after: timedelta = timedelta()) -> Item:
    """The one thing of a kind that waits."""
    (item,) = waits(person, kind, after=after)
    return item
