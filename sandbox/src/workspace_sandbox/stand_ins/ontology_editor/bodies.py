"""The editor's reading of what it is sent: Jackson's rules for a new project and for a permission,
with its sentences.
"""

import json
from typing import Any

from aiohttp import web

from workspace_sandbox.stand_ins.ontology_editor.pages import answer_error, mapping_error

SHARED = "edu.stanford.bmir.protege.web.shared"
NEW_PROJECT = f"{SHARED}.project.NewProjectSettings"
PERMISSIONS = ("VIEW", "COMMENT", "EDIT", "MANAGE")
MEMBERS = (
    ("projectOwner", "getProjectOwner"),
    ("displayName", "getDisplayName"),
    ("langTag", "getLangTag"),
    ("description", "getProjectDescription"),
)


class BadBody(Exception):
    """A body that gets this answer."""

    def __init__(self, response: web.Response) -> None:
        super().__init__(response.status)
        self.response = response


def first_document(body: bytes) -> Any:
    """Read the first JSON document of a body; what follows it is ignored, a byte order mark too.
    None: empty or null.
    """
    try:
        text = body.decode("utf-8-sig").lstrip()
    except UnicodeDecodeError as wrong:
        byte = wrong.object[min(wrong.start + 1, len(wrong.object) - 1)]
        raise BadBody(
            mapping_error(f"Invalid UTF-8 middle byte 0x{byte:02x}", wrong.start + 2)
        ) from wrong
    if not text:
        return None
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except ValueError as wrong:
        said = "Unexpected end-of-input within/between Object entries"
        raise BadBody(mapping_error(said, len(text) + 1)) from wrong


def new_project(body: bytes) -> dict[str, str]:
    """Read a new project. All four members are needed; numbers become text, an object as owner
    becomes the guest.
    """
    found = first_document(body)
    if found is None:
        raise BadBody(answer_error(400, "Missing new project details in body of POST"))
    if not isinstance(found, dict):
        token = "START_ARRAY" if isinstance(found, list) else "VALUE_STRING"
        said = f"Cannot deserialize instance of `{NEW_PROJECT}` out of {token} token"
        raise BadBody(mapping_error(said, 1))
    values: dict[str, str] = {}
    for member, getter in MEMBERS:
        value = found.get(member)
        if value is None:
            said = f"Cannot construct instance of `{NEW_PROJECT}`, problem: Null {getter}"
            raise BadBody(mapping_error(said, len(body)))
        values[member] = _owner(value) if member == "projectOwner" else _string(value, member)
    return values


def _owner(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "guest"
    chain = f' (through reference chain: {NEW_PROJECT}["projectOwner"])'
    said = (
        f"Cannot construct instance of `{SHARED}.user.UserId` (although at least one "
        f"Creator exists): no int/Int-argument "
        f"constructor/factory method to deserialize from Number value ({value})"
    )
    raise BadBody(mapping_error(said, 18, chain))


def _string(value: Any, member: str) -> str:
    if isinstance(value, dict | list):
        token = "START_OBJECT" if isinstance(value, dict) else "START_ARRAY"
        said = f"Cannot deserialize instance of `java.lang.String` out of {token} token"
        raise BadBody(
            mapping_error(said, 42, f' (through reference chain: {NEW_PROJECT}["{member}"])')
        )
    return value if isinstance(value, str) else json.dumps(value)


def permission(body: bytes) -> str:
    """Read a permission; a number counts as its place in the enumeration."""
    found = first_document(body)
    value = found.get("permission") if isinstance(found, dict) else None
    if value is None:
        raise BadBody(answer_error(400, "Missing permission in body of PUT"))
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(PERMISSIONS):
        return PERMISSIONS[value]
    if value in PERMISSIONS:
        return str(value)
    said = (
        f"Cannot deserialize value of type `{SHARED}.sharing.SharingPermission` from "
        f'String "{value}": not one of the values '
        "accepted for Enum class: [EDIT, MANAGE, COMMENT, VIEW]"
    )
    cls = "edu.stanford.bmir.protege.web.server.api.resources.CollaboratorPermission"
    raise BadBody(mapping_error(said, 16, f' (through reference chain: {cls}["permission"])'))
