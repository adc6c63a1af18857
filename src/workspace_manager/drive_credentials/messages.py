"""Messages about connecting a person with the drive."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "drive_credentials",
    __file__,
    {
        "no_token": (
            "This needs a valid sign-in session; an API token is not enough. Sign out and in "
            "again, or connect in the browser."
        ),
        "token_not_taken": (
            "The drive rejected your sign-in. Connect in the browser. If that fails too, ask an "
            "administrator."
        ),
        "token_of_another": (
            "The drive assigns your sign-in to another account, so nothing was connected. Ask an "
            "administrator."
        ),
        "token_makes_nothing": (
            "The drive accepted your sign-in but created no app password. Connect in the browser."
        ),
        "app_password_not_made": (
            "The drive accepted your sign-in but could not create an app password. The "
            "administrators have been notified. Connect in the browser until then."
        ),
        "not_stored": (
            "Your drive credentials could not be stored at the identity provider, so nothing was "
            "connected. The administrators have been notified. Trying again does not help until "
            "they have corrected it."
        ),
        "stored_half": "Your stored drive credentials were incomplete. Connect again.",
        "stored_anothers": (
            "The stored credentials belong to another account at the drive. Connect again."
        ),
        "stored_refused": (
            "The drive rejects the stored app password: it was revoked there, or the account was "
            "created again. Connect again."
        ),
        "session_left": (
            "A session at the drive could not be ended from here. It ends after a day without "
            "use. An administrator of the drive can end it immediately: occ "
            "user:auth-tokens:list {account}, then user:auth-tokens:delete."
        ),
        "too_many_flows": (
            "Too many sign-ins at the drive are open. Finish one of them, or try again in 20 "
            "minutes."
        ),
        "not_in_browser": (
            "The drive does not allow connecting in the browser. Connect with your sign-in. If "
            "that fails too, ask an administrator."
        ),
        "not_in_browser_and_no_token": (
            "The drive does not allow connecting in the browser. Ask an administrator."
        ),
        "not_granted": (
            "The drive has not completed the sign-in for ten minutes; it may refuse sign-ins in "
            "the browser. Connect with your sign-in. If that fails too, ask an administrator."
        ),
        "not_granted_and_no_token": (
            "The drive has not completed the sign-in for ten minutes; it may refuse sign-ins in "
            "the browser. Ask an administrator."
        ),
        "nobody": (
            "The drive does not recognise you by that sign-in, so nothing was connected. Connect "
            "with your sign-in instead."
        ),
        "nobody_and_no_token": (
            "The drive does not recognise you by that sign-in, so nothing was connected. Ask an "
            "administrator."
        ),
        "other_case": (
            "You signed in at the drive with your account’s name in different upper and lower "
            "case, so nothing was connected: the app password would not be found. Start again "
            "and sign in there as “{account}”."
        ),
        "no_flow": "No sign-in at the drive is in progress. Start one, then come back.",
        "expired": "The sign-in at the drive took too long and has ended. Start it again.",
        "wrong_account": (
            "You signed in at the drive with another account, so nothing was connected. Sign out "
            "of the drive in your browser, then start again."
        ),
        "not_set_up": "The drive is not set up yet. An administrator can do that under Systems.",
        "no_link": "This person has never signed in, so there is no account to connect.",
        "not_active": (
            "Your access to this workspace has ended or is suspended, so nothing can be connected."
        ),
        "busy": "your connection is being changed right now, in another window or by a sign-in",
        "connecting": "connecting the drive",
        "soon": "Try again in a few seconds.",
        "still_shut": "the drive account is still disabled after the end of a suspension",
        "still_shut.advice": "It is enabled in a moment. Stored credentials stay.",
        "not_shown_yet": "the attributes were written, but are not visible yet",
    },
)
