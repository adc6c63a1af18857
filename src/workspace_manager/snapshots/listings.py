"""The list of snapshots, and how each stands now."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.db.models import Q

from workspace_manager.contract.member_description import ID
from workspace_manager.core.lists import Choice, Either, Id, ListSpec, Member
from workspace_manager.records.models import Component, Snapshot
from workspace_manager.snapshots.restoration import open_restores

STORED: Final = tuple(
    str(one) for one in Snapshot.State.values if one != Snapshot.State.RESTORING.value
)
STACK: Final = str(Snapshot.SourceType.STACK)


def _is_of_kind(name: str) -> Q:
    return Q(source_type=STACK) if name == STACK else Q(kind=name)


SNAPSHOTS: Final = ListSpec(
    "snapshots_list",
    __file__,
    searched=("label", "source_label", "owner__username"),
    order=("created_at",),
    search_for="Search by name, component or owner",
    by_itself="newest first",
    members=(
        Member("created_at", label="Created", order="created_at"),
        Member("label", label="Name", order="label"),
        Member(
            "source",
            Id(),
            help="Only those of this component or stack (its id), also when it is gone.",
            example=ID,
            filter="source_id",
        ),
        Member(
            "kind",
            Choice((*map(str, Component.Kind.values), STACK), "kind"),
            "Kind",
            help="Only snapshots of components of this kind; `stack`: of whole stacks.",
            filter=_is_of_kind,
        ),
        Member(
            "state",
            Choice(STORED),
            "State",
            help="Only snapshots that stand so; one that is being brought back is `ready` too.",
            filter="state",
            order="state",
        ),
        Member(
            "scheduled",
            Either("by-hand", yes="by a schedule", no="by hand"),
            "Created how",
            help="Only those that were made by themselves; `false`: only those that somebody made.",
            example=False,
            filter="scheduled",
        ),
        Member(
            "owner",
            label="Owner",
            help="Only those of this person.",
            example="anna",
            filter="owner__username",
            order="owner__username",
        ),
    ),
)


def states_now(snapshots: Sequence[Snapshot]) -> dict[UUID, str]:
    """Return the state of each: `restoring` while a plan brings it back. Asked once for all."""
    restoring = open_restores(snapshots)
    return {
        one.id: str(Snapshot.State.RESTORING if one.id in restoring else one.state)
        for one in snapshots
    }
