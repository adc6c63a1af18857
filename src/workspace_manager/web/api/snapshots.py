"""`/snapshots`: frozen copies, seen by their owner alone. They are read here; making and changing
them is not offered yet.
"""

import uuid
from typing import Annotated, Any, Final, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.access import policy
from workspace_manager.contract.member_description import ID, UserName, Uuid, When, describe
from workspace_manager.core.listing import Listing
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Person, Snapshot
from workspace_manager.web.api.auth import person_of, signed_in
from workspace_manager.web.api.inputs import Id, Input, Label, Name
from workspace_manager.web.api.lists import SORTED, ListAsked, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed, Ordered, not_offered
from workspace_manager.web.messages import message

router = Router(auth=signed_in)


LIST: Final = Listing(
    searched=("label", "owner__username"),
    order=("created_at",),
    columns={"owner": "owner__username"},
)


class SnapshotsAsked(ListAsked):
    """Which snapshots."""

    owner: Annotated[Name | None, describe("Only those of this person.", "anna")] = None
    component: Annotated[Id | None, describe("Only those of this component (its id).", ID)] = None
    stack: Annotated[Id | None, describe("Only those of this stack (its id).", ID)] = None
    sort: Annotated[
        Literal["created_at", "-created_at", "label", "-label", "owner", "-owner"] | None, SORTED
    ] = None


class SnapshotChange(Input):
    """What is to be different."""

    label: Annotated[
        Label | None, describe("A new name; left out, it stays.", "Before the exam")
    ] = None


class SnapshotShown(BaseModel):
    """A snapshot of a component or of a stack."""

    id: Annotated[Uuid, describe("The id of the snapshot.")]
    label: Annotated[str, describe("What people call it.", "Monday")]
    owner: Annotated[UserName, describe("Who alone sees it.")]
    component: Annotated[Uuid | None, describe("The component it was made of.")]
    stack: Annotated[Uuid | None, describe("The stack it was made of.")]
    created_at: Annotated[When, describe("When it was made.")]


@router.get("", response=Listed[SnapshotShown], summary="List snapshots")
def list_(request: HttpRequest, window: Query[SnapshotsAsked]) -> dict[str, Any]:
    """One's own; administrators see all."""
    return listed(visible(person_of(request)), window, LIST, each(shown))


@router.post("", response={202: Ordered}, summary="Make a snapshot", openapi_extra=says(409))
def create(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """Snapshots are made where the thing is: `/components/{id}/snapshots`,
    `/stacks/{id}/snapshots`. Not offered yet.
    """
    raise not_offered(message("making_snapshot"))


@router.get("/{snapshot_id}", response=SnapshotShown, summary="Show one snapshot")
def show(request: HttpRequest, snapshot_id: uuid.UUID) -> dict[str, Any]:
    return shown(visible(person_of(request)).get(id=snapshot_id))


@router.patch(
    "/{snapshot_id}", response=SnapshotShown, summary="Change a snapshot", openapi_extra=says(409)
)
def change(request: HttpRequest, snapshot_id: uuid.UUID, body: SnapshotChange) -> dict[str, Any]:  # noqa: ARG001
    """Not offered yet."""
    visible(person_of(request)).get(id=snapshot_id)
    raise not_offered(message("changing_snapshot"))


@router.delete(
    "/{snapshot_id}", response={202: Ordered}, summary="Delete a snapshot", openapi_extra=says(409)
)
def delete(request: HttpRequest, snapshot_id: uuid.UUID) -> dict[str, Any]:
    """Not offered yet."""
    visible(person_of(request)).get(id=snapshot_id)
    raise not_offered(message("deleting_snapshot"))


def visible(person: Person) -> QuerySet[Snapshot]:
    """What somebody may see of snapshots."""
    return policy.visible_rows(person, Snapshot)


def shown(snapshot: Snapshot) -> dict[str, Any]:
    """One snapshot for its owner."""
    return {
        "id": str(snapshot.id),
        "label": snapshot.label,
        "owner": snapshot.owner.username,
        "component": str(snapshot.component_id) if snapshot.component_id else None,
        "stack": str(snapshot.stack_id) if snapshot.stack_id else None,
        "created_at": in_utc(snapshot.created_at),
    }
