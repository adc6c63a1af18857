"""A user as the wire has it, made of what a change wishes."""

from typing import Any

from workspace_manager.contract.connector import Facts
from workspace_manager.systems.identity_provider.names import LOCALE_ATTRIBUTE, TIMEZONE_ATTRIBUTE

MEMBERS = {
    "email": "email",
    "first_name": "firstName",
    "last_name": "lastName",
    "email_verified": "emailVerified",
}
"""Our word for a member of the user, and the wire's."""

ATTRIBUTES_OF_A_PERSON = {"locale": LOCALE_ATTRIBUTE, "timezone": TIMEZONE_ATTRIBUTE}
FLAGS = {"enabled", "email_verified"}


def body_of(username: str, after: Facts) -> dict[str, Any]:
    """Return the members and attributes that a wish names; empty ones are left out."""
    body: dict[str, Any] = {"username": username, "attributes": {}}
    for name, wish in after.items():
        if name in MEMBERS and wish not in {None, ""}:
            body[MEMBERS[name]] = wish
        elif name in ATTRIBUTES_OF_A_PERSON and wish not in {None, ""}:
            body["attributes"][ATTRIBUTES_OF_A_PERSON[name]] = [wish]
    return body


def altered_body(user: dict[str, Any], after: Facts) -> dict[str, Any]:
    """Return the user as it is, with what the wish names: a write with attributes replaces names
    and e-mail as well.

    See docs/systems/identity-provider.md#changing-a-user.
    """
    body = {name: user[name] for name in ("username", *MEMBERS.values()) if name in user}
    wished = body_of(str(user["username"]), after)
    attributes = {**(user.get("attributes") or {}), **wished.pop("attributes")}
    if "enabled" in after:
        body["enabled"] = after["enabled"]
    return {**body, **wished, "attributes": attributes}
