"""An entry of the audit as a sentence: who did what, to whom, and what matters besides.

An entry outlives the code that wrote it, and a system of others may note what nobody here knows: of
such an entry the name and whom it is about are said.
"""

from datetime import UTC, datetime
from typing import Final, TypeAlias

from pydantic import JsonValue

from workspace_manager.audit.messages import message
from workspace_manager.audit.note import MANAGER
from workspace_manager.contract.message import Message, Person, fields, quote_words
from workspace_manager.core.connected_systems import label_of
from workspace_manager.core.timestamps import parse_moment
from workspace_manager.records.models import AuditEntry

BESIDES: Final = (
    ".until",
    ".reason",
    ".role",
    ".text",
    ".address",
    ".entries",
    ".accounts",
    ".act",
    ".what",
    ".why",
    "",
)
"""What is said when it is known, before what is always said."""
COMMAND_LINE: Final = "command line"
Known: TypeAlias = int | str | datetime | Person | Message


def sentence_of(entry: AuditEntry) -> Message:
    """The sentence of an entry."""
    known = _params(entry)
    for besides in BESIDES:
        key = f"{entry.event}{besides}"
        if key in message.english and (asked := fields(message.english[key])) <= known.keys():
            return message(f"{entry.event}{besides}", **{name: known[name] for name in asked})
    if entry.subject:
        subject = Person(person=entry.subject)
        return message(
            "unknown", actor=resolve_actor(entry.actor), event=entry.event, subject=subject
        )
    return message("unknown.bare", actor=resolve_actor(entry.actor), event=entry.event)


def resolve_actor(actor: str) -> Person | Message:
    """Return who did it, as a sentence begins."""
    if actor == MANAGER:
        return message("the_manager")
    if not actor:
        return message("somebody")
    if actor.startswith(COMMAND_LINE):
        account = actor.removeprefix(COMMAND_LINE).strip(" ()")
        return message("command_line", account=account) if account else message("somebody")
    return Person(person=actor)


def _params(entry: AuditEntry) -> dict[str, Known]:
    details = entry.details if isinstance(entry.details, dict) else {}
    known: dict[str, Known] = {}
    for name, value in details.items():
        if (said := _said(name, value)) is not None:
            known[name] = said
    return {
        **known,
        "actor": resolve_actor(entry.actor),
        "subject": Person(person=entry.subject),
        "of": label_of(entry.subject),
    }


def _said(name: str, value: JsonValue) -> Known | None:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        return None
    if isinstance(value, int):
        return value
    match name:
        case "until":
            return _moment(value)
        case "role" | "act" | "what" | "why":
            known = f"{name}.{value}" in message.english
            return message(f"{name}.{value}") if known else quote_words(value)
        case "system":
            return label_of(value)
        case "to":
            return Person(person=value)
    return value


def _moment(text: str) -> datetime | str:
    # A day is said as it is: as a moment it would be the day before in zones behind UTC.
    if len(text) == len("2027-01-31"):
        return text
    try:
        return parse_moment(text, UTC)
    except ValueError:
        return text
