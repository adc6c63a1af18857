"""Inventory of the realm: its users, the groups of knowledge stacks, and its clients. Other groups
are ignored.

A page that is not full is not the last one (client/paging.py). The provider counts pages, so a
deletion during the reading moves the rest by one: no listing is complete, and things that no page
shows are looked at one by one.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, cast

from workspace_manager.contract.connector import System, Target
from workspace_manager.contract.inventory import InventoryEntry, Page, in_parts, offset
from workspace_manager.contract.message import Message
from workspace_manager.systems.identity_provider.accounts import own_names
from workspace_manager.systems.identity_provider.client.answers import Odd
from workspace_manager.systems.identity_provider.client.groups import GROUP, group_mark
from workspace_manager.systems.identity_provider.client.listing import ListingClient
from workspace_manager.systems.identity_provider.client.users import USER, attribute
from workspace_manager.systems.identity_provider.connector import IdentityProvider
from workspace_manager.systems.identity_provider.connector.client import CLIENT
from workspace_manager.systems.identity_provider.messages import message
from workspace_manager.systems.identity_provider.names import (
    BUILT_IN_CLIENTS,
    CLIENT_MARK,
    GROUP_MARK,
    MARK_ATTRIBUTE,
    SERVICE_ACCOUNT_PREFIX,
    group_target,
    stack_client_target,
    stack_of_group,
    user_target,
)

USERS: Final = 500
"""A page of 500 takes about as long as one of 100."""
GROUPS: Final = 50
"""The members of each group take a call."""
CLIENTS: Final = 100


def inventory(system: System, cursor: str) -> Page:
    """Return the page from the cursor: users, then groups, then clients."""
    listing = cast(IdentityProvider, system).listing
    parts = {
        "users": lambda begins: _users(listing, offset(begins)),
        "groups": lambda begins: _groups(listing, offset(begins)),
        "clients": lambda begins: _clients(listing, offset(begins)),
    }
    return replace(in_parts(parts, cursor), unsure=frozenset({USER, GROUP, CLIENT}))


def _page(listed: Iterable[InventoryEntry], begins: int | None) -> Page:
    return Page(tuple(listed), "" if begins is None else str(begins))


def _odd(kind: str, target: Target, odd: Odd) -> InventoryEntry:
    """Return the entry of an unreadable item, which is named and left alone."""
    seen = message("seen_odd", name=odd.name)
    kept = message("kept_odd")
    return InventoryEntry(
        kind=kind, target=target, name=odd.name, seen=seen, kept=kept, unread=True
    )


# --- users ----------------------------------------------------------------------------------------


def _users(listing: ListingClient, first: int) -> Page:
    own = own_names(listing.wire.settings)
    users, begins = listing.users(first, USERS)
    administrators = listing.administrators(again=not first)
    listed = (
        _odd(USER, user_target(user.name, ""), user)
        if isinstance(user, Odd)
        else _user(user, own.has(user["username"]), administrators)
        for user in users
    )
    return _page(listed, begins)


def _user(user: dict[str, Any], own: bool, administrators: frozenset[str] | None) -> InventoryEntry:
    sub, username = str(user["id"]), str(user["username"])
    target = user_target(sub, username)
    enabled = user.get("enabled") is True
    service = own or username.startswith(SERVICE_ACCOUNT_PREFIX) or _is_service(user)
    names = (user.get("firstName") or "", user.get("lastName") or "")
    return InventoryEntry(
        kind=USER,
        target=target,
        name=sub,
        seen=_description(username, enabled, administrators is not None),
        sub=sub,
        username=username,
        email=user.get("email") or "",
        email_confirmed=user.get("emailVerified") is True,
        full_name=" ".join(name for name in names if name),
        open=enabled,
        ours=bool(attribute(user, MARK_ATTRIBUTE)),
        kept=message("kept_own_name") if service else _kept_role(sub, administrators),
    )


def _description(username: str, enabled: bool, roles_shown: bool) -> Message:
    if roles_shown:
        return message("seen_user" if enabled else "seen_disabled_user", username=username)
    hidden = "seen_user_roles_hidden" if enabled else "seen_disabled_user_roles_hidden"
    return message(hidden, username=username)


def _kept_role(sub: str, administrators: frozenset[str] | None) -> Message | None:
    return message("kept_administrator") if sub in (administrators or ()) else None


def _is_service(user: dict[str, Any]) -> bool:
    return bool(user.get("serviceAccountClientId"))


# --- groups and clients of knowledge stacks -------------------------------------------------------


def _groups(listing: ListingClient, first: int) -> Page:
    groups, begins = listing.groups(first, GROUPS)
    listed = (
        _odd(GROUP, group_target(group.name, ""), group)
        if isinstance(group, Odd)
        else _group(listing, group)
        for group in groups
        if isinstance(group, Odd) or stack_of_group(_name(group))
    )
    return _page(listed, begins)


def _name(group: dict[str, Any]) -> str:
    return str(group.get("name") or "")


def _group(listing: ListingClient, group: dict[str, Any]) -> InventoryEntry:
    """Return the entry of a group. Its members are read only if it has our mark: another group may
    contain everybody.
    """
    name, mark = _name(group), group_mark(group, GROUP_MARK)
    members = listing.members(str(group.get("id"))) if mark else []
    seen = (
        message("seen_group", group=name, n=len(members))
        if mark
        else message("seen_group_without_mark", group=name)
    )
    return InventoryEntry(
        kind=GROUP,
        target=group_target(name, mark),
        name=name,
        seen=seen,
        ours=bool(mark),
        kept=None if mark else message("kept_without_mark"),
        holders=tuple(members),
    )


def _clients(listing: ListingClient, first: int) -> Page:
    clients, begins = listing.clients(first, CLIENTS)
    listed = (
        _odd(CLIENT, stack_client_target(client.name, ""), client)
        if isinstance(client, Odd)
        else _client(client)
        for client in clients
    )
    return _page(listed, begins)


def _client(client: dict[str, Any]) -> InventoryEntry:
    client_id = str(client["clientId"])
    mark = str((client.get("attributes") or {}).get(CLIENT_MARK) or "")
    return InventoryEntry(
        kind=CLIENT,
        target=stack_client_target(client_id, mark),
        name=client_id,
        seen=message("seen_client", client_id=client_id),
        ours=bool(mark),
        kept=None if mark else _kept_reason(client_id),
    )


def _kept_reason(client_id: str) -> Message:
    return message("kept_built_in" if client_id in BUILT_IN_CLIENTS else "kept_without_mark")
