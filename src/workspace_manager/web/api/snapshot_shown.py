"""How a snapshot is shown by the API; never its key."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import Snapshot
from workspace_manager.snapshots.listings import states_now

State = Literal["creating", "ready", "failed", "restoring", "deleting"]


class SourceShown(BaseModel):
    """What a snapshot was made of."""

    type: Annotated[Literal["component", "stack"], describe("What it is.")]
    id: Annotated[Uuid | None, describe("Its id, also when it is gone.")]
    label: Annotated[str, describe("What people called it.", "Notes")]
    kind: Annotated[str, describe("Of which kind a component is.", "sql_database")]


class SnapshotShown(BaseModel):
    """A copy of what was in a component or a stack."""

    id: Annotated[Uuid, describe("The id of the snapshot.")]
    label: Annotated[str, describe("What people call it.", "Monday")]
    source: Annotated[SourceShown, describe("What it was made of.")]
    owner: Annotated[UserName, describe("Whose it is: the owner of its source.")]
    state: Annotated[State, describe("How it stands.")]
    bytes: Annotated[int, describe("What it takes in the store.", 4096)]
    content_bytes: Annotated[
        int, describe("What was read of its source; while it is made, so far.", 16384)
    ]
    created_at: Annotated[When, describe("When it was ordered.")]
    created_by: Annotated[str, describe("Who ordered it.", "anna")]
    scheduled: Annotated[bool, describe("Whether it was made by itself.", False)]
    consistent: Annotated[
        bool | None, describe("Whether all of it is of one moment; null while nobody knows.", True)
    ]
    verified_at: Annotated[
        When | None, describe("When all of it was last read and found as it was written.")
    ]
    plan: Annotated[Uuid | None, describe("The plan that made it.")]


def shown(snapshot: Snapshot) -> dict[str, Any]:
    """One snapshot for somebody who may see it."""
    (document,) = all_shown([snapshot])
    return document


def all_shown(snapshots: Sequence[Snapshot]) -> list[dict[str, Any]]:
    """Each of many, with as many queries as for one."""
    states = states_now(snapshots)
    return [
        {
            "id": str(one.id),
            "label": one.label,
            "source": {
                "type": one.source_type,
                "id": str(one.source_id) if one.source_id else None,
                "label": one.source_label,
                "kind": one.kind,
            },
            "owner": one.owner.username,
            "state": states[one.id],
            "bytes": one.bytes,
            "content_bytes": one.content_bytes,
            "created_at": in_utc(one.created_at),
            "created_by": one.created_by,
            "scheduled": one.scheduled,
            "consistent": one.consistent,
            "verified_at": in_utc(one.verified_at),
            "plan": str(one.plan) if one.plan else None,
        }
        for one in snapshots
    ]
