"""Shared response types. No field is a secret or a hash."""

from typing import Annotated, Any, Generic, TypeVar

from django.http import HttpResponse
from django.urls import reverse
from pydantic import BaseModel

from workspace_manager.contract.member_description import Uuid, describe
from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import Refused
from workspace_manager.web.messages import message

Item = TypeVar("Item")


class ListPage(BaseModel, Generic[Item]):
    """One page of a list, and the total."""

    items: Annotated[list[Item], describe("The asked part of the list.")]
    count: Annotated[int, describe("How many there are in all, whatever part was asked for.", 1)]


class Ordered(BaseModel):
    """A plan was stored and runs by itself."""

    plan: Annotated[Uuid, describe("The plan that does it: watch it under `/plans/{id}`.")]


class ProjectDeletionAsked(BaseModel):
    """Options of a deletion."""

    delete_snapshots: Annotated[
        bool,
        describe(
            "Whether its snapshots are deleted, too. The remarks of the plan name those that "
            "stay and those that are deleted, with their sizes.",
            True,
        ),
    ] = False


class DeletionAsked(ProjectDeletionAsked):
    """Options of a deletion."""

    keep_volumes: Annotated[
        bool,
        describe(
            "Whether the volumes of a knowledge stack stay, for somebody to delete by hand.", True
        ),
    ] = False


def located(response: HttpResponse, route: str, **ids: Any) -> None:
    """Name the address of the new thing in the answer."""
    response.headers["Location"] = reverse(f"api-1:{route}", kwargs=ids)


def not_offered(what: Message) -> Refused:
    """Return the refusal of something that the interface names and this version does not do yet."""
    return Refused(message("not_offered", what=what))
