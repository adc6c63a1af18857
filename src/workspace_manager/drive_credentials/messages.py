"""What is said about connecting a person with the drive."""

from workspace_manager.contract.message import Catalogue

message = Catalogue(
    "drive_credentials",
    __file__,
    {
        "no_token": (
            "Connecting this way takes a sign-in that is still good; an API token is none. "
            "Sign out and in again, or connect in the browser."
        ),
        "token_not_taken": (
            "The drive did not take your sign-in. Connect in the browser; if that does not work "
            "either, tell an administrator."
        ),
        "token_of_another": (
            "The drive takes your sign-in for another account than yours, so nothing was "
            "connected. Tell an administrator."
        ),
        "token_makes_nothing": (
            "The drive took your sign-in and gave no app password for it. Connect in the browser."
        ),
        "app_password_not_made": (
            "The drive took your sign-in, and its app password could not be made. Administrators "
            "have been told. Connect in the browser until then."
        ),
        "not_stored": (
            "What opens the drive for you could not be stored at the identity provider, so nothing "
            "was connected. Administrators have been told; another try helps nothing until then."
        ),
        "stored_half": ("Only one half of what opens the drive for you was stored. Connect again."),
        "stored_anothers": (
            "What was stored opens an account at the drive that is not yours. Connect again."
        ),
        "stored_refused": (
            "The drive refuses the app password that was stored: it was revoked there, or the "
            "account was made anew. Connect again."
        ),
        "session_left": (
            "A session that connecting opened at the drive could not be ended from here. It ends "
            "by itself after a day without use; an administrator of the drive can end it at once: "
            "occ user:auth-tokens:list {account}, then user:auth-tokens:delete."
        ),
        "too_many_flows": (
            "Too many sign-ins at the drive are open. Finish one of them, or try again in 20 "
            "minutes."
        ),
        "not_in_browser": (
            "The drive does not allow connecting in the browser. Connect with your sign-in; if "
            "that does not work either, tell an administrator."
        ),
        "not_in_browser_and_no_token": (
            "The drive does not allow connecting in the browser. Tell an administrator."
        ),
        "not_granted": (
            "The drive has not let you on for ten minutes, so connecting in the browser is of no "
            "use, as at a drive that refuses such sign-ins. Connect with your sign-in; if that "
            "does not work either, tell an administrator."
        ),
        "not_granted_and_no_token": (
            "The drive has not let you on for ten minutes, so connecting in the browser is of no "
            "use, as at a drive that refuses such sign-ins. Tell an administrator."
        ),
        "nobody": (
            "The drive gave access to nobody: it does not know you by that sign-in, so nothing was "
            "connected. Connect with your sign-in instead."
        ),
        "nobody_and_no_token": (
            "The drive gave access to nobody: it does not know you by that sign-in, so nothing was "
            "connected. Tell an administrator."
        ),
        "other_case": (
            "You signed in at the drive with your account's name in another case, so nothing was "
            "connected: the app password would not be found. Start again, and sign in there as "
            "“{account}”."
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
        "busy": (
            "your connection is being changed at this moment, in another window or by a sign-in"
        ),
        "connecting": "connecting the drive",
        "soon": "Try again in a few seconds.",
        "still_shut": "the drive account is still shut by a suspension that has ended",
        "still_shut.advice": "It is opened in a moment; what is stored stays.",
        "not_shown_yet": "the attributes were written, but a fresh look does not show them yet",
    },
)
