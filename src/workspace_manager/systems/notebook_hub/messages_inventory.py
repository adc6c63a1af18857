"""What the notebook hub's inventory says: what was seen, and why some of it is left alone."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "listing_notebooks": "listing the notebooks",
    "seen_container": "the engine lists the container {name}, {status}, which says it is {user}’s",
    "seen_container_by_name": (
        "the engine lists the container {name}, {status}, which does not say whose it is; by its "
        "name it would be {user}’s"
    ),
    "seen_container_of_nobody": (
        "the engine lists the container {name}, {status}, which does not say whose it is"
    ),
    "seen_volume": "the engine lists the volume {name}",
    "kept_volume": "nothing here removes the files of notebooks",
    "kept_of_nobody": "neither it nor its name says whose it is",
}
