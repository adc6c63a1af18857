"""`/components`: databases, repositories and knowledge stacks, made and deleted by plans.

See docs/explanation/components.md#kinds and docs/explanation/permissions.md#the-policy.
"""

import uuid
from functools import partial
from typing import Annotated, Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Status

from workspace_manager.accounts import public_read
from workspace_manager.contract.member_description import ID, describe
from workspace_manager.core.refusal import BadInput
from workspace_manager.knowledge_stacks.stack_choice import StackRequest
from workspace_manager.records.models import Component, Person
from workspace_manager.snapshots import creation, source_deletion
from workspace_manager.snapshots.snapshot_views import SnapshotView, view_snapshot
from workspace_manager.web.api import component_access, component_upload
from workspace_manager.web.api.auth import (
    person_of,
    refuse_unless_owner,
    refuse_unless_snapshots,
    signed_in,
)
from workspace_manager.web.api.chosen_project import own_or_shared
from workspace_manager.web.api.component_access import AccessView
from workspace_manager.web.api.component_upload import PartKind
from workspace_manager.web.api.inputs import Id, Input, Label, Name, Parameters, ReasonToOpen
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.responses import (
    DeletionAsked,
    ListPage,
    Ordered,
    located,
)
from workspace_manager.web.messages import message
from workspace_manager.web.pages import visible
from workspace_manager.web.uploads import is_upload
from workspace_manager.wiring import connected_systems
from workspace_manager.work import components, step_retry
from workspace_manager.work.component_lists import COMPONENTS, told_whose
from workspace_manager.work.component_views import (
    COLUMNS,
    ComponentView,
    Kind,
    view_component,
    view_components,
)

router = Router(auth=signed_in)


class ComponentsAsked(ListAsked, of=COMPONENTS):
    """Filters and order of the list of components."""


class NewComponent(Input):
    """A new component. `project`: its members see it; without one, only the owner does."""

    kind: Annotated[Kind, describe("What is to be made.")]
    label: Annotated[Label, describe("What people call it.", "Notes")]
    project: Annotated[
        Id | None,
        describe("The project whose members may use it (its id); null: for yourself.", ID),
    ] = None
    template: Annotated[
        Name | None, describe("Of a knowledge stack: the template it is made from.", "herbarium")
    ] = None
    parameters: Annotated[
        Parameters,
        describe("Of a knowledge stack: what its template asks for, by name.", {"TITLE": "Ferns"}),
    ] = {}  # pydantic copies it
    uses: Annotated[
        dict[PartKind, Id],
        describe(
            "Of a knowledge stack: one’s own component (its id) for each that its template needs.",
            {"sql_database": ID},
        ),
    ] = {}


class ComponentChange(Input):
    """Changes; members left out stay as they are. `project` null: out of its project."""

    label: Annotated[Label | None, describe("A new name; left out, it stays.", "Field notes")] = (
        None
    )
    project: Annotated[
        Id | None, describe("Another project (its id); null: for yourself. Left out, it stays.", ID)
    ] = None
    public_read: Annotated[
        bool | None,
        describe(
            "Whether everybody may read it without signing in: of a repository, by a plan. Look at "
            "`/components/{id}/public-read` before. Left out, it stays.",
            True,
        ),
    ] = None
    reason: ReasonToOpen = ""


class ComponentOfReader(ComponentView):
    """A component, and the caller's access to it."""

    access: Annotated[AccessView, describe("What you may do with it, and why.")]


class NewSnapshot(Input):
    """A snapshot of its present content."""

    label: Annotated[
        Label | None, describe("What it is called; as the component.", "Before the exam")
    ] = None


class SnapshotOrdered(Ordered):
    """The answer to an ordered snapshot. Its plan runs by itself."""

    snapshot: Annotated[SnapshotView, describe("The snapshot as it stands now.")]


class ComponentOrdered(Ordered):
    """The answer to an ordered creation or deletion. Its plan runs by itself."""

    component: Annotated[ComponentView, describe("The component as it stands now.")]


@router.get("", response=ListPage[ComponentView], summary="List components")
def list_(request: HttpRequest, window: Query[ComponentsAsked]) -> dict[str, Any]:
    """Your own components and those of your projects; administrators see all."""
    person = person_of(request)
    rows = told_whose(visible.components(person), person).values_list(*COLUMNS)
    return list_page(rows, window, COMPONENTS, partial(view_components, reader=person))


@router.post(
    "",
    response={202: ComponentOrdered},
    summary="Make a component",
    openapi_extra={**says(409, 502), **component_upload.DOCUMENTED},
)
@component_upload.takes_form
def create(request: HttpRequest, response: HttpResponse, body: NewComponent) -> dict[str, Any]:
    """The names are reserved at once. A plan makes the rest; watch it under `/plans`. A form brings
    a file, which becomes a snapshot of yours, and the content of the component.
    """
    person = person_of(request)
    if is_upload(request):
        component, plan = component_upload.create(request, person)
    else:
        component, plan = components.create(
            person,
            kind=body.kind,
            label=body.label,
            project=own_or_shared(person, body.project) if body.project else None,
            systems=connected_systems(),
            wanted=_stack_request(body),
        )
    located(response, "component", component_id=component.id)
    return {"plan": str(plan.id), "component": view_component(component, person)}


