"""Messages of the inventory of the ontology editor."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "seen_project": "the editor lists the project {title}, which belongs to {owner}",
    "seen_project_of_nobody": "the editor lists the project {title}, which belongs to nobody",
    "seen_odd_entry": (
        "the entry at place {place} of the editor’s list has an unknown shape; all others were "
        "compared"
    ),
    "seen_odd_id": "the editor lists a project under an id that no call can address",
    "kept_without_mark": (
        "it carries no mark of the manager: it was made in the editor itself, by its owner"
    ),
}
