"""`/people/{username}/letters`: what somebody was told by e-mail, and whether it went out, for
administrators.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel

from workspace_manager.contract.member_description import When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.letters import mail_outbox
from workspace_manager.letters.listings import SENT
from workspace_manager.records.models import Mail, Person
from workspace_manager.web.api.auth import administrator
from workspace_manager.web.api.inputs import Name
from workspace_manager.web.api.lists import ListAsked, listed
from workspace_manager.web.api.shown import Listed
from workspace_manager.web.pages.translate import Coded, said

router = Router(auth=administrator)


class SentAsked(ListAsked, of=SENT):
    """Which letters."""


class SentShown(BaseModel):
    """One letter to somebody. Its text is not kept once it is out."""

    subject: Annotated[str, describe("Its subject.", "The drive is down.")]
    kind: Annotated[str | None, describe("Which letter it is.", "notice")]
    to: Annotated[str, describe("The address it is to.", "anna@example.org")]
    created_at: Annotated[When, describe("When it was written.")]
    sent_at: Annotated[When | None, describe("When it was handed to the mail server.")]
    attempts: Annotated[int, describe("How often that was tried.", 1)]
    trouble: Annotated[
        str | None, describe("Why the last try did not work.", "The mail server does not answer.")
    ]
    trouble_message: Coded | None = None
    next_try_at: Annotated[When | None, describe("When it is tried again.")]


@router.get(
    "/{username}/letters", response=Listed[SentShown], summary="List the letters to somebody"
)
def list_(
    request: HttpRequest,  # noqa: ARG001
    username: Name,
    window: Query[SentAsked],
) -> dict[str, Any]:
    """Newest first. That one went out says nothing of whether it was read."""
    person = Person.objects.get(username=username)
    return listed(mail_outbox.to_person(person), window, SENT, _all_shown)


def _all_shown(rows: Sequence[Mail]) -> list[dict[str, Any]]:
    return [
        {
            "subject": row.subject,
            "kind": row.kind or None,
            "to": row.to,
            "created_at": in_utc(row.created_at),
            "sent_at": in_utc(row.sent_at),
            "attempts": row.attempts,
            **said("trouble", mail_outbox.trouble_of(row)),
            "next_try_at": None if row.sent_at else in_utc(row.next_try_at),
        }
        for row in rows
    ]
