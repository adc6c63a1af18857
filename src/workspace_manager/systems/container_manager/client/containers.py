"""Calls to the engine about containers, commands inside them and volumes (facts, container manager 1.5 and 1.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workspace_manager.contract.connector import CallPolicy
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import Invalid, NotFound
from workspace_manager.contract.http import Answer, segment
from workspace_manager.systems.container_manager.client.answers import (
    as_object,
    as_objects,
    labels_of,
    number_in,
)
from workspace_manager.systems.container_manager.client.connection import CALLS, Connection
from workspace_manager.systems.container_manager.client.frames import demultiplex
from workspace_manager.systems.container_manager.client.stacks import Stacks
from workspace_manager.systems.container_manager.names import is_container_name, is_full_id
from workspace_manager.systems.container_manager.settings import Settings

KIND = "container_manager.container"
COMMAND_S = 60.0
"""Seconds a command inside a container may take."""
STOP_MARGIN_S = 15.0
"""Seconds a stop may take beyond its grace time: measured up to 2.5 s, and a client that gives up does not stop it."""


@dataclass(frozen=True)
class ExecState:
    """How a command stands. `exit_code` None: it has not ended, or nobody knows."""

    exit_code: int | None


class Client(Stacks):
    """One method per call. Raises only the five errors; a second removal raises NotFound."""

    def __init__(self, settings: Settings, *, policy: CallPolicy = CALLS) -> None:
        self.connection = Connection(settings, policy=policy)

    # --- Portainer and engine as such ----------------------------------------------------------------------------------

    def portainer_version(self) -> str:
        answer = self.connection.portainer("GET", "/api/status", doing="asking for its version")
        return str(as_object(answer).get("Version", ""))

    def me(self) -> dict[str, Any]:
        """Who owns the key; `Role` 1 is an administrator."""
        return as_object(
            self.connection.portainer("GET", "/api/users/me", doing="asking whose key this is")
        )

    def environment(self) -> dict[str, Any]:
        """The environment of the settings. Its `Status` lags behind the engine's (facts 0.2)."""
        number = self.connection.environment_id
        answer = self.connection.portainer(
            "GET",
            f"/api/endpoints/{number}",
            doing="reading the environment",
            params={"excludeSnapshot": "true"},
        )
        found = as_object(answer)
        if found.get("Id") != number:
            raise answer.error(Invalid, "it answered with another environment than was asked for")
        return found

    def engine_version(self) -> dict[str, Any]:
        return as_object(
            self.connection.engine("GET", "/version", doing="asking the engine for its version")
        )

    # --- containers ----------------------------------------------------------------------------------------------------

    def inspect(self, name: str) -> ContainerState:
        """Look at the container of exactly this name, or full id. Raises NotFound when none has it.

        The engine also finds containers by the beginning of their id; such an answer is somebody else's container.
        """
        doing = "looking at a container"
        if not is_container_name(name):
            raise Invalid(
                "no container can have this name",
                kind=KIND,
                doing=doing,
                advice="Check the prefix and the escape rule that name containers; see the notebook hub's settings.",
            )
        path = f"/containers/{segment(name, kind=KIND, doing=doing)}/json"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="container")
        state = _container(answer)
        if name not in {state.name, state.id}:
            raise NotFound(
                "the engine offers only a container whose id begins like this name",
                kind=KIND,
                doing=doing,
            )
        return state

    def list_names(self) -> list[str]:
        """Names of all containers, running or not, sorted."""
        answer = self.connection.engine(
            "GET", "/containers/json", doing="listing containers", kind=KIND, params={"all": "1"}
        )
        found = [item.get("Names") or [] for item in as_objects(answer)]
        if not all(isinstance(names, list) for names in found):
            raise answer.error(Invalid, f"the names have an unknown shape ({answer.shape})")
        names = [str(name) for each in found for name in each]
        return sorted(name.removeprefix("/") for name in names if name.count("/") <= 1)

    def volume(self, name: str) -> dict[str, Any]:
        """Look at a named volume. Raises NotFound when there is none."""
        doing = "looking at a volume"
        path = f"/volumes/{segment(name, kind=KIND, doing=doing)}"
        answer = self.connection.engine("GET", path, doing=doing, kind=KIND, thing="volume")
        return as_object(answer)

    def start(self, container_id: str) -> bool:
        """Start it; False when it ran already."""
        return self._act("POST", container_id, "/start", doing="starting a container")

    def stop(self, container_id: str, *, grace_s: int) -> bool:
        """Stop it, kill it after `grace_s` seconds; False when it did not run.

        `t` is always sent: without it podman kills at once.
        """
        return self._act(
            "POST",
            container_id,
            "/stop",
            doing="stopping a container",
            params={"t": str(grace_s)},
            answer_s=grace_s + STOP_MARGIN_S,
        )

    def unpause(self, container_id: str) -> None:
        """Let the processes of a paused container go on. Raises Unavailable when it is not paused."""
        self._act("POST", container_id, "/unpause", doing="unpausing a container")

    def remove(self, container_id: str) -> None:
        """Remove a stopped container. Its named volumes stay."""
        self._act("DELETE", container_id, "", doing="removing a container")

    def _act(
        self,
        method: str,
        container_id: str,
        verb: str,
        *,
        doing: str,
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

    # --- commands ------------------------------------------------------------------------------------------------------

    def create_command(
        self,
        container_id: str,
        command: Sequence[str],
        *,
        user: str,
        environment: Mapping[str, str],
    ) -> str:
        """Prepare a command; gives its id. Nothing runs yet."""
        doing = "preparing a command in a container"
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
            raise answer.error(Invalid, f"it gave the command no id ({answer.shape})")
        return found

    def start_command(self, exec_id: str) -> tuple[str, str]:
        """Run it, attached, and give (stdout, stderr).

        No Upgrade is asked for: through Portainer to a local socket it would run the command and give no output (facts 0.1).
        """
        doing = "running a command in a container"
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
            raise answer.error(
                Invalid, f"the output of the command is not a framed stream ({answer.shape})"
            ) from wrong

    def inspect_command(self, exec_id: str) -> ExecState:
        """Ask how it ended. On podman 0 is also what a command has that never ran, so `CanRemove` decides there (facts 0.1)."""
        doing = "asking how a command in a container ended"
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


def _full(container_id: str, doing: str) -> str:
    if not is_full_id(container_id):
        raise Invalid(
            "a container must be addressed by its full id",
            kind=KIND,
            doing=doing,
            advice="Look at the container first; a short id may be the beginning of a stranger's.",
        )
    return container_id


def _container(answer: Answer) -> ContainerState:
    found = as_object(answer)
    state, config = found.get("State"), found.get("Config")
    if not (
        isinstance(state, dict) and isinstance(config, dict) and is_full_id(str(found.get("Id")))
    ):
        raise answer.error(Invalid, f"the answer does not describe a container ({answer.shape})")
    return ContainerState(
        id=str(found["Id"]),
        name=str(found.get("Name", "")).removeprefix("/"),
        image=str(config.get("Image", "")),
        status=str(state.get("Status", "")),
        pid=number_in(answer, state, "Pid"),
        labels=labels_of(answer, config),
    )
