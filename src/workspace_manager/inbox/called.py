"""What kinds of plans, and of things that wait, are called."""

from workspace_manager.contract.message import Message
from workspace_manager.inbox.messages import KINDS_OF_PLANS, message


def of_kind(kind: str) -> Message:
    """What a kind of plan is called; one of another version is a plan."""
    return message(f"plan.{kind}") if kind in KINDS_OF_PLANS else message("plan.")


def of_things(kind: str) -> Message:
    """What a kind of thing that waits is called."""
    return message(f"things.{kind}")
