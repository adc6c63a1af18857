"""The programs of a stack: which of them run, and in which order they start."""

import contextlib
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Final

from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import NotFound
from workspace_manager.systems.container_manager.client import Client, Part
from workspace_manager.systems.container_manager.connector.stack_state import (
    SERVICE_LABEL,
    find_stack,
)

RUNS: Final = frozenset({"running", "restarting"})
DEPENDS_LABEL: Final = "com.docker.compose.depends_on"


def running_programs(client: Client, target: Target) -> list[Part]:
    """Return the containers of a stack that run, in the order of their start."""
    return in_order([one for one in find_stack(client, target).containers if one.state in RUNS])


def start_programs(client: Client, ids: Iterable[str]) -> None:
    """Start these containers, one after the other; those that are gone are left out."""
    for one in ids:
        with contextlib.suppress(NotFound):
            client.start(one)


def in_order(containers: list[Part]) -> list[Part]:
    """Return the containers in the order of their start in Compose: dependencies first."""
    services = {_service(one) for one in containers}
    needs: dict[str, set[str]] = {name: set() for name in services}
    for one in containers:
        named = (each.partition(":")[0] for each in one.labels.get(DEPENDS_LABEL, "").split(","))
        needs[_service(one)] |= services & {*named}
    try:
        order = [*TopologicalSorter(needs).static_order()]
    except CycleError:
        return containers
    return sorted(containers, key=lambda one: order.index(_service(one)))


def _service(container: Part) -> str:
    return container.labels.get(SERVICE_LABEL, container.id)
