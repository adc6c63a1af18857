"""Messages about people of a directory."""

from workspace_manager.contract.message import English

DIRECTORY: dict[str, English] = {
    # client/directory.py
    "looking_at_directory": "finding out which directory it is",
    # connector/directory.py
    "end_in_directory": (
        "The account of {person} comes from the directory “{directory}”. If it were deleted here, "
        "the next look-up would bring it back, enabled. It is therefore disabled, signed out and "
        "without any consent, but not deleted. End the entry in the directory, or exclude it from "
        "what the realm reads. Until then, do not enable the account in the realm, and do not "
        "remove the imported users there."
    ),
    "same_name_in_directory": (
        "The directory “{directory}” has brought in another account with the name {person} and the "
        "id {sub}. Only the name is the same, so the manager did not touch it. If it is the same "
        "person, disable that account in the realm and end the entry in the directory."
    ),
    "disabled_not_deleted": (
        "disabled, without sessions and consents, but not deleted, because the directory "
        "“{directory}” would bring it back"
    ),
    # client/sign_ins.py
    "looking_at_consents": "reading the user's consents",
    "revoking_consents": "revoking the user's consents",
    # checks_directory.py, connector/attributes.py
    "check_directory": "directory {directory}",
    "directory_keeps_nothing": (
        "The directory “{directory}” is read-only, so the manager cannot store anything for its "
        "people ({names}): they cannot connect the drive, and cannot open databases from notebooks."
    ),
    "set_unsynced": (
        "Set the edit mode of the directory to UNSYNCED (User federation in the realm). Stored "
        "values then stay in the realm, and nothing is written to the directory."
    ),
    "directory_is_read_only": "the directory “{directory}” of this person is read-only ({why})",
    "and_consents": "{how}; its sessions and consents",
    # connector/user.py
    "gone_same_name": (
        "{found}; a directory brought in another account with the same name and the id {sub}, "
        "which the manager did not touch"
    ),
}
