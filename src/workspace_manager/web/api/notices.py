"""`/me/notices`: how you are told by e-mail of what waits for you.

See docs/explanation/notices.md#e-mails.
"""

from typing import Annotated

from django.http import HttpRequest
from ninja import Router
from pydantic import Field

from workspace_manager.contract.member_description import describe
from workspace_manager.notices import choices
from workspace_manager.notices.choices import HowName, NoticesView, view_notices
from workspace_manager.web.api.auth import person_of
from workspace_manager.web.api.inputs import Input, Text

router = Router()

Kind = Annotated[Text, Field(max_length=40)]


class NoticesTyped(Input):
    """Choices; kinds that are not named stay as they are."""

    notices: Annotated[
        dict[Kind, HowName],
        Field(max_length=100),
        describe("How to be told, by kind.", {"system_down": "never"}),
    ]


@router.get("", response=NoticesView, summary="Show how one is told of what waits")
def show(request: HttpRequest) -> NoticesView:
    """By e-mail: at once, once a day, or never."""
    return view_notices(person_of(request))


@router.put("", response=NoticesView, summary="Choose how to be told of what waits")
def choose(request: HttpRequest, body: NoticesTyped) -> NoticesView:
    """Kinds that are not named stay as they are."""
    choices.choose(person_of(request), body.notices)
    return view_notices(person_of(request))
