"""How the lists of the administration are looked through, by REST and on the command line."""

from typing import Final

from workspace_manager.core.listing import Listing
from workspace_manager.core.lists import ListSpec, Member

ADMINISTRATORS: Final = Listing(searched=("username", "email", "sub"), order=())
STRANGERS: Final = Listing(searched=("username", "email", "sub"), order=("-last_seen",))
TOKENS: Final = Listing(searched=("name",), order=("created_at",), columns={"label": "name"})
TOMBSTONES: Final = ListSpec(
    "tombstones_list",
    __file__,
    searched=("username", "sub"),
    order=("-created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("expires_at", order="expires_at"),
        Member("username", order="username"),
    ),
)
