"""Messages of the inventory of the notebook hub."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "listing_notebooks": "listing the notebooks",
    "seen_container": (
        "the engine lists the container {name}, {status}, whose owner is {user} by its own account"
    ),
    "seen_container_by_name": (
        "the engine lists the container {name}, {status}, which does not show its owner; its name "
        "suggests {user}"
    ),
    "seen_container_of_nobody": (
        "the engine lists the container {name}, {status}, which does not show its owner"
    ),
    "seen_volume": "the engine lists the volume {name}",
    "seen_server": "the hub lists the server {server} as running",
    "seen_odd_user": (
        "entry {place} of the hub’s list of users is no user; all others were compared"
    ),
    "seen_odd_entry": (
        "entry {place} of the engine’s list {where} has an unknown form; all others were compared"
    ),
    "seen_odd_container": "the engine describes the container {name} in an unknown form",
    "kept_unproven": (
        "anybody can set the variable that names the owner, and neither the image nor a network "
        "shows that the spawner made it"
    ),
    "kept_component": "it belongs to a knowledge stack",
    "kept_in_other_case": "nobody can sign in with a name that has capital letters",
    "kept_volume": "the manager does not remove the files of notebooks",
    "kept_of_nobody": "neither the container nor its name shows an owner",
}
