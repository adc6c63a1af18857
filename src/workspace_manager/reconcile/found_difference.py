"""One difference, before it is written down."""

from dataclasses import dataclass

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.contract.message import Message


@dataclass(frozen=True)
class FoundDifference:
    """What a walk found otherwise than recorded. `username`: whose it may be, by the records.
    `holder`: of a thing, the account whose right it is about.
    """

    difference: str
    one: InventoryEntry
    reason: Message
    username: str = ""
    holder: str = ""
    looked: bool = True
    """Whether its own thing was looked for; else nothing but a list lacks it."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes it the same as one that was found before, within its system."""
        return (self.difference, self.one.kind, self.one.name, self.holder)
