"""The list of service keys."""

from collections.abc import Iterable
from typing import Final

from workspace_manager.contract.member_description import ID
from workspace_manager.core.lists import Choice, Id, ListSpec, Member
from workspace_manager.systems import registry


def _systems() -> Iterable[str]:
    return registry().names()


KEYS: Final = ListSpec(
    "keys_list",
    __file__,
    searched=("label", "account", "system", "purpose"),
    order=("created_at",),
    members=(
        Member("created_at", order="created_at"),
        Member("label", order="label"),
        Member(
            "system",
            Choice(_systems, "system", longest=60),
            help="Only keys of this system.",
            example="triplestore",
            filter="system",
            order="system",
        ),
        Member(
            "component",
            Id(),
            help="Only machine keys of this component (its id).",
            example=ID,
            filter="component",
        ),
    ),
)
