"""Messages about snapshots: refusals, results of looks, remarks of a restore."""

from typing import Final

from workspace_manager.contract.message import Catalogue

PLANS: Final = {
    "snapshot.create": "New snapshot",
    "snapshot.restore": "Snapshot restore",
    "snapshot.restore_in_place": "Snapshot restore in place",
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
        "component_gone": "“{label}” does not exist any more; restore the snapshot as a new one.",
        "component_of_another": (
            "“{label}” belongs to somebody else now; restore the snapshot as a new component."
        ),
        "not_in_place": "This version does not restore a {kind} in place; restore it as a new one.",
        "part_missing": (
            "The template of the stack needs what the snapshot does not hold: {kinds}."
        ),
        "stack_not_in_place": (
            "A snapshot of a stack cannot be restored in place; restore it as a new stack."
        ),
        "file_not_in_place": (
            "The manager does not know which component the file belongs to; restore the snapshot "
            "as a new component."
        ),
        "not_from_file": "A {kind} cannot be made from a file. Choose another kind.",
        "upload_under_way": (
            "Your file for “{label}” is still being uploaded. Wait until that has ended, or delete "
            "its unfinished snapshot."
        ),
        "upload_ended": (
            "The upload was ended, because its snapshot was deleted meanwhile. Nothing was kept."
        ),
        "upload_spoiled": (
            "The compressed file is damaged or incomplete. Compress it again with gzip or zstd, "
            "without --ultra or --long, and send it once more."
        ),
        "upload_too_large": (
            "A file may have {most}, and what is compressed in it twenty times as much. Send a "
            "smaller one, or ask an administrator."
        ),
        "switch_not_ended": (
            "The content of “{label}” is being replaced. Wait until that has ended, or delete it "
            "without keeping its volumes."
        ),
        "restore_under_way": "A snapshot is being restored in place of “{label}” already.",
        "kept_first": "Before restoring “{label}”",
        "bound_reached": (
            "The owner has {count} snapshots of {bytes} bytes, which is as much as the settings "
            "allow. Delete some first, for example {labels}."
        ),
        "schedule_every": "Choose day or week.",
        "schedule_keep": "Write a number from 1 to {most}.",
        "schedule_waits": "It could not be created yet; the manager keeps trying.",
        "snapshots_of_another": (
            "Only the owner of a snapshot, and people who administer snapshots, can delete it. "
            "Delete the component without its snapshots."
        ),
        # What the check says.
        "check_store": "store of snapshots",
        "check_content": "content of snapshots",
        "content_damaged": "snapshots that are not what was written: {count}",
        "store_works": "writes, lists, reads and deletes",
        # What plans say.
        "capturing": "keeping the content",
        "restoring": "bringing the content back",
        "counting": "comparing the content",
        "asked_store": "asked the store",
        "asked_source": "counted what is there",
        "is_kept": "“{label}” is there: {count} objects of {bytes} bytes, {tables} tables.",
        "volumes_are_kept": (
            "“{label}” is there: {count} objects of {bytes} bytes, {tables} volumes."
        ),
        "stack_is_kept": "“{label}” is there: {count} objects of {bytes} bytes, {parts} parts.",
        "between_parts": (
            "other accounts may have written to {names} while the rest was copied: not consistent "
            "between parts"
        ),
        "nothing_left": "Nothing of “{label}” is left in the store.",
        "store_shown": "What lies in the store is shown to us.",
        "is_restored": "“{label}” holds what the snapshot held: {tables} tables with {rows} rows.",
        "volumes_are_restored": (
            "“{label}” holds what the snapshot held: {tables} volumes with {rows} files and "
            "folders."
        ),
        "file_is_loaded": (
            "“{label}” was loaded from the file without an error: {tables} tables with {rows} rows "
            "are there."
        ),
        "from_file": "It is an uploaded file. Nobody counted what is in it.",
        "second_copy": (
            "While the restore runs, it needs {bytes} bytes on the engine’s disk besides the "
            "content itself."
        ),
        "programs_stop_twice": (
            "The programs of “{label}” stop twice: while the present content is kept, and while it "
            "is replaced. Programs that are stopped now stay stopped."
        ),
        "copies_in_place": "While the restore runs, it needs {size} more on the engine’s disk.",
        "not_wanted": "the snapshot is not wanted any more",
        "source_gone": "what the snapshot is made of is not there any more",
        "row_gone": "the snapshot is not there any more",
        "other_content": ("what was brought back is not what the snapshot held: {names} differ"),
        "other_content_advice": (
            "Delete the new component and bring the snapshot back once more; the snapshot itself "
            "stays as it is."
        ),
        "switching": "replacing the content",
        "is_loaded": "“{label}” is loaded beside: {tables} tables with {rows} rows.",
        "volumes_are_loaded": (
            "“{label}” is loaded beside: {tables} volumes with {rows} files and folders."
        ),
        "is_in_place": "“{label}” has the content of the snapshot; nothing is left beside it.",
        "nothing_beside": "Nothing of a restore is left beside “{label}”.",
        "other_content_beside": (
            "Nothing was replaced. Verify the snapshot, then restore it once more; the present "
            "content stays as it is."
        ),
        "not_loaded": "the content of the snapshot was not loaded, so it replaces nothing",
        "restore_once_more": "Restore the snapshot once more; the present content stays as it is.",
        # What the comparison of the store finds.
        "orphan.unfinished": "It is the rest of a snapshot that was begun and never finished.",
        "orphan.unreadable": (
            "The manifest cannot be read here: {why}. It may belong to another manager that uses "
            "this store."
        ),
        "orphan.origin_unknown": (
            "No snapshot is recorded for it, and its manifest does not say whose it is."
        ),
        "orphan.owner_gone": "No snapshot is recorded for it. Its owner {person} is not here.",
        "orphan.recorded_elsewhere": "It is a copy: its snapshot is recorded with other content.",
        "orphan.evidence": "It lies in the store below {place}.",
        "orphan.evidence_named": "Snapshot “{label}” of “{source}”, {at}, owned by {person}.",
        # What other plans say of snapshots.
        "remark.deleted": (
            "{n} snapshot is deleted with its content, {size} in the store.",
            "{n} snapshots are deleted with their content, {size} in the store.",
        ),
        "remark.kept": (
            "{n} snapshot is kept, {size} in the store.",
            "{n} snapshots are kept, {size} in the store.",
        ),
        "remark.snapshot": "Snapshot “{snapshot}” of “{source}”, {at}: {size}.",
        "remark.unfinished": "Snapshot “{snapshot}” of “{source}”, {at}: not finished.",
        "remark.schedule_ends": "The schedule of “{label}” ends.",
        **{f"plan.{kind}": name for kind, name in PLANS.items()},
        "step.capture_content": "Copy the content",
        "step.capture_content.ended": "The content is stored, and its tables are counted.",
        "step.restore_content": "Restore the content",
        "step.restore_content.ended": "The content is the content of the snapshot.",
        "step.keep_present_content": "Keep the present content as a snapshot",
        "step.keep_present_content.ended": "The content of before is kept as a snapshot.",
        "step.load_content_beside": "Load the content beside the present one",
        "step.load_content_beside.ended": (
            "The content of the snapshot is loaded beside and compared."
        ),
        "step.switch_content": "Replace the content",
        "step.switch_content.ended": (
            "The content is that of the snapshot; address, accounts and rights are as before."
        ),
        "step.delete_content": "Delete the content",
        "step.delete_content.ended": "The store holds nothing of the snapshot any more.",
    },
    codes={f"plan.{kind}": f"inbox.plan.{kind}" for kind in PLANS},
)
