"""`/stacks`: several components that belong together. They are read here; making, changing and
deleting them is not offered yet.
"""

import uuid
from typing import Annotated, Any, Literal

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.contract.described import ID, UserName, Uuid, When, about
from workspace_manager.contract.message import Message
from workspace_manager.core import access
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Person, Stack
from workspace_manager.web.api.auth import (
    person_of,
    refuse_unless_owner,
    refuse_unless_snapshots,
    signed_in,
)
from workspace_manager.web.api.inputs import Id, Input, Label, Name
from workspace_manager.web.api.lists import SORTED, ListAsked, MadeState, each, listed
from workspace_manager.web.api.openapi import says
from workspace_manager.web.api.shown import Listed, Ordered, not_offered
from workspace_manager.web.messages import message
from workspace_manager.work.listed import MADE, told_whose

router = Router(auth=signed_in)


class StacksAsked(ListAsked):
    """Which stacks."""

    state: Annotated[MadeState | None, about("Only stacks that stand so.")] = None
    owner: Annotated[Name | None, about("Only those of this person.", "anna")] = None
    project: Annotated[Id | None, about("Only those of this project (its id).", ID)] = None
    mine: Annotated[
        bool | None, about("Only one’s own; `false`: only what others share with oneself.", True)
    ] = None
    sort: Annotated[
        Literal[
            "created_at",
            "-created_at",
            "label",
            "-label",
            "state",
            "-state",
            "owner",
            "-owner",
        ]
        | None,
        SORTED,
    ] = None


class StackChange(Input):
    """What is to be different."""

    label: Annotated[Label | None, about("A new name; left out, it stays.", "Herbarium stack")] = (
        None
    )


class StackShown(BaseModel):
    """A stack; never a secret."""

    id: Annotated[Uuid, about("The id of the stack.")]
    label: Annotated[str, about("What people call it.", "Herbarium stack")]
    owner: Annotated[UserName, about("Whose it is.")]
    project: Annotated[Uuid | None, about("The project whose members may use it.")]
    state: Annotated[
        str,
        about("How it stands: `creating`, `ready`, `waiting`, `failed` or `deleting`.", "ready"),
    ]
    address: Annotated[
        str,
        about("Where it is opened; empty until it is ready.", "https://stacks.example.org/st-anna"),
    ]
    created_at: Annotated[When, about("When it was made.")]
    mine: Annotated[bool, about("Whether whoever asks owns it.", True)]


@router.get("", response=Listed[StackShown], summary="List stacks")
def list_(request: HttpRequest, window: Query[StacksAsked]) -> dict[str, Any]:
    """One's own, and those of projects one shares; administrators see all."""
    person = person_of(request)
    rows = told_whose(visible(person), person)
    return listed(rows, window, MADE, each(lambda stack: shown(stack, person)))


@router.post("", response={202: Ordered}, summary="Make a stack", openapi_extra=says(409))
def create(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """Not offered yet."""
    raise not_offered(message("making_stack"))


@router.get("/{stack_id}", response=StackShown, summary="Show one stack")
def show(request: HttpRequest, stack_id: uuid.UUID) -> dict[str, Any]:
    person = person_of(request)
    return shown(visible(person).get(id=stack_id), person)


@router.patch("/{stack_id}", response=StackShown, summary="Change a stack", openapi_extra=says(409))
def change(request: HttpRequest, stack_id: uuid.UUID, body: StackChange) -> dict[str, Any]:  # noqa: ARG001
    """The owner's to do. Not offered yet."""
    return _owned(request, stack_id, message("changing_stack"))


@router.delete(
    "/{stack_id}", response={202: Ordered}, summary="Delete a stack", openapi_extra=says(409)
)
def delete(request: HttpRequest, stack_id: uuid.UUID) -> dict[str, Any]:
    """The owner's to do. Not offered yet."""
    return _owned(request, stack_id, message("deleting_stack"))


@router.post(
    "/{stack_id}/snapshots",
    response={202: Ordered},
    summary="Make a snapshot of a stack",
    openapi_extra=says(409),
)
def create_snapshot(request: HttpRequest, stack_id: uuid.UUID) -> dict[str, Any]:
    """The owner's to do. Not offered yet."""
    person = person_of(request)
    refuse_unless_snapshots(person, visible(person).get(id=stack_id))
    raise not_offered(message("making_snapshot"))


def _owned(request: HttpRequest, stack_id: uuid.UUID, what: Message) -> dict[str, Any]:
    person = person_of(request)
    refuse_unless_owner(person, visible(person).get(id=stack_id))
    raise not_offered(what)


def visible(person: Person) -> QuerySet[Stack]:
    """What somebody may see of stacks."""
    return access.visible(person, Stack)


def shown(stack: Stack, reader: Person) -> dict[str, Any]:
    """One stack for somebody who may see it."""
    return {
        "id": str(stack.id),
        "label": stack.label,
        "owner": stack.owner.username,
        "project": str(stack.project_id) if stack.project_id else None,
        "state": stack.state,
        "address": stack.address,
        "created_at": in_utc(stack.created_at),
        "mine": stack.owner_id == reader.id,
    }
