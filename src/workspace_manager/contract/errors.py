"""Five errors, one reaction each (one class per reaction, not per cause).

    ConnectorError
    ├── Unavailable   no answer or "not now": wait and try again, for ever
    ├── Denied        it knows us and says no: stuck at once; the whole system is paused where it
    │                 refuses our credential itself, and not this one thing
    ├── NotFound      not there, or not shown to us: a removal's success once our rights are proven
    ├── Conflict      there, but not the one we mean: a person decides
    └── Invalid       it or we did not understand: stuck; the shape is kept, never the body

Every error carries `advice`: what to look at and what to do next
(docs/explanation/when-something-is-wrong.md). `str(error)` is safe to show: it never holds a body,
a header or a secret.
"""

from typing import ClassVar

from workspace_manager.contract.message import Message, quote_words
from workspace_manager.contract.messages import message


class ConnectorError(Exception):
    """Say which call failed, why, and what a person can do about it.

    `message`: what happened, one sentence without secrets. `kind`: the kind of thing,
    `"drive.account"`. `doing`: the verb that failed, "removing the account". `advice`: what to do;
    without it, what is usually to do about this kind of error. `retry_after`: seconds the system
    asked us to wait, or None. `detail`, `doing` and `advice` are the English of `message`,
    `doing_message` and `advice_message`, for logs.
    """

    usual_advice: ClassVar[Message] = quote_words("")

    def __init__(
        self,
        message: Message,
        *,
        kind: str,
        doing: Message,
        advice: Message | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.message = message
        self.kind = kind
        self.doing_message = doing
        self.advice_message = advice or self.usual_advice
        self.retry_after = retry_after
        super().__init__(self.message.english)

    @property
    def detail(self) -> str:
        return self.message.english

    @property
    def doing(self) -> str:
        return self.doing_message.english

    @property
    def advice(self) -> str:
        return self.advice_message.english

    @property
    def in_full(self) -> Message:
        """Where, at what and why: for whoever shows the error alone."""
        return message("in_full", kind=self.kind, doing=self.doing_message, why=self.message)

    @property
    def system(self) -> str:
        """The system's name: the part of `kind` before the dot."""
        return self.kind.partition(".")[0]

    def __str__(self) -> str:
        return f"{self.kind}: {self.doing}: {self.detail}"


class Unavailable(ConnectorError):
    """The system gave no answer or said "not now"; it is asked again later.

    `goes_on`: something was sent that the system may still be at (`CallPolicy.goes_on_s`).
    """

    usual_advice = message("usual_unavailable")

    def __init__(
        self,
        message: Message,
        *,
        kind: str,
        doing: Message,
        advice: Message | None = None,
        retry_after: float | None = None,
        goes_on: bool = False,
    ) -> None:
        super().__init__(message, kind=kind, doing=doing, advice=advice, retry_after=retry_after)
        self.goes_on = goes_on


class Denied(ConnectorError):
    """The system knows us and says no; hammering with a wrong password would lock everybody out."""

    usual_advice = message("usual_denied")


class NotFound(ConnectorError):
    """The thing is not there, or is not shown to us."""

    usual_advice = message("usual_not_found")


class Conflict(ConnectorError):
    """Something is there, but it is not the thing we mean; a person decides."""

    usual_advice = message("usual_conflict")


class Invalid(ConnectorError):
    """The system or we did not understand: an unknown code, HTML instead of JSON."""

    usual_advice = message("usual_invalid")
