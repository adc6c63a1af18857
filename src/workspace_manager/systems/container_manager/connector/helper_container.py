"""The helper containers that move the content of a stack's volumes: finding and removing them.
`systems/container_manager/snapshots/` makes them.

The labels of a helper record what was stopped for it. They are written before the first stop, and
removed with the helper once everything runs again, so that it tells what an interrupted attempt
left.
"""

import contextlib
import json

from workspace_manager.contract.connector import Target
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    HELPER_LABEL,
    STOPPED_LABEL,
    VOLUMES_KIND,
    helper_name,
    stack_beside,
    switch_name,
    switched_name,
)


def find_helper(client: Client, target: Target, name: str = "") -> ContainerState | None:
    """Return the helper of this stack, or its helper of another name, if there is one. Raises
    Conflict if a stranger's container has the name.
    """
    try:
        found = client.inspect(name or helper_name(target["stack"]))
    except NotFound:
        return None
    if found.labels.get(HELPER_LABEL) != target["mark"]:
        raise Conflict(
            message("foreign_in_stack", names=found.name),
            kind=VOLUMES_KIND,
            doing=message("looking_for_helper"),
            advice=message("foreign_in_stack_advice"),
        )
    return found


def stopped_for(helper: ContainerState) -> list[str]:
    """Return the full ids of the containers that were stopped for it, in the order of their
    start.
    """
    try:
        found = json.loads(helper.labels.get(STOPPED_LABEL, "[]"))
    except ValueError:
        return []
    return [str(one) for one in found] if isinstance(found, list) else []


def remove_helper(client: Client, target: Target, name: str = "") -> None:
    """Remove the helper, or the one of another name, if there is one. Containers that were stopped
    for it stay stopped.
    """
    if helper := find_helper(client, target, name):
        with contextlib.suppress(NotFound):
            client.remove_at_once(helper.id)


def switch_helpers(stack: str) -> tuple[str, ...]:
    """Return the names of the helpers of a restore in place."""
    return (helper_name(stack_beside(stack)), switch_name(stack), switched_name(stack))


def remove_helpers(client: Client, target: Target) -> None:
    """Remove all helpers of a stack. Containers that were stopped for them stay stopped."""
    for name in ("", *switch_helpers(target["stack"])):
        remove_helper(client, target, name)
