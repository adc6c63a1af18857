"""One thing that waits for somebody."""

from dataclasses import dataclass
from datetime import datetime

from workspace_manager.contract.message import Message


@dataclass(frozen=True)
class Action:
    """The one thing to do about it: what the button says, and the page of ours it leads to."""

    label: Message
    address: str


@dataclass(frozen=True)
class ItemKey:
    """Which thing waits, and since when: enough to know whether somebody was told of it."""

    kind: str
    subject: str
    since: datetime

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.subject}"


@dataclass(frozen=True)
class Item:
    """One thing that waits. `kind` and `subject` together name it for as long as it lasts, so that
    it can be put off, and told of once.
    """

    kind: str
    """Of which source: "registration", "plan_stuck", …"""
    subject: str
    """Which one: an id, a name of a system; never a secret."""
    what: Message
    why: Message | None
    since: datetime
    action: Action
    serious: bool = False
    """Somebody is kept from working, or keeps an access, until it is dealt with."""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.subject}"
