"""Messages of the container manager's inventory."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "seen_stack": (
        "the engine shows one container or network that carries our mark and the name {stack}",
        "the engine shows {n} containers and networks that carry our mark and the name {stack}",
    ),
    "seen_stack_without_parts": (
        "Portainer lists the stack {stack} with our mark, and the engine shows nothing of it"
    ),
    "seen_stack_volumes": (
        "the engine shows one volume that carries our mark and the name {stack}",
        "the engine shows {n} volumes that carry our mark and the name {stack}",
    ),
    "seen_odd_entry": (
        "the entry at place {place} of the list {where} has an unknown shape; all others were "
        "compared"
    ),
    "seen_odd_file": "what Portainer says of the file of the stack {stack} has an unknown shape",
}
