"""All users of the hub, read to the end of the list."""

from workspace_manager.contract.paging import Reading
from workspace_manager.systems.notebook_hub.client.calls import PAGE, Client, User, user_of
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import KIND

LISTING = frozenset({"list:users", "admin:users"})
"""Scopes, one of which a token needs to list users."""


def all_users(client: Client) -> tuple[list[User], list[int]]:
    """Return every user once, and the places of entries that are no user. A short page is not taken
    for the last one, because the hub may have a lower limit.

    Raises Denied without the scope, and Invalid for a list without an end.
    """
    users: dict[str, User] = {}
    odd: list[int] = []
    reading = Reading(PAGE, counts=lambda: client.users(0)[1])
    while not reading.ended:
        first = reading.first
        entries, _ = client.users(first)
        keys: list[str] = []
        for place, entry in enumerate(entries, start=first + 1):
            user = user_of(entry)
            keys.append(user.name if user else f"/{place}")  # A name has no slash.
            if user:
                users.setdefault(user.name, user)
            elif place not in odd:
                odd.append(place)
        reading.take(keys, kind=KIND, doing=message("listing_users"))
    return list(users.values()), odd
