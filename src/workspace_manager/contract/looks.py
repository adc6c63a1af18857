"""A look without a credential: whether the system that is meant answers, and nothing else does in
its place.

A system declares its look in its `SystemSpec`. It has no credential to send, so it can be refused
none and may be made each minute (docs/explanation/health.md).
"""

from workspace_manager.contract.answer import SOMETHING_ELSE, Answer
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.errors import ConnectorError, Invalid
from workspace_manager.contract.message import Message
from workspace_manager.contract.messages import message

CALLS = CallPolicy(connect_s=5, answer_s=25)
"""Longer than what is only slow takes, and shorter than an ordinary call: one that takes longer is
away for people too.
"""
LOOKING = message("looking")


def not_it(answer: Answer, *, detail: Message | None = None) -> ConnectorError:
    """The error for an answer that this system does not give: Unavailable for "not now", Invalid
    for something else.
    """
    try:
        answer.raise_for_transient()
    except ConnectorError as error:
        return error
    said = detail or message("another_answers", shape=answer.shape)
    return answer.error(Invalid, said, advice=SOMETHING_ELSE)
