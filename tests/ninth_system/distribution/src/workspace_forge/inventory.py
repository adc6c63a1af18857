"""The inventory of the forge: its accounts, in the order of their ids, so that nothing moves when
one goes meanwhile.
"""

from typing import cast

from workspace_forge.connector import Forge
from workspace_forge.messages import message
from workspace_forge.names import ACCOUNT, target
from workspace_manager.contract.connector import System
from workspace_manager.contract.inventory import InventoryEntry, Page

MOST = 50


def inventory(system: System, cursor: str) -> Page:
    """Read the page of those that come after the cursor. Who is no administrator is shown an empty
    list, so the token is asked for its rights first.
    """
    forge = cast(Forge, system)
    forge.prove_rights()
    found = forge.client.accounts(cursor, MOST)
    listed = tuple(
        InventoryEntry(
            kind=ACCOUNT,
            target=target(str(one["sub"])),
            name=str(one["sub"]),
            seen=message("seen", name=str(one["login"])),
            sub=str(one["sub"]),
            username=str(one["login"]),
            email=str(one["email"]),
            open=not one["blocked"],
        )
        for one in found
    )
    return Page(listed, listed[-1].name if len(listed) == MOST else "")
