"""Containers: look, start, stop, remove, and the engine lent to other systems. Stacks are in
`connector_stacks.py`.

See docs/explanation/components.md#containers and docs/explanation/removal.md#the-seven-steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Connector,
    Evidence,
    Facts,
    Finding,
    Outcome,
    Target,
)
from workspace_manager.contract.containers import ContainerEngine, ContainerState, ExecResult, Names
from workspace_manager.contract.errors import NotFound, Unavailable
from workspace_manager.contract.message import Message
from workspace_manager.contract.secret import SecretResolver
from workspace_manager.systems.container_manager import checks
from workspace_manager.systems.container_manager.client import Client, Odd, Part
from workspace_manager.systems.container_manager.client.connection import CALLS, SYSTEM
from workspace_manager.systems.container_manager.connector_stack_volumes import (
    StackVolumesConnector,
)
from workspace_manager.systems.container_manager.connector_stacks import StackConnector
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.settings import Settings

KIND = "container_manager.container"
GRACE_S = 10
"""Seconds a container gets to end by itself: Docker's own default, which podman does not have."""


def _beginning(prefix: str, names: Iterable[str], entries: Iterable[object]) -> Names:
    return Names(
        names=tuple(name for name in names if name.startswith(prefix)),
        odd=tuple(one.place for one in entries if isinstance(one, Odd)),
    )


class Engine:
    """Act on containers by their exact name and full id (contract/containers.py)."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def inspect(self, name: str) -> ContainerState:
        """Raises NotFound only for the engine's own "no such container"."""
        return self._client.inspect(name)

    def list_names(self, prefix: str = "") -> Sequence[str]:
        """Names of all containers, running or not, that begin like this."""
        return [name for name in self._client.list_names() if name.startswith(prefix)]

    def volume_names(self, prefix: str) -> Sequence[str]:
        """Names of all volumes that begin like this. The engine takes a name it is asked for as a
        part of a name, or a pattern; so the names are compared here.
        """
        return self._client.volumes_beginning(prefix)

    def each_name(self, prefix: str = "") -> Names:
        """The same for a comparison: an odd entry hides no other one."""
        found = self._client.each_names()
        listed = [name for one in found if not isinstance(one, Odd) for name in one]
        return _beginning(prefix, listed, found)

    def each_volume_name(self, prefix: str) -> Names:
        """As `each_name`."""
        found = self._client.each_volume()
        return _beginning(prefix, [one.name for one in found if isinstance(one, Part)], found)

    def has_volume(self, name: str) -> bool:
        """Whether there is a volume of exactly this name."""
        try:
            return self._client.volume(name).get("Name") == name
        except NotFound:
            return False

    def stop(self, container_id: str, *, grace_s: int = GRACE_S) -> bool:
        """Stop it and look again; False when it was not running. Raises Unavailable while a process
        is left.

        A 204 does not prove that the process ended
        (docs/systems/container-manager.md#what-a-careful-client-handles); a container that removes
        itself is stopped.
        """
        try:
            acted = self._client.stop(container_id, grace_s=grace_s)
        except Unavailable:
            # podman answers 500 for a paused container, whose processes cannot take the signal;
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
        """Run a command inside it, to its end. Raises Unavailable when its end is not known.

        Success is exit code 0, never the HTTP status; a user or binary that does not exist is an
        exit code of 125 to 127.
        """
        exec_id = self._client.create_command(
            container_id, command, user=user, environment=environment or {}
        )
        out = err = ""
        try:
            out, err = self._client.start_command(exec_id)
        except Unavailable:
            # podman answers 500 for a user that does not exist, and says only afterwards that the
            # command ended with 125.
            if self._client.inspect_command(exec_id).exit_code is None:
                raise
        ended = self._client.inspect_command(exec_id)
        if ended.exit_code is None:
            raise _not_ended(message("running_command"))
        return ExecResult(exit_code=ended.exit_code, stdout=out, stderr=err)

    def prove_credential(self) -> None:
        """Ask whose key it is: every key may. An engine that is spoken to directly has none."""
        if not self._client.connection.direct:
            self._client.me()

    def require_everything(self) -> None:
        self._client.require_everything()

    def prove_rights(self) -> Evidence:
        """Read the environment and the list of containers. Raises Denied, Unavailable or Invalid
        when one cannot be read.
        """
        connection = self._client.connection
        name = "" if connection.direct else str(self._client.environment().get("Name", ""))
        count, number = len(self._client.list_names()), connection.environment_id
        found = message("engine_shows_containers", count=count)
        if not connection.direct:
            found = message("environment_shows_containers", number=number, name=name, count=count)
        return Evidence.now(SYSTEM, "GET environment, GET containers", found)


