"""Texts of letters besides their templates, in English; the German is beside this file."""

from typing import Final

from workspace_manager.contract.message import Catalogue, English

KINDS: Final = {
    "confirm_email": "confirm the e-mail address",
    "approved": "registration approved",
    "rejected": "registration rejected",
    "expires_soon": "registration expires soon",
    "expired": "registration expired",
    "removal_finished": "removal finished",
    "suspension_ends": "suspension ends soon",
    "access_ends": "access ends soon",
    "by_administrator": "message from an administrator",
    "opened": "shared by somebody else",
    "happened": "changes by others",
    "notice": "new inbox item",
    "notice_over": "inbox item resolved",
    "notice_digest": "inbox, once a day",
}
"""What letters are about, as a timeline says it."""
HAPPENED: Final[dict[str, English]] = {
    "an_administrator": "An administrator",
    "more": "and {count} more",
    "with_lines": "{what}: {lines}",
    # Somebody leaves.
    "leaves": "{name} is leaving the workspace, and you lose access",
    "ends.project": "the project “{label}”",
    "ends.component": "“{label}” in the project “{project}”",
    "stays": "“{label}” stays yours and is no longer in a project",
    # A project changes hands.
    "handed_over.new": "The project “{label}” of {name} belongs to you now.",
    "handed_over.old": "Your project “{label}” belongs to {to} now.",
    "handed_over.member": (
        "The project “{label}” of {name} belongs to {to} now. You stay a member."
    ),
    # Somebody deletes, moves, or takes out.
    "project_deleted": "{by} deleted the project “{label}”, of which you were a member.",
    "project_deleted.own": "{by} deleted your project “{label}”.",
    "deleted": "{by} deleted “{label}” in the project “{project}”, which you used.",
    "deleted.own": "{by} deleted your “{label}”.",
    "replaced": (
        "{by} restores the snapshot “{snapshot}” in place of the content of “{label}”, which you "
        "use. Connections to it end when the content is replaced."
    ),
    "replaced.programs": (
        "{by} restores the snapshot “{snapshot}” in place of the content of “{label}”, which you "
        "use. Its programs stop while the content is kept and while it is replaced."
    ),
    "replaced.own": (
        "{by} restores the snapshot “{snapshot}” in place of the content of your “{label}”. "
        "The present content is kept as a snapshot first."
    ),
    "moved_out": (
        "{by} removed “{label}” from the project “{project}”. You no longer have access to it."
    ),
    "moved_out.own": "{by} removed your “{label}” from the project “{project}”.",
    "left_with": "{name} left the project “{project}”. You no longer have access to: {labels}",
    "taken_out": "{by} removed you from the project “{label}”.",
    "request_rejected": "{by} rejected your request to join the project “{label}”.",
    "role_changed": "{by} changed your role in the project “{label}”: {role}",
    "role.read": "read",
    "role.write": "read and write",
    "role.manage": "read, write and manage members",
    # Access of one's own.
    "administrator_removed": "{by} removed your administrator role.",
    "permission_taken": "{by} revoked your permission: {permission}",
    "token_ended": "{by} revoked your API token “{name}”.",
    "relinked": (
        "Your account here was linked to another account at the identity provider. Sign "
        "in with that account from now on. Your new keys are on the page Service keys. "
        "Ask an administrator if you did not expect this."
    ),
    "suspended": (
        "Your access to the workspace is suspended. Your data and passwords are kept; "
        "API tokens are revoked. Ask an administrator if you did not expect this."
    ),
    "suspended.until": (
        "Your access to the workspace is suspended until {until}. Your data and "
        "passwords are kept; API tokens are revoked. Ask an administrator if you did "
        "not expect this."
    ),
    "resumed": (
        "Your access to the workspace is restored. Your passwords have not changed. API "
        "tokens were revoked; create new ones under My settings."
    ),
    # What a letter is called whose sentence is longer than one line.
    "subject": "Changes that affect you in the workspace",
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
