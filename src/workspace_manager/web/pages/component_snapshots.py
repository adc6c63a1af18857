"""The snapshots of a component or a stack, and their schedule, on its page."""

import uuid
from collections.abc import Collection
from typing import Any, Final

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from workspace_manager.access import policy
from workspace_manager.records.models import Component, Person, Stack
from workspace_manager.snapshots import creation, schedule
from workspace_manager.snapshots.snapshot_views import view_schedule, view_snapshots
from workspace_manager.snapshots.sources import keeps_content
from workspace_manager.web.pages import deletion_form, visible
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
    return {
        **_describe(component, person, [component.kind]),
        "create_snapshot_at": reverse("create_snapshot", args=[component.id]),
        "set_schedule_at": reverse("snapshot_schedule", args=[component.id]),
        **deletion_form.describe(component, person),
    }


def describe_stack(stack: Stack, person: Person) -> dict[str, Any]:
    """Return those that the reader may see, and whether the reader may make one of all of it."""
    kinds = set(stack.parts.values_list("kind", flat=True))
    remarks = [_("A snapshot holds all components of the stack.")]
    if Component.Kind.KNOWLEDGE_STACK in kinds:
        remarks.append(_("The programs of the stack stop while a snapshot is created."))
    return {
        **_describe(stack, person, kinds),
        "create_snapshot_at": reverse("create_stack_snapshot", args=[stack.id]),
        "set_schedule_at": reverse("stack_snapshot_schedule", args=[stack.id]),
        "snapshot_remark": " ".join(remarks),
    }


def _describe(source: Component | Stack, person: Person, parts: Collection[str]) -> dict[str, Any]:
    rows = visible.snapshots(person).filter(source_id=source.id).order_by("-created_at")
    row = schedule.find_schedule(source) if policy.may_snapshot(person, source) else None
    initial = {"every": row.every, "keep": row.keep} if row else {"keep": KEEP}
    return {
        "schedule": view_schedule(row) if row else None,
        "schedule_form": ScheduleForm(initial=initial),
        "snapshot_source": source,
        "snapshots": view_snapshots(list(rows[:MOST])),
        "more_snapshots": max(0, rows.count() - MOST),
        "may_snapshot": source.state == Component.State.READY
        and bool(parts)
        and all(map(keeps_content, parts))
        and policy.may_snapshot(person, source),
    }


@on_error(message_on("stack", "stack_id", anchor="snapshots"))
def create_of_stack(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Make one of a whole stack; how far that comes stands on the page of the snapshot."""
    person = person_of(request)
    stack = visible.stack(person, stack_id)
    if not policy.may_snapshot(person, stack):
        raise PermissionDenied(_("Only the owner of a stack can create a snapshot of it."))
    snapshot, _plan = creation.create(
        stack,
        actor=person.username,
        systems=connected_systems(),
        label=request.POST.get("label", "").strip(),
    )
    return HttpResponseRedirect(reverse("snapshot", args=[snapshot.id]))


@on_error(message_on("component", "component_id", anchor="snapshots"))
def set_schedule(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Create, change or end the schedule of a component."""
    person = person_of(request)
    component = visible.component(person, component_id)
    if not policy.may_snapshot(person, component):
        raise PermissionDenied(_("Only the owner of a component can schedule its snapshots."))
    _save_schedule(request, component, person)
    return HttpResponseRedirect(reverse("component", args=[component.id]) + "#snapshots")


@on_error(message_on("stack", "stack_id", anchor="snapshots"))
def set_stack_schedule(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Create, change or end the schedule of a whole stack."""
    person = person_of(request)
    stack = visible.stack(person, stack_id)
    if not policy.may_snapshot(person, stack):
        raise PermissionDenied(_("Only the owner of a stack can schedule its snapshots."))
    _save_schedule(request, stack, person)
    return HttpResponseRedirect(reverse("stack", args=[stack.id]) + "#snapshots")


def _save_schedule(request: HttpRequest, source: Component | Stack, person: Person) -> None:
    every, keep = (request.POST.get(name, "").strip() for name in ("every", "keep"))
    if every:
        schedule.set_schedule(
            source,
            every=every,
            # Text that is no number gets the error of an impossible number.
            keep=int(keep) if keep.isascii() and keep.isdigit() and len(keep) < 9 else 0,
            actor=person.username,
            systems=connected_systems(),
        )
    else:
        schedule.end_schedule(source, actor=person.username)
