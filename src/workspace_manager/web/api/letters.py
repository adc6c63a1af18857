"""`/letters`: the e-mails people get, with made-up values, and those that still wait to be sent."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import describe
from workspace_manager.letters import mail_outbox
from workspace_manager.letters.letter_views import (
    KINDS,
    Language,
    LetterName,
    LetterView,
    OutboxView,
    view_letter,
    view_letters,
)
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.lists import ListAsked, choose_rows
from workspace_manager.web.api.responses import ListPage

router = Router(auth=administrator)


class LettersAsked(ListAsked, of=KINDS):
    """Filters and order of the list of e-mails."""


class OneLetterAsked(BaseModel):
    """Language of the preview."""

    language: Annotated[Language, describe("The language it is shown in.")] = "en"


@router.get("", response=ListPage[LetterView], summary="List the e-mails in every language")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[LettersAsked],
) -> dict[str, Any]:
    """In the order in which a person gets them."""
    return choose_rows(view_letters(), window, KINDS)


@router.get("/outbox", response=OutboxView, summary="Show what waits to be sent")
def outbox(request: HttpRequest) -> OutboxView:  # noqa: ARG001
    """A mail server that is down delays e-mails and nothing else."""
    return OutboxView.from_row(mail_outbox.outbox())


@router.get("/{name}", response=LetterView, summary="Preview one e-mail")
def show(
    request: HttpRequest,  # noqa: ARG001
    name: LetterName,
    window: Query[OneLetterAsked],
) -> LetterView:
    """In the requested language, with made-up values."""
    return view_letter(name, window.language)
