"""What the API shows of rows that several resources speak of. No secret and no hash is a field
here.
"""

from typing import Any, Generic, Literal, TypeVar

from django.http import HttpResponse
from django.urls import reverse
from pydantic import BaseModel

from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import Refused
from workspace_manager.web.messages import message
from workspace_manager.web.pages.translate import Coded, as_text

Item = TypeVar("Item")


class Listed(BaseModel, Generic[Item]):
    """One part of a list, and how many there are in all."""

    items: list[Item]
    count: int


class AccountShown(BaseModel):
    """An account of a person in one system."""

    system: str
    kind: str
    name: str


class Ordered(BaseModel):
    """A plan was stored and runs by itself."""

    plan: str


def located(response: HttpResponse, route: str, **ids: Any) -> None:
    """Say where the thing that was made is."""
    response.headers["Location"] = reverse(f"api-1:{route}", kwargs=ids)


def not_offered(what: Message) -> Refused:
    """The honest answer to what the interface names and this version does not do yet."""
    return Refused(message("not_offered", what=what))


class AnnouncedShown(BaseModel):
    """An administrator was announced under this name; `text` says what that means here."""

    role: Literal["administrator"]
    bound: Literal["name", "sub", "email"]
    sub: str | None
    email: str | None
    until: str
    announced_by: str
    text: str
    text_message: Coded


def announced_in_words(document: dict[str, Any] | None) -> dict[str, Any] | None:
    """An announcement, with its sentence in the reader's words."""
    return document and document | {"text": as_text(document["text_message"])}
