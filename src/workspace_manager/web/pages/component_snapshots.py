"""The snapshots of a component and their schedule, on its page."""

import uuid
from typing import Any, Final

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.access import policy
from workspace_manager.records.models import Component, Person, SnapshotSchedule
from workspace_manager.snapshots import schedule
from workspace_manager.snapshots.snapshot_views import view_schedule, view_snapshots
from workspace_manager.snapshots.sources import keeps_content
from workspace_manager.web.pages import visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, on_error
from workspace_manager.wiring import connected_systems

MOST: Final = 10
"""The number of snapshots shown there, the newest first; the list of snapshots has all."""
KEEP: Final = 7
"""The default number of scheduled snapshots to keep."""


class ScheduleForm(forms.Form):
    """The form of a snapshot schedule."""

    every = forms.ChoiceField(
        label=gettext_lazy("Create a snapshot automatically"),
        required=False,
        choices=(
            ("", gettext_lazy("never")),
            ("day", gettext_lazy("every day")),
            ("week", gettext_lazy("every week")),
        ),
    )
    keep = forms.IntegerField(
        label=gettext_lazy("How many to keep"),
        min_value=1,
        max_value=schedule.MOST_KEPT,
        help_text=gettext_lazy("The oldest automatic snapshot is deleted first."),
    )


def describe(component: Component, person: Person) -> dict[str, Any]:
    """Return the snapshots that the reader may see, and whether the reader may make one."""
    rows = visible.snapshots(person).filter(source_id=component.id).order_by("-created_at")
    count = rows.count()
    may_snapshot = (
        component.state == Component.State.READY
        and keeps_content(component.kind)
        and policy.may_snapshot(person, component)
    )
    row = SnapshotSchedule.objects.filter(component=component).first() if may_snapshot else None
    initial = {"every": row.every, "keep": row.keep} if row else {"keep": KEEP}
    return {
        "snapshots": view_snapshots(list(rows[:MOST])),
        "more_snapshots": max(0, count - MOST),
        "may_snapshot": may_snapshot,
        "schedule": view_schedule(row) if row else None,
        "schedule_form": ScheduleForm(initial=initial),
    }


@on_error(message_on("component", "component_id", anchor="snapshots"))
def set_schedule(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Create, change or end the schedule of a component."""
    person = person_of(request)
    component = visible.component(person, component_id)
    if not policy.may_snapshot(person, component):
        raise PermissionDenied(_("Only the owner of a component can schedule its snapshots."))
    every, keep = (request.POST.get(name, "").strip() for name in ("every", "keep"))
    if every:
        schedule.set_schedule(
            component,
            every=every,
            # Text that is no number gets the error of an impossible number.
            keep=int(keep) if keep.isascii() and keep.isdigit() and len(keep) < 9 else 0,
            actor=person.username,
            systems=connected_systems(),
        )
    else:
        schedule.end_schedule(component, actor=person.username)
    return HttpResponseRedirect(reverse("component", args=[component.id]) + "#snapshots")
