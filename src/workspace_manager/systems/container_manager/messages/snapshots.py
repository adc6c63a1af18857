"""Messages about snapshots: the helper container, its image, and the volumes that it packs."""

from workspace_manager.contract.message import English

SNAPSHOTS: dict[str, English] = {
    # client/contents.py
    "looking_at_image": "looking at an image",
    "creating_helper": "creating the container that copies volumes",
    "creating_volume": "creating a volume",
    "putting_content": "sending the content of a volume",
    "output_cut": "the content of a volume broke off before its end",
    # snapshots/tar_container.py
    "looking_for_helper": "looking for the container that copies volumes",
    "packing_volume": "reading a volume",
    "unpacking_volume": "writing a volume",
    "helper_image_missing": "the image {image}, which copies volumes, is not on the engine",
    "helper_image_unfit": (
        "the image {image} has no GNU tar with extended attributes, no find or no sleep"
    ),
    "set_helper_image": (
        "Pull the image on the engine’s host, or set snapshot_image to an image that is there and "
        "has GNU tar, find and sleep."
    ),
    "engine_disk_full": "the disk of the engine is full",
    "make_room_there": (
        "Make room on the engine’s disk: a restore needs the size of the snapshot, and once more "
        "the size of its largest volume."
    ),
    "helper_ended": "the container that copies volumes was ended",
    "files_changed": "files of the volume changed while they were read",
    "tar_failed": "tar ended with {code}",
    "find_failed": "find, which empties a volume, ended with {code}",
    "look_at_volume": (
        "Look at the volume on the engine’s host: a file in it cannot be read or written."
    ),
    # snapshots/__init__.py
    "restoring_volumes": "restoring the volumes of a stack",
    "volumes_in_use": "containers of {name} use its volumes",
    # snapshots/copy_container.py, snapshots/volumes_in_place.py
    "replacing_volumes": "replacing the content of volumes",
    "volume_differs": "the volume {volume} does not hold what was copied into it",
    "volumes_differ": "the snapshot and {name} do not have the same volumes: {volumes}",
    "restore_volumes_as_new": "Restore the snapshot as a new component.",
    # checks.py
    "check_snapshots": "snapshots of knowledge stacks",
    "helper_image_there": "the image {image}, which copies volumes, is on the engine",
    # settings.py
    "setting_snapshot_image": "Image for snapshots",
    "setting_snapshot_image_help": (
        "The image of the container that copies the volumes of knowledge stacks, with GNU tar, "
        "find and sleep. Pull it on the engine’s host; the manager pulls no image. Name it with "
        "its digest, like docker.io/library/debian@sha256:…, so that it stays the one that you "
        "looked at."
    ),
}
