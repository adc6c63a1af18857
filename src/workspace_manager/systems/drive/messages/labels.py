"""What people call the drive and its things: nouns without article, known before any call."""

from typing import Final

from workspace_manager.contract.message import English

LABELS: Final[dict[str, English]] = {
    "system": "drive",
    "account": "drive account",
    "app_password": "app password of the drive",
    "app_password_kept": "App password of the drive that the manager keeps",
    "own_app_passwords": "App passwords that the person made at the drive",
    "session": "Cookies of the drive",
    "goes_on": (
        "Drive: the account is disabled with everything in it. Folders shared with other "
        "people stay with them. The page of a public link is shut until the account is enabled "
        "again; a program that asks for the link's files by WebDAV still gets them."
    ),
    "step.disable_drive_account": "Disable the drive account",
    "step.disable_drive_account.ended": (
        "The drive account is disabled: neither an app password nor a session opens it."
    ),
    "step.enable_drive_account": "Enable the drive account",
    "step.enable_drive_account.ended": (
        "The drive account is enabled, with everything that was in it."
    ),
}
