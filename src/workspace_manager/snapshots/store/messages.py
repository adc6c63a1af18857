"""Messages about the store of snapshots and its content."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "snapshots_store",
    __file__,
    {
        "writing": "writing content of a snapshot",
        "reading": "reading content of a snapshot",
        "deleting": "deleting content of a snapshot",
        "listing": "listing what lies there",
        "no_answer": "the store of snapshots gave no answer that can be used ({error})",
        "folder_fails": "the folder of snapshots cannot be used ({error})",
        "full": "the store of snapshots is full",
        "full_advice": (
            "Delete snapshots that nobody needs, or give the store more room. It is tried again by "
            "itself."
        ),
        "refused": "the store of snapshots refused it ({error})",
        "refused_advice": (
            "Look at WORKSPACE_SNAPSHOTS_URL, WORKSPACE_SNAPSHOTS_ACCESS_KEY and "
            "WORKSPACE_SNAPSHOTS_SECRET_KEY: the key has to be one that may list, read, write and "
            "delete there. Of a folder: it has to belong to the account that the manager runs as."
        ),
        "clock_differs": (
            "the store of snapshots refused it because the clock of this host is off ({error})"
        ),
        "clock_differs_advice": (
            "Set the clocks of this host and of the store: a request is signed with the time, and "
            "is good for some minutes. It is tried again by itself."
        ),
        "not_set": "nobody has said where snapshots lie, so none can be created",
        "set_it": (
            "Set WORKSPACE_SNAPSHOTS_URL to a folder that web and worker share and that outlives "
            "them, or to s3://bucket/part?endpoint=https://…&region=…, and start both again."
        ),
        # What a small object shows.
        "bucket_missing": "the bucket of the store of snapshots is not there",
        "not_listed": "the store of snapshots does not list what was written a moment ago",
        "not_given_back": "the store of snapshots does not give what was written a moment ago",
        "unfit_advice": (
            "Look at WORKSPACE_SNAPSHOTS_URL: the folder has to be one that can be written, and "
            "the bucket has to be there and give at once what was written. It is tried again by "
            "itself."
        ),
        "not_there": "it is not there: {name}",
        "written_before": "somebody else finished this snapshot meanwhile",
        "still_there": "something of it is still there",
        # What is wrong with content.
        "damaged": "the content of the snapshot is not what was written: {why}",
        "damaged_advice": (
            "It cannot be brought back whole. Take another snapshot, and look at the store: disks "
            "that change what is on them change other things too."
        ),
        "object_missing": "object {number} of “{part}” is missing ({name})",
        "object_cut": "object {number} of “{part}” has {found} bytes instead of {wanted} ({name})",
        "object_changed": "object {number} of “{part}” was changed ({name})",
        "part_changed": "“{part}” does not have the content that was written",
        "manifest_changed": "the manifest was changed ({name})",
        "manifest_missing": "the manifest is missing ({name})",
        "wrong_key": "the key of the snapshot does not open it ({name})",
        "wrong_key_advice": (
            "Put the key that was in use when the snapshot was made into WORKSPACE_SECRET_KEYS "
            "too, after the others."
        ),
    },
)
