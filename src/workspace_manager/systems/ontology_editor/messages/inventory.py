"""Messages of the inventory of the ontology editor."""

from workspace_manager.contract.message import English

INVENTORY: dict[str, English] = {
    # inventory.py
    "seen_project": "the editor lists the project {title}, which belongs to {owner}",
    "seen_project_of_nobody": "the editor lists the project {title}, which belongs to nobody",
    "seen_odd_entry": (
        "entry {place} of the editor’s list has an unknown form; all others were compared"
    ),
    "seen_odd_id": "the editor lists a project with an id that calls cannot use",
    "kept_without_mark": "it does not have the manager's mark: its owner created it in the editor",
}
