"""Names of states within a sentence."""

from typing import Final

from workspace_manager.contract.message import Message, quote_words
from workspace_manager.core.messages import message

STATES: Final = {
    word: message(word)
    for word in (
        "active",
        "suspended",
        "leaving",
        "pending",
        "approved",
        "rejected",
        "expired",
        "withdrawn",
        "relinked",
        "adopted",
        "refused",
        "draft",
        "running",
        "waiting",
        "stuck",
        "done",
        "stale",
        "superseded",
        "already_gone",
        "skipped",
        "by_hand",
    )
}


def state_of(word: str) -> Message:
    """The word for a state; one that nobody listed is said as it is."""
    return STATES.get(word) or quote_words(word)
