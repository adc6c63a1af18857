"""Messages of the inventory of the notebook hub."""

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
    "seen_server": "the hub lists the server {server} as running",
    "seen_odd_user": (
        "the entry at place {place} of the hub’s list of users is no user; all others were compared"
    ),
    "seen_odd_entry": (
        "the entry at place {place} of the engine’s list {where} has an unknown shape; all others "
        "were compared"
    ),
    "seen_odd_container": "what the engine says of the container {name} has an unknown shape",
    "kept_unproven": (
        "anybody can write the variable that says so: neither its image nor a network shows that "
        "the spawner made it"
    ),
    "kept_component": "it belongs to a knowledge stack",
    "kept_in_other_case": "no sign-in leads to a name with capitals",
    "kept_volume": "nothing here removes the files of notebooks",
    "kept_of_nobody": "neither it nor its name says whose it is",
}
