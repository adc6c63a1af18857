"""Remarks of a plan about the snapshots that it deletes or keeps, each with its size."""

from collections.abc import Sequence

from workspace_manager.contract.message import Message
from workspace_manager.core.sizes import size_message
from workspace_manager.records.models import Snapshot
from workspace_manager.snapshots.messages import message


def deletion_remarks(snapshots: Sequence[Snapshot]) -> tuple[Message, ...]:
    """Return the remarks on snapshots that are deleted; none where there are none."""
    return _list("remark.deleted", snapshots)


def kept_remarks(snapshots: Sequence[Snapshot]) -> tuple[Message, ...]:
    """Return the remarks on snapshots that are kept; none where there are none."""
    return _list("remark.kept", snapshots)


def _list(code: str, snapshots: Sequence[Snapshot]) -> tuple[Message, ...]:
    """Return how many there are and their size in all, and then each of them."""
    if not snapshots:
        return ()
    size = size_message(sum(one.bytes for one in snapshots))
    return (message(code, n=len(snapshots), size=size), *map(_describe, snapshots))


def _describe(snapshot: Snapshot) -> Message:
    label, source, at = snapshot.label, snapshot.source_label, snapshot.created_at
    if snapshot.consistent is None:
        return message("remark.unfinished", snapshot=label, source=source, at=at)
    size = size_message(snapshot.bytes)
    return message("remark.snapshot", snapshot=label, source=source, at=at, size=size)
