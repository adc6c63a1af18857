"""`/letters`: what people are told by e-mail, with made-up words, and what still waits to
be sent.
"""

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.letters import emails, mail_outbox
from workspace_manager.letters.listings import KINDS
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.lists import ListAsked, chosen
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.pages.translate import Coded, said

router = Router(auth=administrator)

LetterName = Literal[
    "confirm_email",
    "approved",
    "rejected",
    "expires_soon",
    "expired",
    "removal_finished",
    "suspension_ends",
    "access_ends",
    "by_administrator",
    "opened",
    "happened",
    "notice",
    "notice_over",
    "notice_digest",
]
Language = Literal["en", "de"]


class LettersAsked(ListAsked, of=KINDS):
    """Which letters."""


class OneLetterAsked(BaseModel):
    """How one letter is asked for."""

    language: Annotated[Language, describe("The language it is shown in.")] = "en"


class LetterShown(BaseModel):
    """One letter in one language, as it would be sent to somebody who does not exist."""

    name: Annotated[LetterName, describe("Which letter it is.")]
    language: Annotated[Language, describe("The language it is in.")]
    subject: Annotated[str, describe("Its subject.", "Your account is ready")]
    text: Annotated[str, describe("The letter as plain text.", "Hello Dora, you can sign in now.")]
    html: Annotated[
        str, describe("The same with its look.", "<p>Hello Dora, you can sign in now.</p>")
    ]


class OutboxShown(BaseModel):
    """What waits to be sent. `trouble`: why the last try did not work. Nothing but letters waits
    for the mail server.
    """

    waiting: Annotated[int, describe("How many letters wait to be sent.", 2)]
    since: Annotated[When | None, describe("Since when the oldest waits.")]
    attempts: Annotated[int, describe("How often the oldest was tried.", 1)]
    trouble: Annotated[
        str | None, describe("Why the last try did not work.", "The mail server does not answer.")
    ]
    trouble_message: Coded | None = None
    next_try_at: Annotated[When | None, describe("When it is tried again.")]


@router.get("", response=Listed[LetterShown], summary="List the letters, in every language")
def list_(
    request: HttpRequest,  # noqa: ARG001
    window: Query[LettersAsked],
) -> dict[str, Any]:
    """In the order of a life."""
    letters = [_shown(name, code) for name in emails.LETTERS for code in emails.LANGUAGES]
    return chosen(letters, window, KINDS.rows)


@router.get("/outbox", response=OutboxShown, summary="Show what waits to be sent")
def outbox(request: HttpRequest) -> dict[str, Any]:  # noqa: ARG001
    """A mail server that is down delays letters and nothing else."""
    found = mail_outbox.outbox()
    return {
        "waiting": found.waiting,
        "since": in_utc(found.since),
        "attempts": found.attempts,
        **said("trouble", found.trouble),
        "next_try_at": in_utc(found.next_try_at),
    }


@router.get("/{name}", response=LetterShown, summary="Show one letter")
def show(
    request: HttpRequest,  # noqa: ARG001
    name: LetterName,
    window: Query[OneLetterAsked],
) -> dict[str, Any]:
    """In `language`."""
    return _shown(name, window.language)


def _shown(name: str, language: str) -> dict[str, Any]:
    letter = emails.preview(name, language)
    return {
        "name": name,
        "language": language,
        "subject": letter.subject,
        "text": letter.text,
        "html": letter.html,
    }
