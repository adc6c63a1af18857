"""The helper container that moves the content of a stack's volumes: finding and removing it.
`systems/container_manager/snapshots/tar_container.py` makes it.

Its labels record what was stopped for it. They are written before the first stop, and removed with
it once everything runs again, so that it tells what an interrupted attempt left.
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
)


def find_helper(client: Client, target: Target) -> ContainerState | None:
    """Return the helper of this stack, if there is one. Raises Conflict if a stranger's container
    has its name.
    """
    try:
        found = client.inspect(helper_name(target["stack"]))
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


def remove_helper(client: Client, target: Target) -> None:
    """Remove the helper, if there is one. Containers that were stopped for it stay stopped."""
    if helper := find_helper(client, target):
        with contextlib.suppress(NotFound):
            client.remove_at_once(helper.id)
