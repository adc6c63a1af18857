"""Snapshots as every door shows them; never a key."""

from collections.abc import Sequence
from typing import Annotated, Literal

from django.utils import timezone
from pydantic import Field

from workspace_manager.contract.member_description import UserName, Uuid, When, describe
from workspace_manager.contract.messages import join_messages
from workspace_manager.core.views import SAID, CodedMessage, View, as_data, as_text
from workspace_manager.records.models import Snapshot, SnapshotSchedule
from workspace_manager.snapshots.listings import states_now
from workspace_manager.snapshots.schedule import why_late
from workspace_manager.snapshots.store.snapshot_reader import Verdict

State = Literal["creating", "ready", "failed", "restoring", "deleting"]


class SourceView(View):
    """The source of a snapshot."""

    type: Annotated[
        Literal["component", "stack", "upload"],
        Field(validation_alias="source_type"),
        describe("What it is; `upload`: a file that its owner sent."),
    ]
    id: Annotated[
        Uuid | None,
        Field(validation_alias="source_id"),
        describe("Its id, also when it is gone; null for a file."),
    ]
    label: Annotated[
        str,
        Field(validation_alias="source_label"),
        describe("What people called it, or the file.", "Notes"),
    ]
    kind: Annotated[
        str, describe("Of which kind a component is; empty for a stack.", "sql_database")
    ]


class SnapshotView(View):
    """A copy of what was in a component or a stack."""

    id: Annotated[Uuid, describe("The id of the snapshot.")]
    label: Annotated[str, describe("What people call it.", "Monday")]
    source: Annotated[SourceView, describe("What it was made of.")]
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
    notes: Annotated[
        str | None,
        SAID,
        describe("What is not of one moment, and what else its owner has to know.", None),
    ] = None
    notes_message: Annotated[CodedMessage | None, as_data("notes")] = None
    verified_at: Annotated[
        When | None, describe("When all of it was last read and found as it was written.")
    ]
    plan: Annotated[Uuid | None, describe("The plan that made it.")]


class ScheduleView(View):
    """A schedule: when snapshots of a component or a stack are created by themselves."""

    every: Annotated[Literal["day", "week"], describe("How often.", "day")]
    keep: Annotated[
        int, describe("How many scheduled snapshots are kept; the oldest goes first.", 7)
    ]
    next_at: Annotated[When | None, describe("When the next one is due.")]
    late: Annotated[
        str | None,
        SAID,
        describe(
            "Why the one that is due was not created yet; null while none is late.",
            "It could not be created yet; the manager keeps trying.",
        ),
    ] = None
    late_message: Annotated[CodedMessage | None, as_data("late")] = None


class VerdictView(View):
    """The verdict on a snapshot: all of it is as it was written, or not."""

    verified_at: Annotated[When | None, describe("When it was last found as it was written.")]
    ok: Annotated[bool, describe("Whether it is now.", True)]
    detail: Annotated[
        str, describe("What is not, with the object; empty where all is.", "object 2 was changed")
    ]


def view_snapshot(snapshot: Snapshot) -> SnapshotView:
    """One snapshot for somebody who may see it."""
    (view,) = view_snapshots([snapshot])
    return view


def view_snapshots(snapshots: Sequence[Snapshot]) -> list[SnapshotView]:
    """Each of many, with as many queries as for one."""
    states = states_now(snapshots)
    return [
        SnapshotView.from_row(
            one,
            owner=one.owner.username,
            source=SourceView.from_row(one),
            state=states[one.id],
        )
        for one in snapshots
    ]


def view_schedule(schedule: SnapshotSchedule) -> ScheduleView:
    """The schedule of one component or stack."""
    return ScheduleView.from_row(schedule, late=why_late(schedule, timezone.now()))


def view_verdict(snapshot: Snapshot, verdict: Verdict) -> VerdictView:
    """Return the result of reading all of a snapshot."""
    damage = list(verdict.damage)
    detail = as_text(join_messages(damage, by="; ")) if damage else ""
    return VerdictView(verified_at=snapshot.verified_at, ok=verdict.ok, detail=detail)
