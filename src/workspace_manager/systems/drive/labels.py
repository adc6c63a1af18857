"""What people call the drive and its things: nouns without article, known before any call."""

from workspace_manager.contract.message import Catalogue

label = Catalogue(
    "drive_labels",
    __file__,
    {
        "system": "drive",
        "account": "drive account",
        "app_password": "app password of the drive",
        "app_password_kept": "App password of the drive",
        "session": "Cookies of the drive",
        "not_shut": (
            "Nobody signs in to the drive without the identity provider, where a suspension "
            "disables the person. What was synchronised with an app password goes on: a "
            "suspension keeps everything, the app password too."
        ),
    },
)
