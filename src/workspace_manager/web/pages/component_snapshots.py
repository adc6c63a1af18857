"""The snapshots of a component, on its page."""

from typing import Any, Final

from workspace_manager.access import policy
from workspace_manager.records.models import Component, Person
from workspace_manager.snapshots.snapshot_views import view_snapshots
from workspace_manager.snapshots.sources import keeps_content
from workspace_manager.web.pages import visible

MOST: Final = 10
"""So many are shown there, the newest; the list of snapshots has all."""


def describe(component: Component, person: Person) -> dict[str, Any]:
    """Those the reader may see, and whether the reader may make one."""
    rows = visible.snapshots(person).filter(source_id=component.id).order_by("-created_at")
    count = rows.count()
    return {
        "snapshots": view_snapshots(list(rows[:MOST])),
        "more_snapshots": max(0, count - MOST),
        "may_snapshot": component.state == Component.State.READY
        and keeps_content(component.kind)
        and policy.may_snapshot(person, component),
    }
