"""Messages about people of a directory."""

from workspace_manager.contract.message import English

DIRECTORY: dict[str, English] = {
    # client/directory.py
    "looking_at_directory": "looking which directory it is",
    # connector/directory.py
    "end_in_directory": (
        "The account of {person} is one of the directory “{directory}”. Deleted here, it would "
        "come back enabled with the next look-up, so it is disabled, signed out and without any "
        "consent, and is not deleted. End the entry in the directory, or take it out of what the "
        "realm reads of it; until then do not enable the account in the realm, and do not remove "
        "the imported users there."
    ),
    "same_name_in_directory": (
        "The directory “{directory}” brought in another account under the name {person}, with the "
        "id {sub}. Only the name is the same, so nothing was done to it. If it is the same person, "
        "disable that account in the realm and end the entry in the directory."
    ),
    "disabled_not_deleted": (
        "disabled, without session and consent, and not deleted: the directory “{directory}” would "
        "bring it back"
    ),
    # client/sign_ins.py
    "looking_at_consents": "looking what the user agreed to",
    "revoking_consents": "taking back what the user agreed to",
    # checks_directory.py, connector/attributes.py
    "check_directory": "directory {directory}",
    "directory_keeps_nothing": (
        "The directory “{directory}” is read only, so of its people nothing can be stored that the "
        "workspace keeps of a person ({names}): the drive cannot be connected, and databases "
        "cannot be opened from notebooks."
    ),
    "set_unsynced": (
        "Set the edit mode of the directory to UNSYNCED (User federation in the realm): what is "
        "stored stays in the realm, and nothing is written to the directory."
    ),
    "directory_is_read_only": "the directory “{directory}” of this person is read only ({why})",
    "and_consents": "{how}; its sessions and consents",
    # connector/user.py
    "gone_same_name": (
        "{found}; a directory brought in another account of the same name, with the id {sub}, to "
        "which nothing was done"
    ),
}
