"""Inventory of the container manager: our stacks, and the volumes that outlive them.

Only things with our mark are listed; notebooks belong to the notebook hub's inventory. A marked
thing without a project name cannot be addressed as a stack and is left out. An entry of another
shape is named by its place and hides no other one. Pages are ordered by name, so that a deletion in
between moves nothing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.inventory import InventoryEntry, Page, in_order, in_parts
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client import Client, Odd, Part, Stack
from workspace_manager.systems.container_manager.connector import ContainerManager, stack_file
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    MARK_LABEL,
    PROJECT_LABEL,
    STACK_KIND,
    STACK_PREFIX,
    VOLUMES_KIND,
    stack_in_place,
    stack_target,
    stack_volumes_target,
)

MOST: Final = 200
ROWS: Final = 50
"""Each stack without running containers takes one call for its file."""
Owned: TypeAlias = tuple[str, str]
"""The name of a stack and our mark."""


def inventory(system: System, cursor: str) -> Page:
    """Return the page from the cursor: stacks, rows of stacks without parts, volumes."""
    client = cast(ContainerManager, system).client
    client.require_everything()
    parts = {
        "stacks": lambda after: _stacks(client, after),
        "rows": lambda after: _rows(client, after),
        "volumes": lambda after: _volumes(client, after),
    }
    return in_parts(parts, cursor)


def _stacks(client: Client, after: str) -> Page:
    containers, networks = client.each_marked_container(), client.each_marked_network()
    counts = _count_parts([*containers, *networks])
    odd = _odd(STACK_KIND, containers, "/containers/json") | _odd(STACK_KIND, networks, "/networks")
    listed = [
        _stack(name, mark, message("seen_stack", stack=name, n=n))
        for (name, mark), n in counts.items()
    ]
    return _page(listed, odd, after)


def _rows(client: Client, after: str) -> Page:
    """Return stacks that Portainer knows and of which the engine shows nothing: failed
    creations.
    """
    if client.connection.direct:
        return Page(())
    found = client.each_stack()
    shown = {
        name
        for name, _ in _count_parts(
            [*client.each_marked_container(), *client.each_marked_network()]
        )
    }
    rows = {
        one.name: one.id
        for one in found
        if isinstance(one, Stack) and one.name.startswith(STACK_PREFIX) and one.name not in shown
    }
    odd = _odd(STACK_KIND, found, "/api/stacks")
    names, following = in_order([*rows, *odd], after, ROWS)
    listed = [odd[name] if name in odd else _row(client, name, rows[name]) for name in names]
    return Page(tuple(one for one in listed if one), following)


def _row(client: Client, name: str, number: int) -> InventoryEntry | None:
    try:
        mark = stack_file.mark_of(client.stack_file(number))
    except NotFound:
        return None  # It was deleted meanwhile.
    except Invalid:
        return _unread(STACK_KIND, name, message("seen_odd_file", stack=name))
    seen = message("seen_stack_without_parts", stack=name)
    return _stack(name, mark, seen) if mark else None


def _volumes(client: Client, after: str) -> Page:
    """Return volumes by stack. Those that a restore in place left beside go with the stack's."""
    volumes = client.each_marked_volume()
    listed = [
        InventoryEntry(
            kind=VOLUMES_KIND,
            target=stack_volumes_target(name, mark),
            name=name,
            seen=message("seen_stack_volumes", stack=name, n=n),
            ours=True,
        )
        for (name, mark), n in _count_parts(volumes).items()
    ]
    return _page(listed, _odd(VOLUMES_KIND, volumes, "/volumes"), after)


def _page(listed: Iterable[InventoryEntry], odd: Mapping[str, InventoryEntry], after: str) -> Page:
    """Return the entries after a name, ordered by name. Stacks with the same name, which differ in
    their mark, are on one page.
    """
    every = [*listed, *odd.values()]
    names, following = in_order((one.name for one in every), after, MOST)
    chosen = [one for one in every if one.name in set(names)]
    chosen.sort(key=lambda one: (one.name, one.target.get("mark", "")))
    return Page(tuple(chosen), following)


def _odd(kind: str, entries: Iterable[object], where: str) -> dict[str, InventoryEntry]:
    """Return unreadable entries, each named by its place in its list, which no stack's name can
    equal.
    """
    places = [one.place for one in entries if isinstance(one, Odd)]
    seen = [message("seen_odd_entry", place=place, where=where) for place in places]
    named = zip((f"{where}#{place}" for place in places), seen, strict=True)
    return {name: _unread(kind, name, text) for name, text in named}


def _unread(kind: str, name: str, text: Message) -> InventoryEntry:
    return InventoryEntry(kind, stack_target(name, ""), name, seen=text, kept=text, unread=True)


def _count_parts(parts: Iterable[Part | Odd]) -> Counter[Owned]:
    """Count the parts of each stack."""
    owned = (
        (stack_in_place(one.labels.get(PROJECT_LABEL, "")), one.labels[MARK_LABEL])
        for one in parts
        if isinstance(one, Part)
    )
    return Counter(one for one in owned if one[0])


def _stack(name: str, mark: str, seen: Message) -> InventoryEntry:
    return InventoryEntry(
        kind=STACK_KIND, target=stack_target(name, mark), name=name, seen=seen, ours=True
    )
