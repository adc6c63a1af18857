"""The inventory of the kiln: its accounts by name, of which none moves when one goes meanwhile."""

from typing import cast

from workspace_kiln.connector import Kiln
from workspace_kiln.messages import message
from workspace_kiln.names import KIND, account_target
from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import InventoryEntry, Page

MOST = 50


def inventory(system: System, cursor: str) -> Page:
    """Read the page of those that come after the cursor. To who is no warden the kiln shows an
    empty list, so the key is asked for its role first.
    """
    kiln = cast(Kiln, system)
    kiln.prove_rights()
    warden, _ = kiln.client.me()
    found = kiln.client.accounts(cursor, MOST)
    listed = tuple(
        InventoryEntry(
            kind=KIND,
            target=account_target(name),
            name=name,
            seen=message("seen", name=name),
            username="" if name == warden else name,
            open=not locked,
            kept=message("kept") if name == warden else None,
        )
        for name, locked in found.items()
    )
    return Page(listed, listed[-1].name if len(listed) == MOST else "")
