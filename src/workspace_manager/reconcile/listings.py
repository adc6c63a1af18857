"""How differences are looked through, by REST, pages and the command line."""

from typing import Final

from workspace_manager.core.listing import Listing

ITEMS: Final = Listing(
    searched=("name", "username", "login_name", "email", "holder", "sub"),
    order=("system", "difference", "name"),
)
TAKE_OVERS: Final = Listing(searched=("confirmed_by",), order=("-confirmed_at",))
RUNS: Final = Listing(searched=("started_by",), order=("-started_at",))
