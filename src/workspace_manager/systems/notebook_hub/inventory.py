"""Inventory of the hub: containers and volumes with the hub's names, from the engine, and the other
servers that the hub lists.

A container with such a name is ignored if its image is no notebook's and it names no owner. If the
token may list users, the hub's list is read to its end, too, for servers in containers with other
names. Pages are ordered by name, so that a deletion in between moves nothing.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.inventory import InventoryEntry, Page, in_order, in_parts
from workspace_manager.contract.message import Message
from workspace_manager.systems.notebook_hub.checks_servers import unfiltered_scopes
from workspace_manager.systems.notebook_hub.client.calls import Server
from workspace_manager.systems.notebook_hub.client.users import LISTING, all_users
from workspace_manager.systems.notebook_hub.connector import NotebookHub
from workspace_manager.systems.notebook_hub.connector.notebooks import container_of
from workspace_manager.systems.notebook_hub.messages import message
from workspace_manager.systems.notebook_hub.names import (
    KIND,
    VOLUME_KIND,
    fits_rule,
    hub_user,
    listed_container,
    user_in,
    volume_target,
)
from workspace_manager.systems.notebook_hub.ownership import (
    Ownership,
    claimed_user,
    looks_spawned,
    ownership_of,
)
from workspace_manager.systems.notebook_hub.settings import Settings

CONTAINERS: Final = 50
"""The most containers of a page; each takes a call."""
VOLUMES: Final = 500
SERVERS: Final = 500


def inventory(system: System, cursor: str) -> Page:
    """Return the page from the cursor: containers, volumes, then servers."""
    hub = cast(NotebookHub, system)
    engine = hub.containers
    parts: dict[str, Callable[[str], Page]] = {}
    if engine is not None:
        engine.require_everything()
        parts["containers"] = lambda after: _containers(hub.settings, engine, after)
        parts["volumes"] = lambda after: _volumes(hub.settings, engine, after)
    elif not hub.settings.asks_hub:
        raise Invalid(
            message("nothing_can_be_known"),
            kind=KIND,
            doing=message("listing_notebooks"),
            advice=message("configure_then_retry"),
        )
    if hub.settings.asks_hub:
        parts["servers"] = lambda after: _servers(hub, after)
    page = in_parts(parts, cursor)
    return replace(page, unsure=page.unsure | _left_out(hub))


def _left_out(hub: NotebookHub) -> frozenset[str]:
    """Return kinds that are not listed completely, because the engine or the hub is not
    configured.
    """
    kinds = frozenset[str]() if hub.containers else frozenset({KIND, VOLUME_KIND})
    return kinds if hub.settings.asks_hub else kinds | {KIND}


def _servers(hub: NotebookHub, after: str) -> Page:
    """Return servers that the hub lists and that have no container with the spawner's name. A token
    that may not list users shows none, which `check` reports.
    """
    client = hub.client()
    if not unfiltered_scopes(client.me().get("scopes")) & LISTING:
        return Page((), unsure=frozenset({KIND}))
    users, odd = all_users(client)
    engine = hub.containers
    prefix = hub.settings.container_name_prefix
    shown = set(engine.each_name(prefix).names) if engine else set[str]()
    listed = {
        one.name: one
        for user in users
        for server in user.servers or ()
        if server.active
        for one in [_server(hub.settings, user.name, server)]
        if one.name not in shown
    }
    listed |= {one.name: one for one in map(_odd, odd)}
    page, following = in_order(listed, after, SERVERS)
    return Page(tuple(listed[name] for name in page), following)


def _server(settings: Settings, user: str, server: Server) -> InventoryEntry:
    """Return the entry of a server. The hub names its user, and the hub or the settings its
    container.
    """
    name = container_of(server, user, settings.spawner_names)
    theirs = hub_user(user) == user
    return InventoryEntry(
        kind=KIND,
        target=listed_container(name, user),
        name=name,
        seen=message("seen_server", server=f"{user}/{server.name}"),
        username=user if theirs else "",
        open=True,
        kept=None if theirs else message("kept_in_other_case"),
    )


def _odd(place: int) -> InventoryEntry:
    """Return the entry of an odd item of the list of users, which is named by its place and never
    changed.
    """
    return _unread(KIND, f"/hub/api/users#{place}", message("seen_odd_user", place=place))


def _odd_of_engine(kind: str, odd: Iterable[int], where: str) -> dict[str, InventoryEntry]:
    """Return odd entries of the engine's lists by a name that no container and no volume can
    have.
    """
    return {
        one.name: one
        for place in odd
        for text in [message("seen_odd_entry", place=place, where=where)]
        for one in [_unread(kind, f"{where}#{place}", text)]
    }


def _unread(kind: str, name: str, text: Message) -> InventoryEntry:
    target = listed_container(name, "") if kind == KIND else volume_target(name)
    return InventoryEntry(kind=kind, target=target, name=name, seen=text, kept=text, unread=True)


def _containers(settings: Settings, engine: ContainerEngine, after: str) -> Page:
    every = engine.each_name(settings.container_name_prefix)
    odd = _odd_of_engine(KIND, every.odd, "/containers/json")
    names, following = in_order([*every.names, *odd], after, CONTAINERS)
    listed = [odd[name] for name in names if name in odd]
    for name in names:
        if name in odd:
            continue
        try:
            found = engine.inspect(name)
        except NotFound:
            continue  # It was deleted meanwhile.
        except Invalid:
            listed.append(_unread(KIND, name, message("seen_odd_container", name=name)))
            continue
        if claimed_user(found) or looks_spawned(found, settings):
            listed.append(_container(settings, name, found))
    return Page(tuple(listed), following)


def _container(settings: Settings, name: str, found: ContainerState) -> InventoryEntry:
    """Return the entry of a container. The owner that it names counts if the spawner made it by all
    evidence; its name proves nothing.
    """
    said, rule = claimed_user(found), settings.spawner_names
    derived = user_in(name, prefix=rule.prefix, escape=rule.escape)
    proven = bool(said) and ownership_of(found, said, settings) is Ownership.THEIRS
    kept = None if proven or (derived and not said) else message("kept_of_nobody")
    if said and not proven:
        kept = message("kept_component" if found.component else "kept_unproven")
    return InventoryEntry(
        kind=KIND,
        target=listed_container(name, said or derived),
        name=name,
        seen=_description(name, found.status, said, derived),
        username=hub_user(said) if proven else "",
        open=not found.stopped,
        kept=kept,
    )


def _description(name: str, status: str, said: str, derived: str) -> Message:
    if said:
        return message("seen_container", name=name, status=status, user=said)
    if derived:
        return message("seen_container_by_name", name=name, status=status, user=derived)
    return message("seen_container_of_nobody", name=name, status=status)


def _volumes(settings: Settings, engine: ContainerEngine, after: str) -> Page:
    """Return the volumes. Without a prefix they cannot be told apart from others."""
    prefix, escape = settings.volume_name_prefix, settings.container_name_escape
    if not prefix:
        return Page((), unsure=frozenset({VOLUME_KIND}))
    found = engine.each_volume_name(prefix)
    odd = _odd_of_engine(VOLUME_KIND, found.odd, "/volumes")
    theirs = [
        one for one in found.names if one != prefix and fits_rule(one, prefix=prefix, escape=escape)
    ]
    page, following = in_order([*theirs, *odd], after, VOLUMES)
    return Page(tuple(odd.get(name) or _volume(settings, name) for name in page), following)


def _volume(settings: Settings, name: str) -> InventoryEntry:
    """Return the entry of a volume. Its holder is the container of the same person: both names have
    the same escape.
    """
    tail = name.removeprefix(settings.volume_name_prefix)
    return InventoryEntry(
        kind=VOLUME_KIND,
        target=volume_target(name),
        name=name,
        seen=message("seen_volume", name=name),
        kept=message("kept_volume"),
        holders=(settings.container_name_prefix + tail,),
    )
