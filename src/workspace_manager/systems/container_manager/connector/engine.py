"""The container engine, by exact name and full id. It is lent to other systems.

See docs/explanation/components.md#containers and docs/explanation/removal.md#the-seven-steps.
"""

from collections.abc import Iterable, Mapping, Sequence

from workspace_manager.contract.connector import Evidence
from workspace_manager.contract.containers import ContainerState, ExecResult, Names
from workspace_manager.contract.errors import NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client import Client, Odd, Part
from workspace_manager.systems.container_manager.client.connection import SYSTEM
from workspace_manager.systems.container_manager.messages import message

KIND = "container_manager.container"
GRACE_S = 10
"""Seconds until a stop kills: Docker's own default, which podman does not have."""


def _beginning(prefix: str, names: Iterable[str], entries: Iterable[object]) -> Names:
    return Names(
        names=tuple(name for name in names if name.startswith(prefix)),
        odd=tuple(one.place for one in entries if isinstance(one, Odd)),
    )


class Engine:
    """The engine that acts on containers by their exact name and full id
    (contract/containers.py).
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    def inspect(self, name: str) -> ContainerState:
        """Return the state of a container. Raises NotFound only for the engine's own "no such
        container".
        """
        return self._client.inspect(name)

    def list_names(self, prefix: str = "") -> Sequence[str]:
        """Return the names of all containers with a prefix, running or not."""
        return [name for name in self._client.list_names() if name.startswith(prefix)]

    def volume_names(self, prefix: str) -> Sequence[str]:
        """Return the names of all volumes with a prefix. The engine treats a requested name as a
        part of a name, or as a pattern, so the names are compared here.
        """
        return self._client.volumes_beginning(prefix)

    def each_name(self, prefix: str = "") -> Names:
        """Return names for a comparison: an odd entry hides no other one."""
        found = self._client.each_names()
        listed = [name for one in found if not isinstance(one, Odd) for name in one]
        return _beginning(prefix, listed, found)

    def each_volume_name(self, prefix: str) -> Names:
        """Return volume names for a comparison, like `each_name`."""
        found = self._client.each_volume()
        return _beginning(prefix, [one.name for one in found if isinstance(one, Part)], found)

    def has_volume(self, name: str) -> bool:
        """Return whether there is a volume of exactly this name."""
        try:
            return self._client.volume(name).get("Name") == name
        except NotFound:
            return False

    def stop(self, container_id: str, *, grace_s: int = GRACE_S) -> bool:
        """Stop a container and look again; return False if it was not running. Raises Unavailable
        while a process is left.

        A 204 does not prove that the process ended
        (docs/systems/container-manager.md#what-a-careful-client-handles). A container that removes
        itself is stopped.
        """
        try:
            acted = self._client.stop(container_id, grace_s=grace_s)
        except Unavailable:
            # podman answers 500 for a paused container, whose processes cannot receive the signal;
            # Docker stops it (docs/systems/container-manager.md#podman).
            if self._client.inspect(container_id).status != "paused":
                raise
            self._client.unpause(container_id)
            acted = self._client.stop(container_id, grace_s=grace_s)
        try:
            left = self._client.inspect(container_id)
        except NotFound:
            return True
        if not left.stopped:
            raise _not_ended(message("stopping_container"))
        return acted

    def execute(
        self,
        container_id: str,
        command: Sequence[str],
        *,
        user: str = "",
        environment: Mapping[str, str] | None = None,
    ) -> ExecResult:
        """Run a command inside a container to its end. Raises Unavailable if its end is unknown.

        Success is exit code 0, never the HTTP status. An unknown user or program has an exit code
        of 125 to 127.
        """
        exec_id = self._client.create_command(
            container_id, command, user=user, environment=environment or {}
        )
        out = err = ""
        try:
            out, err = self._client.start_command(exec_id)
        except Unavailable:
            # podman answers 500 for an unknown user, and says only afterwards that the command
            # ended with 125.
            if self._client.inspect_command(exec_id).exit_code is None:
                raise
        ended = self._client.inspect_command(exec_id)
        if ended.exit_code is None:
            raise _not_ended(message("running_command"))
        return ExecResult(exit_code=ended.exit_code, stdout=out, stderr=err)

    def prove_credential(self) -> None:
        """Read the key's owner, which every key may. An engine without Portainer has no key."""
        if not self._client.connection.direct:
            self._client.me()

    def require_everything(self) -> None:
        self._client.require_everything()

    def prove_rights(self) -> Evidence:
        """Read the environment and the list of containers. Raises Denied, Unavailable or Invalid if
        one cannot be read.
        """
        connection = self._client.connection
        name = "" if connection.direct else str(self._client.environment().get("Name", ""))
        count, number = len(self._client.list_names()), connection.environment_id
        found = message("engine_shows_containers", count=count)
        if not connection.direct:
            found = message("environment_shows_containers", number=number, name=name, count=count)
        return Evidence.now(SYSTEM, "GET environment, GET containers", found)


def _not_ended(doing: Message) -> Unavailable:
    return Unavailable(
        message("end_not_shown"),
        kind=KIND,
        doing=doing,
        advice=message("looked_at_again"),
        retry_after=2,
    )
