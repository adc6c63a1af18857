"""What kinds of things that wait are called."""

from workspace_manager.contract.message import Message
from workspace_manager.inbox.messages import message


def of_things(kind: str) -> Message:
    """What a kind of thing that waits is called."""
    return message(f"things.{kind}")
