"""`/snapshots`: copies of the content of components and stacks; only the owner sees them. They are
made under `/components/{id}/snapshots` and `/stacks/{id}/snapshots`.

See docs/explanation/snapshots.md and docs/explanation/permissions.md#the-policy.
"""

import uuid
from typing import Annotated, Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from ninja import Query, Router

from workspace_manager.access import policy
from workspace_manager.contract.member_description import ID, describe
from workspace_manager.core.refusal import Forbidden, Refused
from workspace_manager.records.models import Person, Snapshot
from workspace_manager.snapshots import (
    deletion,
    disclosure,
    in_place_restoration,
    restoration,
    verification,
)
from workspace_manager.snapshots.listings import SNAPSHOTS
from workspace_manager.snapshots.snapshot_views import (
    SnapshotView,
    VerdictView,
    view_snapshot,
    view_snapshots,
    view_verdict,
)
from workspace_manager.snapshots.stack_restoration import restore_as_new_stack
from workspace_manager.snapshots.store_access import refuse_unfinished
from workspace_manager.web.api.auth import (
    person_of,
    refuse_unless_owner,
    shown_a_secret,
    signed_in,
)
from workspace_manager.web.api.inputs import Id, Input, Label
from workspace_manager.web.api.lists import ListAsked, list_page
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.problems import problem
from workspace_manager.web.api.responses import ListPage, Ordered, located, not_offered
from workspace_manager.web.messages import message
from workspace_manager.web.pages import visible as seen
from workspace_manager.web.snapshot_download import ARCHIVE, TYPE, open_download
from workspace_manager.wiring import connected_systems
from workspace_manager.work.component_views import ComponentView, view_component
from workspace_manager.work.stack_views import StackView, view_stack

router = Router(auth=signed_in)

DOWNLOAD: Final[dict[str, Any]] = {
    "responses": {
        status: {
            "description": what,
            "content": {
                media: {"schema": {"type": "string", "format": "binary"}}
                for media in (TYPE, ARCHIVE)
            },
        }
        for status, what in ((200, "All of it."), (206, "The range that was asked for."))
    },
    **says(409, 416, 502),
}


class SnapshotsAsked(ListAsked, of=SNAPSHOTS):
    """Filters and order of the list of snapshots."""


class SnapshotChange(Input):
    """Changes; members left out stay as they are."""

    label: Annotated[
        Label | None, describe("A new name; left out, it stays.", "Before the exam")
    ] = None


class RestoreWanted(Input):
    """The target of a restore."""

    in_place: Annotated[
        bool,
        describe(
            "In place of what is in its component now; else a new component or stack is made.",
            False,
        ),
    ] = False
    label: Annotated[
        Label | None, describe("What the new one is called; as the snapshot.", "Notes again")
    ] = None
    project: Annotated[
        Id | None, describe("The project of the new one (its id); null: for yourself.", ID)
    ] = None


class RestoreOrdered(Ordered):
    """The answer to an ordered restore: its plan makes the component and restores the content."""

    component: Annotated[
        ComponentView | None,
        describe("The new component, ready when it is whole; or the one in place."),
    ] = None
    stack: Annotated[
        StackView | None, describe("Of a stack: the new one, ready when it is whole.")
    ] = None
    snapshot: Annotated[
        SnapshotView | None,
        describe("In place: the snapshot of what was there before, which is kept first."),
    ] = None


@router.get("", response=ListPage[SnapshotView], summary="List snapshots")
def list_(request: HttpRequest, window: Query[SnapshotsAsked]) -> dict[str, Any]:
    """Your own snapshots; administrators and people who administer snapshots see all."""
    return list_page(visible(person_of(request)), window, SNAPSHOTS, view_snapshots)


