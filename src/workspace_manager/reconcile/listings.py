"""Lists of differences, for REST, pages and the command line."""

from collections.abc import Iterable
from typing import Final

from django.db.models import Q

from workspace_manager.core.connected_systems import SNAPSHOTS
from workspace_manager.core.lists import Choice, Either, ListSpec, Member, Text
from workspace_manager.records.models import ReconcileItem, ReconcileRun
from workspace_manager.systems import registry


def _systems() -> Iterable[str]:
    return [*registry().names(), SNAPSHOTS.name]


ITEMS: Final = ListSpec(
    "differences_list",
    __file__,
    searched=("name", "username", "login_name", "email", "holder", "sub"),
    order=("system", "difference", "name"),
    by_itself="system, then difference",
    members=(
        Member("first_seen", label="First seen", order="first_seen"),
        Member("last_seen", label="Last seen", order="last_seen"),
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
            "Difference",
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
TAKE_OVERS: Final = ListSpec(
    "take_overs_list",
    __file__,
    searched=("confirmed_by",),
    order=("-confirmed_at",),
    members=(Member("confirmed_at", order="confirmed_at"),),
)
RUNS: Final = ListSpec(
    "runs_list",
    __file__,
    searched=("started_by",),
    order=("-started_at",),
    members=(
        Member(
            "state",
            Choice(tuple(map(str, ReconcileRun.State.values))),
            help="Only runs that stand so.",
            filter="state",
        ),
        Member("started_at", order="started_at"),
    ),
)
PROPOSALS: Final = ListSpec(
    "proposals_list",
    __file__,
    searched=("login_name", "name", "email", "full_name"),
    order=("system", "login_name", "name"),
    members=(
        Member("system", Text(40), help="Only of this system.", example="drive", filter="system"),
        Member(
            "proposed",
            Either("not-proposed"),
            help="Only those somebody is proposed for, or only the others.",
            # The proposal of each row is computed, not stored.
            filter=lambda _proposed: Q(),
        ),
        Member("name", order="name"),
        Member("login_name", order="login_name"),
    ),
)
