"""What the API shows of rows that several resources speak of. No secret and no hash is a field
here.
"""

from typing import Annotated, Any, Generic, Literal, TypeVar

from django.http import HttpResponse
from django.urls import reverse
from pydantic import BaseModel

from workspace_manager.contract.member_description import SystemName, UserName, Uuid, When, describe
from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import Refused
from workspace_manager.web.messages import message
from workspace_manager.web.pages.translate import Coded, as_text

Item = TypeVar("Item")


class Listed(BaseModel, Generic[Item]):
    """One part of a list, and how many there are in all."""

    items: Annotated[list[Item], describe("The asked part of the list.")]
    count: Annotated[int, describe("How many there are in all, whatever part was asked for.", 1)]


class AccountShown(BaseModel):
    """An account of a person in one system."""

    system: Annotated[SystemName, describe("The system the account is in.")]
    kind: Annotated[str, describe("What kind of account it is.", "sql_server.user")]
    name: Annotated[str, describe("What the account is called there.", "anna")]


class Ordered(BaseModel):
    """A plan was stored and runs by itself."""

    plan: Annotated[Uuid, describe("The plan that does it: watch it under `/plans/{id}`.")]


class DeletionAsked(BaseModel):
    """How something is deleted."""

    keep_volumes: Annotated[
        bool,
        describe(
            "Whether the volumes of a knowledge stack stay, for somebody to delete by hand.", True
        ),
    ] = False


def located(response: HttpResponse, route: str, **ids: Any) -> None:
    """Say where the thing that was made is."""
    response.headers["Location"] = reverse(f"api-1:{route}", kwargs=ids)


def not_offered(what: Message) -> Refused:
    """The honest answer to what the interface names and this version does not do yet."""
    return Refused(message("not_offered", what=what))


class AnnouncedShown(BaseModel):
    """An administrator was announced under this name; `text` says what that means here."""

    role: Annotated[Literal["administrator"], describe("The role that was announced.")]
    bound: Annotated[
        Literal["name", "sub", "email"],
        describe("What the announcement is for: an account, a confirmed address, or a name alone."),
    ]
    sub: Annotated[
        str | None,
        describe(
            "The user id at the identity provider it is for.",
            "6c1f7a52-1d0e-4a43-9d0a-7c3f8e1b2a90",
        ),
    ]
    email: Annotated[str | None, describe("The confirmed address it is for.", "anna@example.org")]
    until: Annotated[When, describe("When it ends by itself.")]
    announced_by: Annotated[UserName, describe("Who announced it.")]
    text: Annotated[
        str,
        describe(
            "What that means for this one, in a sentence.",
            "The administrator ada announced anna as an administrator.",
        ),
    ]
    text_message: Coded


def announced_in_words(document: dict[str, Any] | None) -> dict[str, Any] | None:
    """An announcement, with its sentence in the reader's words."""
    return document and document | {"text": as_text(document["text_message"])}
