"""One item of an inbox."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from workspace_manager.contract.member_description import When, describe
from workspace_manager.contract.message import Message
from workspace_manager.core.views import SAID, CodedMessage, View, as_data


@dataclass(frozen=True)
class Action:
    """An action on an item: the text of a button, and the page of the manager that it leads to."""

    label: Message
    address: str


@dataclass(frozen=True)
class ItemKey:
    """The kind, the subject and the start of an item: enough to know whether somebody was told of
    it.
    """

    kind: str
    subject: str
    since: datetime

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.subject}"


@dataclass(frozen=True)
class Item:
    """One item. `kind` and `subject` together name it for as long as it lasts, so that it can be
    put off and announced once.
    """

    kind: str
    """The source of the item: "registration", "plan_stuck", …"""
    subject: str
    """An id, or the name of a system; never a secret."""
    what: Message
    why: Message | None
    since: datetime
    action: Action
    serious: bool = False
    """Somebody cannot work, or keeps access, until the item is dealt with."""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.subject}"


class ActionView(View):
    """Text and target of a button."""

    label: Annotated[str, SAID, describe("What a button would say.", "View plan")]
    label_message: Annotated[CodedMessage | None, as_data("label")] = None
    address: Annotated[
        str,
        describe(
            "The page of the manager it leads to.",
            "/manage/plans/0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11",
        ),
    ]


class ItemView(View):
    """One item of an inbox. It is gone when its cause is gone."""

    key: Annotated[
        str,
        describe(
            "Its name for as long as it lasts: of which kind, and which one.",
            "plan_stuck:0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11",
        ),
    ]
    kind: Annotated[str, describe("Of which kind it is.", "plan_stuck")]
    subject: Annotated[
        str, describe("Which one: an id, or a name.", "0b5c8a5e-6a44-4a5b-9a67-2f0d5f3c1f11")
    ]
    what: Annotated[str, SAID, describe("What waits.", "The removal of anna needs attention.")]
    what_message: Annotated[CodedMessage | None, as_data("what")] = None
    why: Annotated[
        str | None, SAID, describe("Why; null where that is all.", "the drive refused us")
    ]
    why_message: Annotated[CodedMessage | None, as_data("why")] = None
    since: Annotated[When, describe("Since when it waits.")]
    serious: Annotated[
        bool,
        describe(
            "Whether somebody is kept from working, or keeps an access, until it is dealt with."
        ),
    ]
    action: Annotated[ActionView, describe("The one thing to do about it.")]
