"""`/components/{id}/snapshot-schedule`, and the same of a stack: when snapshots are created
automatically.

See docs/explanation/snapshots.md#schedules.
"""

import uuid
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Router

from workspace_manager.contract.member_description import describe
from workspace_manager.records.models import Component, SnapshotSchedule, Stack
from workspace_manager.snapshots import schedule
from workspace_manager.snapshots.snapshot_views import ScheduleView, view_schedule
from workspace_manager.web.api.auth import person_of, refuse_unless_snapshots, signed_in
from workspace_manager.web.api.components import find_component
from workspace_manager.web.api.inputs import Input
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.stacks import find_stack
from workspace_manager.wiring import connected_systems

router = Router(auth=signed_in)
stack_router = Router(auth=signed_in)
PATH = "/{component_id}/snapshot-schedule"
OF_STACK = "/{stack_id}/snapshot-schedule"


class ScheduleWanted(Input):
    """The interval of a schedule, and the number of snapshots to keep."""

    every: Annotated[Literal["day", "week"], describe("How often.", "day")]
    keep: Annotated[int, describe("How many scheduled snapshots are kept.", 7)]


@router.get(PATH, response=ScheduleView, summary="Show the snapshot schedule of a component")
def show(request: HttpRequest, component_id: uuid.UUID) -> ScheduleView:
    """Answers 404 without a schedule."""
    return _show(request, find_component(request, component_id))


@router.put(
    PATH,
    response=ScheduleView,
    summary="Schedule snapshots of a component",
    openapi_extra=says(409),
)
def put(request: HttpRequest, component_id: uuid.UUID, body: ScheduleWanted) -> ScheduleView:
    """The snapshots belong to the owner of the component. The manager chooses the hour."""
    return _put(request, find_component(request, component_id), body)


@router.delete(PATH, response={204: None}, summary="End the snapshot schedule of a component")
def delete(request: HttpRequest, component_id: uuid.UUID) -> HttpResponse:
    """Existing snapshots stay. Without a schedule, nothing changes."""
    return _delete(request, find_component(request, component_id))


@stack_router.get(OF_STACK, response=ScheduleView, summary="Show the snapshot schedule of a stack")
def show_of_stack(request: HttpRequest, stack_id: uuid.UUID) -> ScheduleView:
    """Answers 404 without a schedule."""
    return _show(request, find_stack(request, stack_id))


@stack_router.put(
    OF_STACK,
    response=ScheduleView,
    summary="Schedule snapshots of a stack",
    openapi_extra=says(409),
)
def put_of_stack(request: HttpRequest, stack_id: uuid.UUID, body: ScheduleWanted) -> ScheduleView:
    """Each snapshot holds all components of the stack, and belongs to its owner. The programs of
    the stack stop while one is created. The manager chooses the hour.
    """
    return _put(request, find_stack(request, stack_id), body)


@stack_router.delete(OF_STACK, response={204: None}, summary="End the snapshot schedule of a stack")
def delete_of_stack(request: HttpRequest, stack_id: uuid.UUID) -> HttpResponse:
    """Existing snapshots stay, and so do the schedules of the components in the stack. Without a
    schedule, nothing changes.
    """
    return _delete(request, find_stack(request, stack_id))


def _show(request: HttpRequest, source: Component | Stack) -> ScheduleView:
    refuse_unless_snapshots(person_of(request), source)
    found = schedule.find_schedule(source)
    if found is None:
        raise SnapshotSchedule.DoesNotExist
    return view_schedule(found)


def _put(request: HttpRequest, source: Component | Stack, body: ScheduleWanted) -> ScheduleView:
    person = person_of(request)
    refuse_unless_snapshots(person, source)
    row = schedule.set_schedule(
        source,
        every=body.every,
        keep=body.keep,
        actor=person.username,
        systems=connected_systems(),
    )
    return view_schedule(row)


def _delete(request: HttpRequest, source: Component | Stack) -> HttpResponse:
    person = person_of(request)
    refuse_unless_snapshots(person, source)
    schedule.end_schedule(source, actor=person.username)
    return HttpResponse(status=204)
