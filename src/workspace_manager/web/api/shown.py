"""What the API shows of rows that several resources speak of. No secret and no hash is a field here."""

from typing import Any, Generic, TypeVar

from django.http import HttpResponse
from django.urls import reverse
from pydantic import BaseModel

from workspace_manager.contract.message import Message
from workspace_manager.core.refusal import Refused
from workspace_manager.web.messages import message

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
