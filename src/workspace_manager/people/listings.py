"""How the lists of the administration are looked through, by REST and on the command line."""

from typing import Final

from workspace_manager.core.listing import Listing

ADMINISTRATORS: Final = Listing(searched=("username", "email", "sub"), order=())
STRANGERS: Final = Listing(searched=("username", "email", "sub"), order=("-last_seen",))
TOKENS: Final = Listing(searched=("name",), order=("created_at",), columns={"label": "name"})
TOMBSTONES: Final = Listing(searched=("username", "sub"), order=("-created_at",))
