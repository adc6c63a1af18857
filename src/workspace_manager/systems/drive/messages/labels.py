"""Labels of the drive and its things: nouns without article, known before any call."""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "drive",
    "account": "drive account",
    "counted.account": ("account", "accounts"),
    "app_password": "app password of the drive",
    "counted.app_password": ("app password", "app passwords"),
    "app_password_kept": "Drive app password stored by the manager",
    "own_app_passwords": "Drive app passwords created by the person",
    "session": "Drive cookies",
    "goes_on": (
        "Drive: the account is disabled, with everything in it. Other people keep the folders that "
        "are shared with them. The page of a public link is closed until the account is enabled "
        "again. A program that uses the link through WebDAV still gets the files."
    ),
    "step.disable_drive_account": "Disable the drive account",
    "step.disable_drive_account.ended": (
        "The drive account is disabled. App passwords and sessions no longer work."
    ),
    "step.enable_drive_account": "Enable the drive account",
    "step.enable_drive_account.ended": ("The drive account is enabled, with all its files."),
    # What a change does, before the label of its thing.
    "action.enable": "Enable",
    "action.disable": "Disable",
    "action.revoke": "Revoke",
}
