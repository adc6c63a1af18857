"""Letters as every door shows them and how their lists are asked: every kind in every language, the
letters that a person was sent, and what waits to be sent.
"""

from typing import Annotated, Final, Literal

from workspace_manager.contract.member_description import When, describe
from workspace_manager.core.lists import Choice, ListSpec, Member
from workspace_manager.core.views import SAID, CodedMessage, OptionalText, View, as_data
from workspace_manager.letters import emails
from workspace_manager.letters.emails import LANGUAGES, LETTERS
from workspace_manager.letters.mail_outbox import trouble_of
from workspace_manager.records.models import Mail

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
KINDS: Final = ListSpec(
    "letters_list",
    __file__,
    searched=("name", "subject", "text"),
    order=(),
    members=(
        Member("name", Choice(LETTERS), help="Only this e-mail.", filter="name", order="name"),
        Member(
            "language",
            Choice(LANGUAGES),
            help="Only in this language.",
            filter="language",
            order="language",
        ),
        Member("subject", order="subject"),
    ),
)
"""In no table: each letter in each language."""
SENT: Final = ListSpec(
    "sent_list",
    __file__,
    searched=("subject", "to"),
    order=("-created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("sent_at", order="sent_at"),
        Member("subject", order="subject"),
        Member("kind", Choice(LETTERS), help="Only these.", filter="kind"),
    ),
)


class LetterView(View):
    """One letter in one language, as it would be sent to somebody who does not exist."""

    name: Annotated[LetterName, describe("The kind of e-mail.")]
    language: Annotated[Language, describe("The language it is in.")]
    subject: Annotated[str, describe("Its subject.", "Your account is ready")]
    text: Annotated[
        str, describe(("The e-mail as plain text."), "Hello Dora, you can sign in now.")
    ]
    html: Annotated[
        str, describe("The same with its look.", "<p>Hello Dora, you can sign in now.</p>")
    ]


class OutboxView(View):
    """The letters that wait for the mail server. `trouble`: why the last try failed."""

    waiting: Annotated[int, describe("Number of e-mails that wait to be sent.", 2)]
    since: Annotated[When | None, describe("Since when the oldest is waiting.")]
    attempts: Annotated[int, describe("How often the oldest was tried.", 1)]
    trouble: Annotated[
        str | None,
        SAID,
        describe("Why the last attempt failed.", "The mail server does not answer."),
    ]
    trouble_message: Annotated[CodedMessage | None, as_data("trouble")] = None
    next_try_at: Annotated[When | None, describe("When it is tried again.")]


class SentView(View):
    """One letter to somebody. Its text is not kept once it is out."""

    subject: Annotated[str, describe("Its subject.", "The drive does not answer.")]
    kind: Annotated[OptionalText, describe("The kind of e-mail.", "notice")]
    to: Annotated[str, describe("The address it is to.", "anna@example.org")]
    created_at: Annotated[When, describe("When it was written.")]
    sent_at: Annotated[When | None, describe("When it was handed to the mail server.")]
    attempts: Annotated[int, describe("How often that was tried.", 1)]
    trouble: Annotated[
        str | None,
        SAID,
        describe("Why the last attempt failed.", "The mail server does not answer."),
    ]
    trouble_message: Annotated[CodedMessage | None, as_data("trouble")] = None
    next_try_at: Annotated[When | None, describe("When it is tried again.")]


def view_letter(name: str, language: str) -> LetterView:
    """One letter in one language."""
    return LetterView.from_row(emails.preview(name, language), name=name, language=language)


def view_letters() -> list[LetterView]:
    """Every letter in every language."""
    return [view_letter(name, language) for name in LETTERS for language in LANGUAGES]


def view_sent(row: Mail) -> SentView:
    """One letter to somebody."""
    more = {"next_try_at": None} if row.sent_at else {}
    return SentView.from_row(row, trouble=trouble_of(row), **more)