@router.post("", response={202: Ordered}, summary="Make a snapshot", openapi_extra=says(409))
def create(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """Always refused: make a snapshot under `/components/{id}/snapshots`."""
    raise not_offered(message("making_snapshot"))


@router.get(
    "/{snapshot_id}", response=SnapshotView, summary="Show one snapshot", url_name="snapshot"
)
def show(request: HttpRequest, snapshot_id: uuid.UUID) -> SnapshotView:
    return view_snapshot(visible(person_of(request)).get(id=snapshot_id))


@router.patch(
    "/{snapshot_id}", response=SnapshotView, summary="Change a snapshot", openapi_extra=says(409)
)
def change(request: HttpRequest, snapshot_id: uuid.UUID, body: SnapshotChange) -> SnapshotView:
    """Changes the name."""
    person, snapshot = changed_by(request, snapshot_id)
    if body.label is not None:
        snapshot = deletion.rename(snapshot, body.label, actor=person.username)
    return view_snapshot(snapshot)


@router.delete(
    "/{snapshot_id}", response={202: Ordered}, summary="Delete a snapshot", openapi_extra=says(409)
)
def delete(request: HttpRequest, snapshot_id: uuid.UUID) -> dict[str, Any]:
    """A plan deletes its content first. Afterwards it is not found."""
    person, snapshot = changed_by(request, snapshot_id)
    plan = deletion.delete(snapshot, actor=person.username, systems=connected_systems())
    return {"plan": str(plan.id)}


@router.post(
    "/{snapshot_id}/restore",
    response={202: RestoreOrdered},
    summary="Bring a snapshot back",
    openapi_extra=says(409),
)
def restore(
    request: HttpRequest, response: HttpResponse, snapshot_id: uuid.UUID, body: RestoreWanted
) -> dict[str, Any]:
    """Makes a new component or stack of the snapshot's owner, whoever orders it. In place, it
    replaces the content of the component, after a snapshot of that content was made.
    """
    person, snapshot = changed_by(request, snapshot_id)
    if body.in_place:
        return _in_place(response, snapshot, person)
    project = None
    if body.project:
        project = seen.projects(snapshot.owner).filter(id=body.project).first()
        if project is None:
            raise Refused(message("own_or_shared"))
    label, by, systems = body.label or "", person.username, connected_systems()
    if snapshot.source_type == Snapshot.SourceType.STACK:
        stack, plan = restore_as_new_stack(
            snapshot, label=label, project=project, actor=by, systems=systems
        )
        located(response, "stack", stack_id=stack.id)
        return {"plan": str(plan.id), "stack": view_stack(stack, person)}
    component, plan = restoration.restore_as_new(
        snapshot, label=label, project=project, actor=by, systems=systems
    )
    located(response, "component", component_id=component.id)
    return {"plan": str(plan.id), "component": view_component(component, person)}


def _in_place(response: HttpResponse, snapshot: Snapshot, person: Person) -> dict[str, Any]:
    component, kept, plan = in_place_restoration.restore_in_place(
        snapshot, actor=person.username, systems=connected_systems()
    )
    located(response, "component", component_id=component.id)
    return {
        "plan": str(plan.id),
        "component": view_component(component, person),
        "snapshot": view_snapshot(kept),
    }


@router.post(
    "/{snapshot_id}/verify",
    response=VerdictView,
    summary="Read all of a snapshot",
    openapi_extra=says(409, 502),
)
def verify(request: HttpRequest, snapshot_id: uuid.UUID) -> VerdictView:
    """Tells whether the stored content is still what was written. It takes as long as reading all
    of it.
    """
    _, snapshot = changed_by(request, snapshot_id)
    refuse_unfinished(snapshot)
    return view_verdict(snapshot, verification.verify(snapshot))


@router.get(
    "/{snapshot_id}/content",
    auth=shown_a_secret,
    summary="Download a snapshot",
    openapi_extra=DOWNLOAD,
)
def content(request: HttpRequest, snapshot_id: uuid.UUID) -> HttpResponseBase:
    """The content, decrypted, in zstd's format; of a stack, a tar archive of its parts. Only for
    the owner. Takes ranges.
    """
    person = person_of(request)
    snapshot = visible(person).get(id=snapshot_id)
    if snapshot.owner != person:
        raise Forbidden(message("owner_only"))
    refuse_unfinished(snapshot)
    asked = open_download(snapshot, request.headers.get("Range", ""))
    if asked.is_range and asked.start == asked.stop:
        headers = {"Content-Range": f"bytes */{asked.size}"}
        return problem(416, message("range_outside", count=asked.size), headers=headers)
    disclosure.note_download(snapshot, actor=person.username)
    return asked.answer(snapshot)


def changed_by(request: HttpRequest, snapshot_id: uuid.UUID) -> tuple[Person, Snapshot]:
    """Return the caller, and the snapshot if the caller may change it. Raises DoesNotExist and
    Forbidden.
    """
    person = person_of(request)
    snapshot = visible(person).get(id=snapshot_id)
    refuse_unless_owner(person, snapshot)
    return person, snapshot


def visible(person: Person) -> QuerySet[Snapshot]:
    """Return the snapshots that a person may see."""
    return policy.visible_rows(person, Snapshot)
