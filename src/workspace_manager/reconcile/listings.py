"""How differences are looked through, by REST, pages and the command line."""

from collections.abc import Iterable
from typing import Final

from workspace_manager.core.listing import Listing
from workspace_manager.core.lists import Choice, ListSpec, Member, Text
from workspace_manager.records.models import ReconcileItem
from workspace_manager.systems import registry


def _systems() -> Iterable[str]:
    return registry().names()


ITEMS: Final = ListSpec(
    "differences_list",
    __file__,
    searched=("name", "username", "login_name", "email", "holder", "sub"),
    order=("system", "difference", "name"),
    by_itself="the system, then what is otherwise",
    members=(
        Member("first_seen", label="Seen first", order="first_seen"),
        Member("last_seen", label="Seen last", order="last_seen"),
        Member("name", label="Name", order="name"),
        Member(
            "system",
            Text(40, _systems, "system"),
            "System",
            "Only of this system.",
            "drive",
            "system",
        ),
        Member(
            "difference",
            Choice(tuple(map(str, ReconcileItem.Difference.values)), "difference"),
            "What is otherwise",
            "Only of this kind.",
            filter="difference",
        ),
        Member(
            "username",
            help="Only what may be this person’s.",
            example="anna",
            filter="username",
        ),
    ),
)
TAKE_OVERS: Final = Listing(searched=("confirmed_by",), order=("-confirmed_at",))
RUNS: Final = Listing(searched=("started_by",), order=("-started_at",))
