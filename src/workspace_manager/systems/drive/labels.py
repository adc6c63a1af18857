"""What people call the drive and its things: nouns without article, known before any call."""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "drive_labels",
    __file__,
    {
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
    },
)
