"""A difference before it is saved."""

from dataclasses import dataclass

from workspace_manager.contract.inventory import InventoryEntry
from workspace_manager.contract.message import Message


@dataclass(frozen=True)
class FoundDifference:
    """A difference that a run found. `username`: whose it may be, by the records. `holder`: the
    account whose right to a thing differs.
    """

    difference: str
    one: InventoryEntry
    reason: Message
    username: str = ""
    holder: str = ""
    looked: bool = True
    """Whether the thing itself was looked for; otherwise only a listing lacks it."""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """The key by which a later run recognises the difference, within its system."""
        return (self.difference, self.one.kind, self.one.name, self.holder)
