"""Calls to the engine about containers, commands inside them, and volumes.

See docs/systems/container-manager.md#containers and the sections after it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.message import Message
from workspace_manager.systems.container_manager.client.answers import (
    Odd,
    as_object,
    read_entries,
    require_all,
)
from workspace_manager.systems.container_manager.client.connection import CALLS, Connection
from workspace_manager.systems.container_manager.client.container_state import container_state
from workspace_manager.systems.container_manager.client.contents import Contents
from workspace_manager.systems.container_manager.client.frames import demultiplex
from workspace_manager.systems.container_manager.client.stacks import Stacks
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import is_container_name, is_full_id
from workspace_manager.systems.container_manager.settings import Settings

KIND = "container_manager.container"
COMMAND_S = 60.0
"""Seconds a command inside a container may take."""
STOP_MARGIN_S = 15.0
"""Seconds a stop may take beyond its grace period: up to 2.5 s were measured, and a client that
gives up does not interrupt it.
"""


@dataclass(frozen=True)
class ExecState:
    """The state of a command. `exit_code` None: it has not ended, or is unknown."""

    exit_code: int | None


class Client(Contents, Stacks):
    """One method per call. Raises only the five errors; a second removal raises NotFound."""

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.connection = Connection(settings, policy=policy)

    # --- Portainer and engine ---------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Return Portainer's public status."""
        doing = message("asking_version")
        return as_object(self.connection.portainer("GET", "/api/status", doing=doing))

    def environment(self) -> dict[str, Any]:
        """Return the environment of the settings. Its `Status` lags behind the engine's.

        See docs/systems/container-manager.md#environments-and-the-engine-behind-them.
        """
        number = self.connection.environment_id
        answer = self.connection.portainer(
            "GET",
            f"/api/endpoints/{number}",
            doing=message("reading_environment"),
            params={"excludeSnapshot": "true"},
        )
        found = as_object(answer)
        if found.get("Id") != number:
            raise answer.error(Invalid, message("another_environment"))
        return found

    def engine_version(self) -> dict[str, Any]:
        return as_object(
            self.connection.engine("GET", "/version", doing=message("asking_engine_version"))
        )

    # --- containers -------------------------------------------------------------------------------

    def inspect(self, name: str) -> ContainerState:
        """Return the state of the container with exactly this name or full id. Raises NotFound
        without one.

        The engine also matches the beginning of an id; such an answer is about somebody else's
        container.
        """
        doing = message("looking_at_container")
        if not is_container_name(name):
            raise Invalid(
                message("impossible_container_name"),
                kind=KIND,
                doing=doing,
                advice=message("check_naming_rule"),
            )
        path = f"/containers/{segment(name, kind=KIND, doing=doing)}/json"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="container")
        state = container_state(answer)
        if name not in {state.name, state.id}:
            raise NotFound(
                message("only_id_begins_so"),
                kind=KIND,
                doing=doing,
            )
        return state

    def list_names(self) -> list[str]:
        """Return the sorted names of all containers, running or not."""
        return sorted(name for names in require_all(*self._each_names()) for name in names)

    def each_names(self) -> list[list[str] | Odd]:
        """Return the names of each container, for a comparison."""
        return self._each_names()[1]

    def _each_names(self) -> tuple[Answer, list[list[str] | Odd]]:
        answer = self.connection.engine(
            "GET",
            "/containers/json",
            doing=message("listing_containers"),
            kind=KIND,
            params={"all": "1"},
        )
        return answer, read_entries(answer, answer.json(), partial(_names, answer))

    def volume(self, name: str) -> dict[str, Any]:
        """Return a named volume. Raises NotFound without one."""
        doing = message("looking_at_volume")
        path = f"/volumes/{segment(name, kind=KIND, doing=doing)}"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="volume")
        return as_object(answer)

    def start(self, container_id: str) -> bool:
        """Start a container; return False if it was running already."""
        return self._act("POST", container_id, "/start", doing=message("starting_container"))

    def stop(self, container_id: str, *, grace_s: int) -> bool:
        """Stop a container, and kill it after `grace_s` seconds; return False if it was not
        running.

        `t` is always sent: without it podman kills at once.
        """
        return self._act(
            "POST",
            container_id,
            "/stop",
            doing=message("stopping_container"),
            params={"t": str(grace_s)},
            answer_s=grace_s + STOP_MARGIN_S,
        )

    def unpause(self, container_id: str) -> None:
        """Let the processes of a paused container continue. Raises Unavailable if it is not
        paused.
        """
        self._act("POST", container_id, "/unpause", doing=message("unpausing_container"))

    def remove(self, container_id: str) -> None:
        """Remove a stopped container. Its volumes stay."""
        self._act("DELETE", container_id, "", doing=message("removing_container"))

    def remove_with_unnamed_volumes(self, container_id: str) -> None:
        """Remove a stopped container with the anonymous volumes of its image, which no label
        assigns to anybody. Named volumes stay.
        """
        doing = message("removing_container")
        self._act("DELETE", container_id, "", doing=doing, params={"v": "1"})

    def _act(
        self,
        method: str,
        container_id: str,
        verb: str,
        *,
        doing: Message,
        params: Mapping[str, str] | None = None,
        answer_s: float | None = None,
    ) -> bool:
        answer = self.connection.engine(
            method,
            f"/containers/{_full(container_id, doing)}{verb}",
            doing=doing,
            kind=KIND,
            thing="container",
            accept=(204, 304) if verb else (204,),
            params=params,
            answer_s=answer_s,
        )
        return answer.status == 204

    # --- commands ---------------------------------------------------------------------------------

    def create_command(
        self,
        container_id: str,
        command: Sequence[str],
        *,
        user: str,
        environment: Mapping[str, str],
    ) -> str:
        """Prepare a command and return its id. Nothing runs yet."""
        doing = message("preparing_command")
        answer = self.connection.engine(
            "POST",
            f"/containers/{_full(container_id, doing)}/exec",
            doing=doing,
            kind=KIND,
            thing="container",
            accept=(201,),
            json_body={
                "AttachStdout": True,
                "AttachStderr": True,
                "Tty": False,
                "Cmd": list(command),
                "User": user,
                "Env": [f"{name}={value}" for name, value in environment.items()],
            },
        )
        found = as_object(answer).get("Id")
        if not isinstance(found, str) or not found:
            raise answer.error(Invalid, message("command_without_id", shape=answer.shape))
        return found

    def start_command(self, exec_id: str) -> tuple[str, str]:
        """Run a command, attached, and return (stdout, stderr).

        It sends no Upgrade: through Portainer to a local socket, the command would run without
        output (docs/systems/container-manager.md#environments-and-the-engine-behind-them).
        """
        doing = message("running_command")
        answer = self.connection.engine(
            "POST",
            f"/exec/{segment(exec_id, kind=KIND, doing=doing)}/start",
            doing=doing,
            kind=KIND,
            thing="exec",
            json_body={"Detach": False, "Tty": False},
            answer_s=COMMAND_S,
        )
        try:
            return demultiplex(answer.content)
        except ValueError as wrong:
            raise answer.error(Invalid, message("output_not_framed", shape=answer.shape)) from wrong

    def inspect_command(self, exec_id: str) -> ExecState:
        """Return how a command ended. podman also answers exit code 0 for a command that never ran,
        so `CanRemove` decides there.

        See docs/systems/container-manager.md#commands-in-a-container.
        """
        doing = message("asking_how_command_ended")
        answer = self.connection.engine(
            "GET",
            f"/exec/{segment(exec_id, kind=KIND, doing=doing)}/json",
            doing=doing,
            kind=KIND,
            thing="exec",
        )
        found = as_object(answer)
        code = found.get("ExitCode")
        podman = answer.headers.get("server", "").startswith("Libpod")
        ended = found.get("Running") is False and (not podman or found.get("CanRemove") is True)
        return ExecState(exit_code=code if ended and isinstance(code, int) else None)


def _full(container_id: str, doing: Message) -> str:
    if not is_full_id(container_id):
        raise Invalid(
            message("needs_full_id"),
            kind=KIND,
            doing=doing,
            advice=message("look_first"),
        )
    return container_id


def _names(answer: Answer, item: dict[str, Any]) -> list[str]:
    """Return the names of a container, without those under which others link to it."""
    names = item.get("Names") or []
    # An odd entry of a list may have other names; it is not shown.
    if not isinstance(names, list) or not isinstance(item.get("Id"), str):
        raise answer.error(Invalid, message("names_of_unknown_shape", shape=answer.shape))
    return [str(name).removeprefix("/") for name in names if str(name).count("/") <= 1]