class ContainerConnector:
    """Drive one container that exists: it is never created here."""

    kind: ClassVar[str] = KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, engine: Engine, client: Client) -> None:
        self._engine = engine
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the container. `before`: `running`, `status`, `image`."""
        state = self._look(target)
        before: Facts | None = None
        if state is not None:
            before = {
                "running": not state.stopped,
                "status": state.status,
                "image": state.image,
            }
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Start or stop it. A container that is not there does not run; raises NotFound when it
        shall run.
        """
        if _shall_run(change):
            state = self._client.inspect(change.target["container"])
            acted = state.stopped and self._client.start(state.id)
        else:
            found = self._look(change.target)
            acted = found is not None and not found.stopped and self._engine.stop(found.id)
        return CHANGED if acted else ALREADY

    def remove(self, change: Change) -> Outcome:
        """Stop and remove it; its named volumes stay.

        See docs/explanation/removal.md#the-seven-steps.
        """
        state = self._look(change.target)
        if state is None:
            return ALREADY
        if not state.stopped:
            self._engine.stop(state.id)
        try:
            self._client.remove(state.id)
        except NotFound:
            return ALREADY
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look afresh. A container that is not there does not run."""
        name = change.target["container"]
        state = self._look(change.target)
        asked = f"GET containers/{name}/json"
        if state is None:
            return (
                None
                if _shall_run(change)
                else Evidence.now(SYSTEM, asked, message("no_container_named", name=name))
            )
        if change.after is None or _shall_run(change) is state.stopped:
            return None
        return Evidence.now(
            SYSTEM, asked, message("container_is", name=name, status=state.status, pid=state.pid)
        )

    def _look(self, target: Target) -> ContainerState | None:
        try:
            return self._client.inspect(target["container"])
        except NotFound:
            return None


@dataclass(frozen=True)
class ContainerManager:
    """The container manager, ready to work."""

    settings: Settings
    client: Client
    containers: ContainerEngine
    """Lent to the other systems."""
    connectors: Mapping[str, Connector]
    name: str = SYSTEM

    def check(self) -> Sequence[Finding]:
        return checks.check(self.settings, self.client)

    def try_again(self) -> None:
        """Nothing is remembered of a refusal here."""

    def prove_credential(self) -> None:
        self.containers.prove_credential()

    def prove_rights(self) -> Evidence:
        return self.containers.prove_rights()


def connect(
    settings: Settings,
    secrets: SecretResolver,
    *,
    calls: CallPolicy = CALLS,
) -> ContainerManager:
    """Make the system of its settings; no call is made. `calls`: other times, for tests."""
    client = Client(settings, policy=calls)
    engine = Engine(client)
    connectors: tuple[Connector, ...] = (
        ContainerConnector(engine, client),
        StackConnector(engine, client, settings.url, secrets),
        StackVolumesConnector(client),
    )
    return ContainerManager(settings, client, engine, {one.kind: one for one in connectors})


def _shall_run(change: Change) -> bool:
    return change.after is not None and change.after.get("running") is True


def _not_ended(doing: Message) -> Unavailable:
    return Unavailable(
        message("end_not_shown"),
        kind=KIND,
        doing=doing,
        advice=message("looked_at_again"),
        retry_after=2,
    )
