"""Messages of the container manager's inventory."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "seen_stack": (
        "the engine shows one container or network with our mark and the name {stack}",
        "the engine shows {n} containers and networks with our mark and the name {stack}",
    ),
    "seen_stack_without_parts": (
        "Portainer lists the stack {stack} with our mark, but the engine shows no part of it"
    ),
    "seen_stack_volumes": (
        "the engine shows one volume with our mark and the name {stack}",
        "the engine shows {n} volumes with our mark and the name {stack}",
    ),
    "seen_odd_entry": (
        "entry {place} of the list {where} has an unknown form; all others were compared"
    ),
    "seen_odd_file": "Portainer describes the file of the stack {stack} in an unknown form",
}
