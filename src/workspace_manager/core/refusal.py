"""The answers of a story that cannot do what was asked: the state does not allow it, or the input
cannot be used.
"""

from collections.abc import Mapping

from workspace_manager.contract.message import Message


class Refused(Exception):
    """The state does not allow this now. `reason` is for people and says what to do; `plan`: the
    plan that is in the way.
    """

    def __init__(self, reason: Message, *, plan: str = "") -> None:
        self.message = reason
        super().__init__(self.message.english)
        self.plan = plan

    @property
    def reason(self) -> str:
        """In English, for logs."""
        return self.message.english


class BadInput(ValueError):
    """Some fields cannot be used; `errors` says which and why (`{field: sentence}`)."""

    def __init__(self, errors: Mapping[str, Message]) -> None:
        self.messages = dict(errors)
        super().__init__("; ".join(f"{field}: {text}" for field, text in self.errors.items()))

    @property
    def errors(self) -> dict[str, str]:
        """In English, for logs."""
        return {field: text.english for field, text in self.messages.items()}


class Forbidden(Exception):
    """The person may not do this. `reason` is for people."""

    def __init__(self, reason: Message) -> None:
        self.message = reason
        super().__init__(self.message.english)

    @property
    def reason(self) -> str:
        """In English, for logs."""
        return self.message.english


class WrongAccount(Exception):
    """The account that somebody signed in with elsewhere is not theirs here. `reason` is for
    people.

    See docs/explanation/when-something-is-wrong.md#errors-and-what-happens.
    """

    def __init__(self, reason: Message) -> None:
        self.message = reason
        super().__init__(self.message.english)

    @property
    def reason(self) -> str:
        """In English, for logs."""
        return self.message.english
