"""The error of naming functions. It is none of the five errors, because no call was made and
nothing was answered.
"""

from workspace_manager.contract.message import Message


class NameImpossible(ValueError):
    """A system cannot have a thing of this name. `message` says why, `advice_message` what to do;
    `str()` is its English.
    """

    def __init__(self, message: Message, *, advice: Message | None = None) -> None:
        self.message, self.advice_message = message, advice
        super().__init__(message.english)
