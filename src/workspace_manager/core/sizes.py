"""The space that something takes, in a sentence that is stored and shown in every language."""

from typing import Final

from workspace_manager.contract.message import Message
from workspace_manager.core.messages import message

STEP: Final = 1024
UNITS: Final = ("kilobytes", "megabytes", "gigabytes", "terabytes")


def size_message(count: int) -> Message:
    """A number of bytes with one decimal place, as Django's `filesizeformat` writes it."""
    if count < STEP:
        return message("size.bytes", n=count)
    power = min((count.bit_length() - 1) // 10, len(UNITS))
    unit = STEP**power
    whole, tenth = divmod((count * 10 + unit // 2) // unit, 10)
    return message(f"size.{UNITS[power - 1]}", whole=whole, tenth=tenth)
