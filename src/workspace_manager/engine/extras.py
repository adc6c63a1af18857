"""The parts of a plan's document that its kind adds, and how messages are shown."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _
from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from workspace_manager.contract.connector import FrozenModel
from workspace_manager.contract.member_description import SystemName, Uuid, When, describe
from workspace_manager.contract.message import Message, Words, quote_words


class CredentialState(TextChoices):
    """The state of a credential of a removed person, the strongest first."""

    ENDED = "ended", _("no longer works")
    ABSENT = "absent", _("not found")
    OPEN = "open", _("still works")
    BY_HAND = "by_hand", _("by hand")
    NOTHING = "nothing", _("none")
    NOT_SHOWN = "not_shown", _("not proven")
    PENDING = "pending", _("not yet")


class MessageView(Message):
    """A message by code and parameters. The English text is its sibling's."""

    english: SkipJsonSchema[str] = Field(default="", exclude=True)


class LateLookView(FrozenModel):
    """The look after the last token has expired."""

    due_at: Annotated[
        When | None, describe("When the last token has expired, and it is looked again.")
    ] = None
    state: Annotated[str, describe("`pending`, `clean`, `removed` or `stuck`.", "pending")] = (
        "pending"
    )
    text: Annotated[str, describe("What the look showed.", "Nothing came back.")] = ""
    text_message: MessageView | None = None


class NotedView(FrozenModel):
    """The comparison of the stored plan with its note in the audit from when it ended."""

    state: Annotated[
        str,
        describe(
            "`open`: it has not ended; `as_noted`; `differs`: somebody changed it in the database; "
            "`not_compared`: it has ended, and stands in a list.",
            "as_noted",
        ),
    ]
    text: Annotated[str, describe("What differs.", "")] = ""
    text_message: MessageView | None = None
    advice: Annotated[str, describe("What a person can do.", "")] = ""
    advice_message: MessageView | None = None


class HeadlineView(FrozenModel):
    """The state of a plan in one sentence, the same at every door."""

    state: Annotated[
        str,
        describe(
            "The plan’s own state; of a removal or suspension that has ended: `done`, `until` (one "
            "token still works for a while), `not_shown`, `by_hand` or `open`, by the worst "
            "line of what the person may have kept.",
            "done",
        ),
    ]
    text: Annotated[str, describe("The sentence.", "anna is out. All 7 steps have ended.")]
    text_message: MessageView | None = None


class LeftAccountView(FrozenModel):
    """An account that a removal did not touch and that is still open."""

    system: Annotated[SystemName, describe("Where it is.")]
    names: Annotated[tuple[str, ...], describe("What it is called there.", ["9eec79f0"])]
    offered: Annotated[
        bool,
        describe("Whether it bears the manager’s own mark, so that a further plan removes it."),
    ]
    plan: Annotated[Uuid | None, describe("The further plan that removes it, once there is one.")]


class CredentialView(FrozenModel):
    """Something a removed person may have kept, and what shows that it no longer works."""

    credential: Annotated[str, describe("Which credential it is.", "refresh_token")]
    label: Annotated[str, describe("What people call it.", "Key of the forge")] = ""
    label_message: MessageView | None = None
    state: Annotated[
        str,
        describe(
            "`ended`, `absent`, `open`, `by_hand`, `nothing`, `not_shown` or `pending`.", "ended"
        ),
    ]
    text: Annotated[
        str,
        describe(
            "What shows that it no longer works.",
            "The identity-provider user is not there any more.",
        ),
    ]
    text_message: MessageView | None = None
    at: Annotated[When | None, describe("When that was seen.")]
    until: Annotated[When | None, describe("Until when it still opens something.")]


class PlanExtras(FrozenModel):
    """The parts of a plan's document that its kind adds to the steps."""

    late_look: LateLookView = LateLookView()
    end_of_access: tuple[CredentialView, ...] = ()
    headline: HeadlineView | None = None
    """What it says when it has ended; None: what every plan says."""
    left_account: LeftAccountView | None = None
    ends_at: datetime | None = None
    """Until when a draft can be confirmed."""
    by_hand: tuple[Message, ...] = ()
    """What is left to a person besides what its steps say."""


def message_view(words: Words | None) -> MessageView | None:
    """A message as a plan shows it; None for none."""
    if not words:
        return None
    told = words if isinstance(words, Message) else quote_words(words)
    # It was checked when it was made.
    return MessageView.model_construct(code=told.code, params=told.params, english=told.english)


def all_said(several: Iterable[Words]) -> tuple[MessageView, ...]:
    """Each of several that was said."""
    return tuple(one for one in map(message_view, several) if one)
