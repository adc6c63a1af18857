"""`/components/{id}/snapshot-schedule`: when snapshots of a component are created automatically.

See docs/explanation/snapshots.md#schedules.
"""

import uuid
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Router

from workspace_manager.contract.member_description import describe
from workspace_manager.records.models import Component, Person, SnapshotSchedule
from workspace_manager.snapshots import schedule
from workspace_manager.snapshots.snapshot_views import ScheduleView, view_schedule
from workspace_manager.web.api.auth import person_of, refuse_unless_snapshots, signed_in
from workspace_manager.web.api.components import find_component
from workspace_manager.web.api.inputs import Input
from workspace_manager.web.api.openapi import says
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)
PATH = "/{component_id}/snapshot-schedule"


class ScheduleWanted(Input):
    """The interval of a schedule, and the number of snapshots to keep."""

    every: Annotated[Literal["day", "week"], describe("How often.", "day")]
    keep: Annotated[int, describe("How many scheduled snapshots are kept.", 7)]


@router.get(PATH, response=ScheduleView, summary="Show the snapshot schedule of a component")
def show(request: HttpRequest, component_id: uuid.UUID) -> ScheduleView:
    """Answers 404 without a schedule."""
    _, component = _scheduled_by(request, component_id)
    return view_schedule(SnapshotSchedule.objects.get(component=component))


@router.put(
    PATH,
    response=ScheduleView,
    summary="Schedule snapshots of a component",
    openapi_extra=says(409),
)
def put(request: HttpRequest, component_id: uuid.UUID, body: ScheduleWanted) -> ScheduleView:
    """The snapshots belong to the owner of the component. The manager chooses the hour."""
    person, component = _scheduled_by(request, component_id)
    row = schedule.set_schedule(
        component,
        every=body.every,
        keep=body.keep,
        actor=person.username,
        systems=connected_systems(),
    )
    return view_schedule(row)


@router.delete(PATH, response={204: None}, summary="End the snapshot schedule of a component")
def delete(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Existing snapshots stay. Without a schedule, nothing changes."""
    person, component = _scheduled_by(request, component_id)
    schedule.end_schedule(component, actor=person.username)
    return HttpResponse(status=204)


def _scheduled_by(request: HttpRequest, component_id: uuid.UUID) -> tuple[Person, Component]:
    person, component = person_of(request), find_component(request, component_id)
    refuse_unless_snapshots(person, component)
    return person, component
