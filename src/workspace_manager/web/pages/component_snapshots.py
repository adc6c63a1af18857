"""The snapshots of a component, on its page: those that there are, and their schedule."""

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
from workspace_manager.web.pages import deletion_form, visible
from workspace_manager.web.pages.access import person_of
from workspace_manager.web.pages.answers import message_on, on_error
from workspace_manager.wiring import connected_systems

MOST: Final = 10
"""So many are shown there, the newest; the list of snapshots has all."""
KEEP: Final = 7
"""How many are kept where nobody chose."""


class ScheduleForm(forms.Form):
    """How often, and how many are kept."""

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
    """Those the reader may see, and whether the reader may make one."""
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
        **deletion_form.describe(component, person),
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
            # What is no number is refused as one that cannot be kept.
            keep=int(keep) if keep.isascii() and keep.isdigit() and len(keep) < 9 else 0,
            actor=person.username,
            systems=connected_systems(),
        )
    else:
        schedule.end_schedule(component, actor=person.username)
    return HttpResponseRedirect(reverse("component", args=[component.id]) + "#snapshots")
