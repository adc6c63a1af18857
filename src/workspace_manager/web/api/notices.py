"""`/me/notices`: how somebody is told of what waits for them, by e-mail.

See docs/explanation/notices.md#letters.
"""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Router
from pydantic import BaseModel, Field

from workspace_manager.contract.member_description import describe
from workspace_manager.inbox.called import of_things
from workspace_manager.notices import choices
from workspace_manager.records.models import Person
from workspace_manager.web.api.auth import person_of
from workspace_manager.web.api.inputs import Input, Text
from workspace_manager.web.pages.translate import Coded, said

router = Router()

How = Literal["at_once", "daily", "never"]
Kind = Annotated[Text, Field(max_length=40)]


class NoticeShown(BaseModel):
    """How somebody is told of one kind of thing."""

    kind: Annotated[str, describe("The kind of thing that waits, as in the inbox.", "system_down")]
    label: Annotated[str, describe("What it is called.", "Systems that are down")]
    label_message: Coded
    how: Annotated[How, describe("How the person is told of it.")]
    usual: Annotated[How, describe("How somebody is told who chose nothing.")]


class NoticesShown(BaseModel):
    """How somebody is told of each kind of thing that may wait for them."""

    notices: Annotated[list[NoticeShown], describe("One for each kind.")]


class NoticesTyped(Input):
    """What is chosen; kinds that are not named stay as they are."""

    notices: Annotated[
        dict[Kind, How],
        Field(max_length=100),
        describe("How to be told, by kind.", {"system_down": "never"}),
    ]


@router.get("", response=NoticesShown, summary="Show how one is told of what waits")
def show(request: HttpRequest) -> dict[str, Any]:
    """By e-mail: at once, once a day, or never."""
    return shown(person_of(request))


@router.put("", response=NoticesShown, summary="Choose how to be told of what waits")
def choose(request: HttpRequest, body: NoticesTyped) -> dict[str, Any]:
    """Kinds that are not named stay as they are."""
    choices.choose(person_of(request), body.notices)
    return shown(person_of(request))


def shown(person: Person) -> dict[str, Any]:
    """How one person is told."""
    return {
        "notices": [
            {
                "kind": kind,
                **said("label", of_things(kind)),
                "how": how,
                "usual": choices.default_choice(kind),
            }
            for kind, how in choices.read_choices(person).items()
        ]
    }
