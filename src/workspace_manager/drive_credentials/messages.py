"""What is said about connecting a person with the drive."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "drive_credentials",
    __file__,
    {
        "no_token": (
            "This session has no token of the identity provider any more. "
            "Sign out and in again, or connect in the browser."
        ),
        "no_flow": "No sign-in at the drive is under way. Start one, then come back.",
        "expired": "The sign-in at the drive took too long and has ended. Start it again.",
        "wrong_account": (
            "You signed in at the drive with another account than yours, so nothing was connected. "
            "Sign out of the drive in your browser, then start again."
        ),
        "not_set_up": "The drive is not set up yet. An administrator can do that under Systems.",
        "no_link": ("Nobody has signed in as this person yet, so there is no account to connect."),
        "not_active": (
            "Your access to this workspace has ended or is suspended; "
            "nothing is connected any more."
        ),
        "busy": "somebody else is just writing to this account",
        "connecting": "connecting the drive",
        "soon": "Try again in a few seconds.",
        "still_shut": "the drive account is still shut by a suspension that has ended",
        "still_shut.advice": "It is opened in a moment; what is stored stays.",
        "not_shown_yet": "the attributes were written, but a fresh look does not show them yet",
    },
)
