"""What is said about snapshots: refusals, what looks show, what goes with a restore."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "snapshot.create": "New snapshot",
    "snapshot.restore": "Snapshot restore",
    "snapshot.delete": "Snapshot deletion",
}

message = Catalogue(
    "snapshots",
    __file__,
    {
        # Refusals.
        "source_unknown": "Snapshots of a {kind} are not made by this version.",
        "not_ready": "“{label}” is not ready: a snapshot is made of what is finished.",
        "under_way": "A snapshot of “{label}” is being made already.",
        "gone": "This snapshot is not there any more.",
        "not_finished": "The snapshot “{label}” is not finished.",
        "deleting": "The snapshot “{label}” is being deleted already.",
        "being_restored": (
            "The snapshot “{label}” is being brought back; wait until that has ended."
        ),
        "goes": "{name} is being removed, and this snapshot goes with that.",
        # What the check says.
        "check_store": "store of snapshots",
        "store_works": "writes, lists, reads and deletes",
        # What plans say.
        "capturing": "keeping the content",
        "restoring": "bringing the content back",
        "counting": "comparing the content",
        "asked_store": "asked the store",
        "asked_source": "counted what is there",
        "is_kept": "“{label}” is there: {count} objects of {bytes} bytes, {tables} tables.",
        "nothing_left": "Nothing of “{label}” is left in the store.",
        "store_shown": "What lies in the store is shown to us.",
        "is_restored": "“{label}” holds what the snapshot held: {tables} tables with {rows} rows.",
        "not_wanted": "the snapshot is not wanted any more",
        "source_gone": "what the snapshot is made of is not there any more",
        "row_gone": "the snapshot is not there any more",
        "other_content": ("what was brought back is not what the snapshot held: {names} differ"),
        "other_content_advice": (
            "Delete the new component and bring the snapshot back once more; the snapshot itself "
            "stays as it is."
        ),
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.capture_content": "Copy the content",
        "step.capture_content.ended": "The content is stored, and its tables are counted.",
        "step.restore_content": "Restore the content",
        "step.restore_content.ended": "The content is the content of the snapshot.",
        "step.delete_content": "Delete the content",
        "step.delete_content.ended": "The store holds nothing of the snapshot any more.",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
