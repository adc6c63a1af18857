"""What the container manager holds of ours: stacks, and the volumes that outlive them.

Only what carries our mark is listed; the containers, networks and volumes of others are nobody's
business here, and notebooks are the notebook hub's. What carries the mark and no name of a project
cannot be addressed as a stack, and is in no list. Each page is a part of all that is ours, in the
order of names, so that nothing moves when something goes meanwhile.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final, TypeAlias, cast

from workspace_manager.contract.connector import System
from workspace_manager.contract.errors import NotFound
from workspace_manager.contract.inventory import Listed, Page, in_order, in_parts
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager import connector_stack_file as stack_file
from workspace_manager.systems.container_manager.client import Client, Part
from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    MARK_LABEL,
    PROJECT_LABEL,
    STACK_KIND,
    STACK_PREFIX,
    VOLUMES_KIND,
    stack_target,
    stack_volumes_target,
)

MOST: Final = 200
ROWS: Final = 50
"""Of each stack of which nothing runs the file is read, by a call of its own."""
Owned: TypeAlias = tuple[str, str]
"""The name of a stack, and our mark."""


def inventory(system: System, cursor: str) -> Page:
    """Read the page that begins at the cursor: stacks, rows of stacks without parts, volumes."""
    client = cast(ContainerManager, system).client
    client.require_everything()
    parts = {
        "stacks": lambda after: _stacks(client, after),
        "rows": lambda after: _rows(client, after),
        "volumes": lambda after: _volumes(client, after),
    }
    return in_parts(parts, cursor)


def _stacks(client: Client, after: str) -> Page:
    counts = _counted([*client.marked_containers(), *client.marked_networks()])
    page, following = _after(counts, after)
    return Page(
        tuple(
            _stack(name, mark, message("seen_stack", stack=name, n=counts[name, mark]))
            for name, mark in page
        ),
        following,
    )


def _rows(client: Client, after: str) -> Page:
    """Stacks that Portainer knows and of which the engine shows nothing: a creation that failed."""
    if client.connection.direct:
        return Page(())
    shown = {name for name, _ in _counted([*client.marked_containers(), *client.marked_networks()])}
    rows = {
        one.name: one.id
        for one in client.list_stacks()
        if one.name.startswith(STACK_PREFIX) and one.name not in shown
    }
    names, following = in_order(rows, after, ROWS)
    listed = []
    for name in names:
        try:
            mark = stack_file.mark_of(client.stack_file(rows[name]))
        except NotFound:
            continue  # It went meanwhile.
        if mark:
            listed.append(_stack(name, mark, message("seen_stack_without_parts", stack=name)))
    return Page(tuple(listed), following)


def _volumes(client: Client, after: str) -> Page:
    counts = _counted(client.marked_volumes())
    page, following = _after(counts, after)
    return Page(
        tuple(
            Listed(
                kind=VOLUMES_KIND,
                target=stack_volumes_target(name, mark),
                name=name,
                seen=message("seen_stack_volumes", stack=name, n=counts[name, mark]),
                ours=True,
            )
            for name, mark in page
        ),
        following,
    )


def _counted(parts: Iterable[Part]) -> Counter[Owned]:
    """How many parts there are of each stack."""
    owned = ((one.labels.get(PROJECT_LABEL, ""), one.labels[MARK_LABEL]) for one in parts)
    return Counter(one for one in owned if one[0])


def _after(counts: Iterable[Owned], after: str) -> tuple[list[Owned], str]:
    """Those of a page, and the name after which the next one begins. Stacks of one name, which
    differ in their mark, are on one page.
    """
    names, following = in_order((name for name, _ in counts), after, MOST)
    chosen = set(names)
    return sorted(one for one in counts if one[0] in chosen), following


def _stack(name: str, mark: str, seen: Message) -> Listed:
    return Listed(kind=STACK_KIND, target=stack_target(name, mark), name=name, seen=seen, ours=True)
