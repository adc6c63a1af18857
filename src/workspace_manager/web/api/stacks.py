"""`/stacks`: several components that are made, shared and deleted together.

See docs/explanation/components.md#stacks.
"""

import uuid
from functools import partial
from typing import Annotated, Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from workspace_manager.access import policy
from workspace_manager.contract.member_description import ID, describe
from workspace_manager.knowledge_stacks.stack_choice import StackRequest
from workspace_manager.records.models import Person, Stack
from workspace_manager.snapshots import creation, source_deletion
from workspace_manager.snapshots.snapshot_views import view_snapshot
from workspace_manager.web.api.auth import (
    person_of,
    refuse_unless_owner,
    refuse_unless_snapshots,
    signed_in,
)
from workspace_manager.web.api.chosen_project import own_or_shared
from workspace_manager.web.api.components import NewSnapshot, SnapshotOrdered
from workspace_manager.web.api.inputs import Id, Input, Label, Name, Parameters, ReasonToOpen
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import (
    DeletionAsked,
    ListPage,
    Ordered,
    located,
)
from workspace_manager.wiring import connected_systems
from workspace_manager.work import stacks, step_retry
from workspace_manager.work.component_lists import STACKS, told_whose
from workspace_manager.work.stack_views import COLUMNS, StackView, view_stack, view_stacks

router = Router(auth=signed_in)


class StacksAsked(ListAsked, of=STACKS):
    """Filters and order of the list of stacks."""


class NewStack(Input):
    """A new stack. Without a template: a database and a repository."""

    label: Annotated[Label, describe("What people call it.", "Herbarium stack")]
    project: Annotated[
        Id | None,
        describe("The project whose members may use it (its id); null: for yourself.", ID),
    ] = None
    template: Annotated[
        Name | None,
        describe(
            "What the knowledge stack in it is made from; it says what else it needs.", "herbarium"
        ),
    ] = None
    parameters: Annotated[
        Parameters, describe("What the template asks for, by name.", {"TITLE": "Ferns"})
    ] = {}  # pydantic copies it


class StackChange(Input):
    """Changes; members left out stay as they are. `project` null: out of its project."""

    label: Annotated[
        Label | None, describe("A new name; left out, it stays.", "Herbarium stack")
    ] = None
    project: Annotated[
        Id | None, describe("Another project (its id); null: for yourself. Left out, it stays.", ID)
    ] = None
    reason: ReasonToOpen = ""


class StackOrdered(Ordered):
    """The answer to an ordered creation or deletion. Its plan runs by itself."""

    stack: Annotated[StackView, describe("The stack as it stands now.")]


@router.get("", response=ListPage[StackView], summary="List stacks")
def list_(request: HttpRequest, window: Query[StacksAsked]) -> dict[str, Any]:
    """Your own stacks and those of your projects; administrators see all."""
    person = person_of(request)
    rows = told_whose(visible(person), person).values_list(*COLUMNS)
    return list_page(rows, window, STACKS, partial(view_stacks, reader=person))


@router.post("", response={202: StackOrdered}, summary="Make a stack", openapi_extra=says(409))
def create(request: HttpRequest, response: HttpResponse, body: NewStack) -> dict[str, Any]:
    """One plan makes all parts. Names are reserved at once."""
    person = person_of(request)
    project = own_or_shared(person, body.project) if body.project else None
    stack, plan = stacks.create(
        person,
        label=body.label,
        project=project,
        wanted=StackRequest(body.template, body.parameters) if body.template else None,
        systems=connected_systems(),
    )
    located(response, "stack", stack_id=stack.id)
    return {"plan": str(plan.id), "stack": view_stack(stack, person)}


@router.get("/{stack_id}", response=StackView, summary="Show one stack", url_name="stack")
def show(request: HttpRequest, stack_id: uuid.UUID) -> StackView:
    person = person_of(request)
    return view_stack(find_stack(request, stack_id), person)


@router.patch("/{stack_id}", response=StackView, summary="Change a stack", openapi_extra=says(409))
def change(request: HttpRequest, stack_id: uuid.UUID, body: StackChange) -> StackView:
    """Changes its label, and the project of the stack and its parts."""
    person, stack = person_of(request), _owned(request, stack_id)
    with transaction.atomic():  # Both or neither. The move comes first: it takes more locks.
        if "project" in body.model_fields_set:
            project = own_or_shared(stack.owner, body.project) if body.project else None
            stacks.move(stack, project, by=person, systems=connected_systems(), reason=body.reason)
        if body.label is not None:
            stack = stacks.rename(stack, body.label, actor=person.username)
    return view_stack(stack, person)


@router.delete(
    "/{stack_id}", response={202: StackOrdered}, summary="Delete a stack", openapi_extra=says(409)
)
def delete(request: HttpRequest, stack_id: uuid.UUID, how: Query[DeletionAsked]) -> dict[str, Any]:
    """One plan deletes all parts with their content. Snapshots stay unless you ask for their
    deletion.
    """
    person, stack = person_of(request), _owned(request, stack_id)
    plan = source_deletion.delete_stack(
        stack,
        by=person,
        systems=connected_systems(),
        keep_volumes=how.keep_volumes,
        delete_snapshots=how.delete_snapshots,
    )
    return {"plan": str(plan.id), "stack": view_stack(stack, person)}


@router.post(
    "/{stack_id}/retry",
    response={202: StackOrdered},
    summary="Try again what is stuck on a stack",
    openapi_extra=says(409),
)
def retry(request: HttpRequest, stack_id: uuid.UUID) -> dict[str, Any]:
    """Retries every stuck or waiting step of its creation or deletion. Skips nothing, and calls no
    paused system.
    """
    person, stack = person_of(request), _owned(request, stack_id)
    plan = step_retry.retry(stack, actor=person.username)
    return {"plan": str(plan.id), "stack": view_stack(stack, person)}


@router.post(
    "/{stack_id}/snapshots",
    response={202: SnapshotOrdered},
    summary="Make a snapshot of a stack",
    openapi_extra=says(409),
)
def create_snapshot(
    request: HttpRequest,
    response: HttpResponse,
    stack_id: uuid.UUID,
    body: NewSnapshot | None = None,
) -> dict[str, Any]:
    """Makes one snapshot of all parts, for the owner, who also owns the snapshot. The programs of
    the stack stop meanwhile.
    """
    person, stack = person_of(request), find_stack(request, stack_id)
    refuse_unless_snapshots(person, stack)
    snapshot, plan = creation.create(
        stack,
        actor=person.username,
        systems=connected_systems(),
        label=(body.label if body else None) or "",
    )
    located(response, "snapshot", snapshot_id=snapshot.id)
    return {"plan": str(plan.id), "snapshot": view_snapshot(snapshot)}


def _owned(request: HttpRequest, stack_id: uuid.UUID) -> Stack:
    """Return the stack, if the caller may change it. Raises DoesNotExist and Forbidden."""
    stack = find_stack(request, stack_id)
    refuse_unless_owner(person_of(request), stack)
    return stack


def find_stack(request: HttpRequest, stack_id: uuid.UUID) -> Stack:
    """Return the stack, if the caller may see it. Raises DoesNotExist."""
    return visible(person_of(request)).get(id=stack_id)


def visible(person: Person) -> QuerySet[Stack]:
    """Return the stacks that a person may see."""
    return policy.visible_rows(person, Stack)
