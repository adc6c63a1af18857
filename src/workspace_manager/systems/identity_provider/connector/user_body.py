"""The provider's document of a user, made from a wanted state."""

from typing import Any

from workspace_manager.contract.connector import Facts
from workspace_manager.systems.identity_provider.names import LOCALE_ATTRIBUTE, TIMEZONE_ATTRIBUTE

MEMBERS = {
    "email": "email",
    "first_name": "firstName",
    "last_name": "lastName",
    "email_verified": "emailVerified",
}
"""Our names of a user's members, and the provider's."""

ATTRIBUTES_OF_A_PERSON = {"locale": LOCALE_ATTRIBUTE, "timezone": TIMEZONE_ATTRIBUTE}
FLAGS = {"enabled", "email_verified"}


def body_of(username: str, after: Facts) -> dict[str, Any]:
    """Return the members and attributes of a wanted state, without empty ones."""
    body: dict[str, Any] = {"username": username, "attributes": {}}
    for name, wish in after.items():
        if name in MEMBERS and wish not in {None, ""}:
            body[MEMBERS[name]] = wish
        elif name in ATTRIBUTES_OF_A_PERSON and wish not in {None, ""}:
            body["attributes"][ATTRIBUTES_OF_A_PERSON[name]] = [wish]
    return body


def altered_body(user: dict[str, Any], after: Facts) -> dict[str, Any]:
    """Return the present user with the wanted values, because a write with attributes replaces
    names and e-mail, too.

    See docs/systems/identity-provider.md#changing-a-user.
    """
    body = {name: user[name] for name in ("username", *MEMBERS.values()) if name in user}
    wished = body_of(str(user["username"]), after)
    attributes = {**(user.get("attributes") or {}), **wished.pop("attributes")}
    if "enabled" in after:
        body["enabled"] = after["enabled"]
    return {**body, **wished, "attributes": attributes}
