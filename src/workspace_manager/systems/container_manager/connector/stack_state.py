"""The state of a stack: its row in Portainer, its containers and networks, and things of others
among them.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from workspace_manager.contract.connector import Target
from workspace_manager.contract.errors import Conflict, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client import Client, Part, Stack
from workspace_manager.systems.container_manager.connector import stack_file
from workspace_manager.systems.container_manager.connector.stack_file import (
    FILE_LABEL,
    VALUES_LABEL,
    StackFile,
)
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import MARK_LABEL, STACK_KIND

SERVICE_LABEL = "com.docker.compose.service"
RUNNING = frozenset({"running"})
NOT_RUNNING = frozenset({"created", "exited", "dead", "stopped"})
_SHOWN = 5
"""The most foreign names that a message lists."""


@dataclass(frozen=True)
class StackState:
    """Everything under a stack's name."""

    row: Stack | None
    containers: tuple[Part, ...]
    networks: tuple[Part, ...]
    foreign: tuple[str, ...]
    """Names of things that are not ours."""

    @property
    def is_there(self) -> bool:
        """Return whether anything of the stack exists."""
        return bool(self.row or self.containers or self.networks)

    @property
    def names(self) -> list[str]:
        row = [self.row.name] if self.row else []
        return sorted([*row, *(one.name for one in (*self.containers, *self.networks))])

    def made_of(self, file: StackFile) -> bool:
        """Return whether its containers are those of this file, each once."""
        there = sorted(one.labels.get(SERVICE_LABEL, "") for one in self.containers)
        same = all(one.labels.get(FILE_LABEL) == file.digest for one in self.containers)
        return same and there == sorted(file.services)

    def made_with(self, values: str) -> bool:
        return all(one.labels.get(VALUES_LABEL) == values for one in self.containers)

    @property
    def is_up(self) -> bool:
        """Return whether none of its containers is stopped; some may still be starting."""
        return all(one.state not in NOT_RUNNING | {"paused"} for one in self.containers)


def find_stack(client: Client, target: Target) -> StackState:
    """Return everything under a stack's name. Raises Conflict if our things and a stranger's are
    mixed, and Denied if the key does not see everything.
    """
    client.require_everything()
    name, mark = target["stack"], target["mark"]
    row, foreign = _row(client, name, mark)
    containers = client.containers_of(name)
    networks = client.networks_of(name)
    foreign += [one.name for one in (*containers, *networks) if not is_ours(one, mark)]
    found = StackState(
        row,
        tuple(one for one in containers if is_ours(one, mark)),
        tuple(one for one in networks if is_ours(one, mark)),
        tuple(sorted(foreign)),
    )
    if found.is_there:
        refuse_foreign(found.foreign, doing=message("looking_at_stack"))
    return found


def refuse_strangers(client: Client, target: Target, file: StackFile, found: StackState) -> None:
    """Raise Conflict if somebody else's thing has the name of the stack or of one of its things:
    Compose would take it over, and a failed creation would remove it.
    """
    name, mark = target["stack"], target["mark"]
    wanted = file.names(name)
    parts = [
        *client.volumes_of(name),
        *client.containers_named(name, wanted["containers"]),
        *client.networks_named(name, wanted["networks"]),
        *client.volumes_named(name, wanted["volumes"]),
    ]
    names = {*found.foreign, *(one.name for one in parts if not is_ours(one, mark))}
    refuse_foreign(sorted(names), doing=message("making_stack"))


def refuse_foreign(names: Iterable[str], *, doing: Message) -> None:
    shown = list(names)
    if shown:
        raise Conflict(
            message("foreign_in_stack", names=", ".join(shown[:_SHOWN])),
            kind=STACK_KIND,
            doing=doing,
            advice=message("foreign_in_stack_advice"),
        )


def is_ours(part: Part, mark: str) -> bool:
    return part.labels.get(MARK_LABEL) == mark


def _row(client: Client, name: str, mark: str) -> tuple[Stack | None, list[str]]:
    """Return Portainer's stack if its file is ours, and the names of foreign ones."""
    if client.connection.direct:
        return None, []
    for row in client.list_stacks():
        if row.name != name:
            continue
        try:
            text = client.stack_file(row.id)
        except NotFound:
            continue
        return (row, []) if stack_file.is_marked(text, mark) else (None, [row.name])
    return None, []
