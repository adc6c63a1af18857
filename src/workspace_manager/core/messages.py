"""Messages of the core: names of states, refusals that every story shares, errors in a table, and
the state of a letter.
"""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from workspace_manager.contract.message import Catalogue, English, Message, quote_words

RECORDS: Final[dict[str, English]] = {
    "records": "records",
    "snapshot": "snapshot",
    "component": "component",
    "stack": "stack",
    "project": "project",
    "service_key": "service key",
    "counted.snapshot": ("snapshot", "snapshots"),
    "counted.stack": ("stack", "stacks"),
    "counted.project": ("project", "projects"),
    "counted.service_key": ("service key", "service keys"),
    "snapshots": "store of snapshots",
    "snapshot_content": "content of a snapshot",
    "restored_content": "restored content",
    "content_in_place": "content restored in place",
    "manager": "Workspace manager",
    "as_person": "Check as a person",
}
"""What people call our own records and what stands beside systems."""
UNREACHABLE: Final = {
    "finding": "finding the system",
    "unreachable.not_configured": "the {system} is not configured, but accounts are recorded there",
    "not_configured_advice": (
        "Configure the {system} under Systems, or finish this by hand and mark it here."
    ),
    "unsaid": "the connector of the {system} failed to name this person’s accounts",
    "unsaid_advice": (
        "Check the {system}; the check names the fault. Then look there yourself, remove "
        "this person’s data and mark it here."
    ),
    "not_installed": "the {system} is no longer installed, but accounts are recorded there",
    "not_installed_advice": (
        "Install the connector of the {system} again and retry, or remove the account there "
        "by hand and mark it here."
    ),
}
"""Of a system that is needed and cannot be asked at all."""
SIZES: Final[dict[str, English]] = {
    "size.bytes": ("{n} byte", "{n} bytes"),
    "size.kilobytes": "{whole}.{tenth} KB",
    "size.megabytes": "{whole}.{tenth} MB",
    "size.gigabytes": "{whole}.{tenth} GB",
    "size.terabytes": "{whole}.{tenth} TB",
}
"""How much space something takes, as the pages write it."""

TABLES: Final = {
    "table_rows": "A table has at most {most} rows. Split it.",
    "table_bytes": "The file is larger than {most} bytes. Split it.",
    "table_file": "The file cannot be read: {why}.",
    "table_empty": "The file is empty.",
    "table_encoding": "This is not UTF-8. Save the table as “CSV UTF-8”.",
    "table_nul": "Remove the NUL character from this line.",
    "table_line": "This is not valid CSV: {why}.",
    "table_column_unknown": "There is no column “{name}”. Columns are: {columns}.",
    "table_column_unnamed": "Column {number} has no name. Columns are: {columns}.",
    "table_column_twice": "The column “{name}” is there twice.",
    "table_column_missing": (
        "The column “{name}” is missing. The first line names the columns. Columns are: {columns}."
    ),
    "table_cells": (
        "Cells in this line: {cells}, columns: {columns}. Put cells that contain a separator into "
        "quotation marks."
    ),
    "table_cell_empty": "“{name}” is empty.",
    "table_formula": (
        "“{name}” is a formula ({text}). Put an apostrophe before text that begins like one."
    ),
    "table_doubled": "“{name}” {value} is already in line {line}.",
}
"""Errors in a table that somebody hands in."""

message = Catalogue(
    "core",
    __file__,
    {
        # States of people, registrations, requests, plans, steps, and of those at the door.
        "active": "active",
        "suspended": "suspended",
        "leaving": "being removed",
        "pending": "pending",
        "approved": "approved",
        "rejected": "rejected",
        "expired": "expired",
        "withdrawn": "withdrawn",
        "relinked": "linked again",
        "adopted": "admitted",
        "refused": "rejected",
        "draft": "draft",
        "running": "running",
        "waiting": "waiting",
        "stuck": "stuck",
        "done": "done",
        "stale": "stale",
        "superseded": "superseded",
        "already_gone": "already gone",
        "skipped": "skipped",
        "by_hand": "by hand",
        # Refusals.
        "nothing_held": "Nothing is on hold.",
        "not_yourself": "You cannot remove your own account. Ask another administrator.",
        "last_administrator": "{name} is the last active administrator. Add another one first.",
        "former_administrator": "{name} is no longer an administrator. Nothing was changed.",
        "no_identity_provider": "the identity provider is not configured",
        "gave_no_answer": "it was not available a moment ago",
        "being_asked": "it is being asked right now and takes long to answer",
        "asking": "checking whether a person may still sign in",
        "set_identity_provider": "Set its address and administrator under Systems.",
        "not_configured": (
            "The {system} is not configured. An administrator can set it up under Systems."
        ),
        "system_failed": "{system}, {doing}: {why}",
        "failed": "{doing}: {why}",
        "with_advice": "{why}. {advice}",
        "control_characters": "Leave out control characters.",
        **TABLES,
        # Letters.
        "example_subject": "The drive is not available on Friday",
        "example_text": (
            "The drive is not available on Friday from 18:00 to 19:00. Please save your work "
            "before."
        ),
        "example_reason": "Carla is away, and the deadline is tomorrow.",
        "example_opened": "ada gave bela access to your project “Herbarium”.",
        "at": "{moment}",
        "unreachable": "The mail server cannot be reached.",
        "slow": "The mail server did not answer in time.",
        "credential": "The mail server refused our user name or password.",
        "recipient": "The mail server refused the sender or the recipient.",
        "not_taken": "The mail server did not accept the e-mail.",
        "broke_off": "The mail server closed the connection during the e-mail.",
        "example.registration": "{name} wants to join.",
        "example.removal": ("{name} is removed. All 7 steps have ended and are verified."),
        "example.down": "The {system} does not answer.",
        "left_by_hand": "To do by hand: “{label}” ({name}) in its system.",
        "plan": "Plan",
        "step_ended": "Done and verified.",
        **RECORDS,
        **UNREACHABLE,
        **SIZES,
    },
    codes={
        "plan": "inbox.plan.",
        **{key: f"core_labels.{key}" for key in RECORDS},
        **{key: f"reachable.{key.removeprefix('unreachable.')}" for key in UNREACHABLE},
    },
)


StoredMessage: TypeAlias = Message | Mapping[str, Any] | str
"""A message, as it is or as a row keeps it; plain words are quoted."""


def parse_message(value: StoredMessage) -> Message:
    """A message as a row keeps it: its JSON, or plain words, which are quoted."""
    return Message.model_validate(value) if isinstance(value, Mapping) else quote_words(value)


def encode_message(message: Message | None) -> dict[str, Any] | None:
    """A message for programs: `{code, params}`. A moment is `{at}`; a message inside has this shape
    again.
    """
    if message is None:
        return None
    return {
        "code": message.code,
        "params": {
            name: encode_message(value)
            if isinstance(value, Message)
            else value
            if isinstance(value, int | str)
            else value.model_dump(mode="json")
            for name, value in message.params.items()
        },
    }
