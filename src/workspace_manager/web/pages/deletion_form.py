"""The part of a deletion's form that asks what becomes of the snapshots."""

from typing import Any

from django.db.models import Count, Sum

from workspace_manager.records.models import Person
from workspace_manager.snapshots.source_deletion import find_snapshots, may_delete
from workspace_manager.work.snapshot_end import Source


def describe(source: Source, person: Person) -> dict[str, Any]:
    """Return the number of snapshots, their size, and whether the person may delete them."""
    found = find_snapshots(source).exclude(consistent=None)
    return {
        "may_delete_snapshots": may_delete(person, list(found[:1])),
        **found.aggregate(kept_snapshots=Count("id"), kept_bytes=Sum("bytes")),
    }
