"""Names of the kinds of inbox items."""

from workspace_manager.contract.message import Message
from workspace_manager.inbox.messages import message


def of_things(kind: str) -> Message:
    return message(f"things.{kind}")