def _stack_request(body: NewComponent) -> StackRequest | None:
    uses = {str(kind): component for kind, component in body.uses.items()}
    if not (body.template or body.parameters or uses):
        return None
    return StackRequest(body.template or "", body.parameters, uses)


@router.get(
    "/{component_id}",
    response=ComponentOfReader,
    summary="Show one component",
    url_name="component",
)
def show(request: HttpRequest, component_id: uuid.UUID) -> ComponentOfReader:
    person, component = person_of(request), find_component(request, component_id)
    view, access = view_component(component, person), component_access.find(person, component)
    return ComponentOfReader.model_construct(**vars(view), access=access)


@router.patch(
    "/{component_id}",
    response={200: ComponentView, 202: ComponentOrdered},
    summary="Change a component",
    openapi_extra=says(409, 502, 503),
)
def change(request: HttpRequest, component_id: uuid.UUID, body: ComponentChange) -> Any:
    """Changes the label, the project, and whether everybody may read it. A plan does the last one:
    the answer is then 202. The name in its system never changes.
    """
    person, component = person_of(request), find_component(request, component_id)
    refuse_unless_owner(person, component)
    if body.public_read is not None:
        return _switched(person, component, body)
    with transaction.atomic():  # Both or neither. The move comes first: it takes more locks.
        if "project" in body.model_fields_set:
            project = own_or_shared(component.owner, body.project) if body.project else None
            components.move(
                component, project, by=person, systems=connected_systems(), reason=body.reason
            )
        if body.label is not None:
            component = components.rename(component, body.label, actor=person.username)
    return view_component(component, person)


def _switched(person: Person, component: Component, body: ComponentChange) -> Any:
    """Switch public access in a request of its own: other changes must not depend on the store."""
    if body.model_fields_set - {"public_read", "reason"}:
        raise BadInput({"public_read": message("change_it_by_itself")})
    plan = public_read.switch(
        component,
        on=bool(body.public_read),
        by=person,
        systems=connected_systems(),
        reason=body.reason,
    )
    if plan is None:
        return view_component(component, person)
    return Status(202, {"plan": str(plan.id), "component": view_component(_now(component), person)})


def _now(component: Component) -> Component:
    """Return the component as it is now, or as it was before a quick worker deleted it."""
    return Component.objects.filter(id=component.id).first() or component


@router.delete(
    "/{component_id}",
    response={202: ComponentOrdered},
    summary="Delete a component",
    openapi_extra=says(409),
)
def delete(
    request: HttpRequest, component_id: uuid.UUID, how: Query[DeletionAsked]
) -> dict[str, Any]:
    """A plan deletes it with its content. Its snapshots stay unless you ask for their deletion."""
    person, component = person_of(request), find_component(request, component_id)
    refuse_unless_owner(person, component)
    plan = source_deletion.delete_component(
        component,
        by=person,
        systems=connected_systems(),
        keep_volumes=how.keep_volumes,
        delete_snapshots=how.delete_snapshots,
    )
    return {"plan": str(plan.id), "component": view_component(_now(component), person)}


@router.post(
    "/{component_id}/retry",
    response={202: ComponentOrdered},
    summary="Try again what is stuck on a component",
    openapi_extra=says(409),
)
def retry(request: HttpRequest, component_id: uuid.UUID) -> dict[str, Any]:
    """Retries every stuck or waiting step of its creation, its deletion or its publication. Skips
    nothing, and calls no paused system.
    """
    person, component = person_of(request), find_component(request, component_id)
    refuse_unless_owner(person, component)
    plan = step_retry.retry(component, actor=person.username)
    return {"plan": str(plan.id), "component": view_component(component, person)}


@router.post(
    "/{component_id}/snapshots",
    response={202: SnapshotOrdered},
    summary="Make a snapshot of a component",
    openapi_extra=says(409),
)
def create_snapshot(
    request: HttpRequest,
    response: HttpResponse,
    component_id: uuid.UUID,
    body: NewSnapshot | None = None,
) -> dict[str, Any]:
    """For the owner, who also owns the snapshot."""
    person, component = person_of(request), find_component(request, component_id)
    refuse_unless_snapshots(person, component)
    snapshot, plan = creation.create(
        component,
        actor=person.username,
        systems=connected_systems(),
        label=(body.label if body else None) or "",
    )
    located(response, "snapshot", snapshot_id=snapshot.id)
    return {"plan": str(plan.id), "snapshot": view_snapshot(snapshot)}


def find_component(request: HttpRequest, component_id: uuid.UUID) -> Component:
    """Return the component, if the caller may see it. Raises DoesNotExist."""
    return visible.components(person_of(request)).get(id=component_id)
