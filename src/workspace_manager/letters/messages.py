"""What letters say besides their templates, in English; in German beside it."""

from typing import Final

from workspace_manager.contract.message import Catalogue, English

KINDS: Final = {
    "confirm_email": "the link that confirms the address",
    "approved": "the registration was approved",
    "rejected": "the registration was turned down",
    "expires_soon": "the registration ends soon",
    "expired": "the registration ended",
    "removal_finished": "the removal of somebody is finished",
    "suspension_ends": "a suspension ends soon",
    "access_ends": "the end date of somebody comes",
    "by_administrator": "what an administrator wrote",
    "opened": "somebody else gave access to what is yours",
    "happened": "what somebody else did to what one had",
    "notice": "what waits",
    "notice_over": "what is over",
    "notice_digest": "what waits, once a day",
}
"""What letters are about, as a timeline says it."""
HAPPENED: Final[dict[str, English]] = {
    "an_administrator": "An administrator",
    "more": "and {count} more",
    "with_lines": "{what}: {lines}",
    # Somebody leaves.
    "leaves": "{name} leaves the workspace, and with it ends what you used",
    "ends.project": "the project “{label}”",
    "ends.component": "“{label}” in the project “{project}”",
    "stays": "“{label}” stays yours and is in no project any more",
    # A project changes hands.
    "handed_over.new": "The project “{label}” of {name} is yours now.",
    "handed_over.old": "Your project “{label}” belongs to {to} now.",
    "handed_over.member": (
        "The project “{label}” of {name} belongs to {to} now. You stay a member."
    ),
    # Somebody deletes, moves, or takes out.
    "project_deleted": "{by} deletes the project “{label}”, of which you were a member.",
    "project_deleted.own": "{by} deletes your project “{label}”.",
    "deleted": "{by} deletes “{label}” in the project “{project}”, which you used.",
    "deleted.own": "{by} deletes your “{label}”.",
    "moved_out": ("{by} took “{label}” out of the project “{project}”. You use it no longer."),
    "moved_out.own": "{by} took your “{label}” out of the project “{project}”.",
    "left_with": "{name} left the project “{project}”. You no longer use: {labels}",
    "taken_out": "{by} took you out of the project “{label}”.",
    "request_rejected": "{by} turned down your request to join the project “{label}”.",
    "role_changed": "{by} changed what you may do in the project “{label}”: {role}",
    "role.read": "read",
    "role.write": "read and write",
    "role.manage": "read, write, and decide about members",
    # Access of one's own.
    "administrator_removed": "{by} took the role of an administrator from you.",
    "permission_taken": "{by} took a permission from you: {permission}",
    "token_ended": "{by} ended your API token “{name}”.",
    "relinked": (
        "Your account here was linked to another account of the identity provider. You sign in "
        "with that one from now on, and your new keys are on the page Service keys. If you "
        "did not expect this, ask an administrator."
    ),
    "suspended": (
        "Your access to the workspace is suspended. Nothing of yours is deleted, and your "
        "passwords stay; API tokens have ended. Ask an administrator if you did not expect "
        "this."
    ),
    "suspended.until": (
        "Your access to the workspace is suspended until {until}. Nothing of yours is deleted, "
        "and your passwords stay; API tokens have ended. Ask an administrator if you did not "
        "expect this."
    ),
    "resumed": (
        "Your access to the workspace is open again, with the passwords you had. API tokens "
        "have ended: make new ones under My settings."
    ),
    # What a letter is called whose sentence is longer than one line.
    "subject": "What has changed for you in the workspace",
}
"""What happened to somebody, in a letter about it."""

message = Catalogue(
    "letters",
    __file__,
    {**KINDS, **HAPPENED},
    codes={
        **{key: f"letter_kind.{key}" for key in KINDS},
        **{key: f"happened.{key}" for key in HAPPENED},
    },
)
