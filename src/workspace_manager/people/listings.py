"""How the lists of the administration are looked through, by REST and on the command line."""

from typing import Final

from workspace_manager.core.listing import Listing

TOKENS: Final = Listing(searched=("name",), order=("created_at",), columns={"label": "name"})
