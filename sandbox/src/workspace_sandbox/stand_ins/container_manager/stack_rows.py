"""The rows of Portainer's stacks, and compose up and down for one of them."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from workspace_sandbox.stand_ins.container_manager.compose import Compose
from workspace_sandbox.stand_ins.container_manager.compose_file import ComposeFailed, Project
from workspace_sandbox.stand_ins.container_manager.environments import Environments, unknown
from workspace_sandbox.stand_ins.container_manager.gate import Gate, Request, Row, Stop
from workspace_sandbox.stand_ins.container_manager.payload import number
from workspace_sandbox.stand_ins.container_manager.rules import Rules, allows
from workspace_sandbox.stand_ins.container_manager.wire import (
    EngineGone,
    Reply,
    portainer_error,
)

ACTIVE, INACTIVE = 1, 2
_FIXED: dict[str, Any] = {
    "Type": 2,
    "SwarmId": "",
    "EntryPoint": "docker-compose.yml",
    "AdditionalFiles": None,
    "AutoUpdate": None,
    "Option": None,
    "Namespace": "",
}
_NO_FILE = "no configuration file provided: not found"


class StackRows:
    """Common parts of reading, making and changing stacks."""

    def __init__(
        self,
        gate: Gate,
        environments: Environments,
        rules: Rules,
        compose: Compose,
        changed: Callable[[], None],
    ) -> None:
        self._gate = gate
        self._environments = environments
        self._rules = rules
        self._compose = compose
        self._changed = changed

    @property
    def rows(self) -> dict[str, Row]:
        found: dict[str, Row] = self._gate.state["stacks"]
        return found

    def _row(self, which: int) -> Row:
        found = self.rows.get(str(which))
        if found is None:
            message = "Unable to find a stack with the specified identifier inside the database"
            raise Stop(portainer_error(404, message, missing("stacks", which)))
        return found

    def _of(self, request: Request, text: str) -> Row:
        found = self._row(number(text, "Invalid stack identifier route variable"))
        if str(found["EndpointId"]) in self._environments.rows:
            self._environments.allowed(request, str(found["EndpointId"]))
        if not allows(self._control(found), request):
            raise Stop(portainer_error(403, "Access denied to resource"))
        return found

    def _environment(self, request: Request, which: int) -> Row:
        if str(which) not in self._environments.rows:
            raise Stop(unknown(which))
        return self._environments.allowed(request, str(which))

    def _control(self, row: Row) -> Row | None:
        return self._rules.controls.get(f"{row['EndpointId']}_{row['Name']}")

    def _shown(self, row: Row) -> dict[str, Any]:
        return {
            **{key: row[key] for key in ("Id", "Name", "EndpointId", "Env")},
            **_FIXED,
            "ResourceControl": self._control(row),
            "Status": row["Status"],
            "ProjectPath": f"/data/compose/{row['Id']}",
            **{key: row[key] for key in ("CreationDate", "CreatedBy", "UpdateDate", "UpdatedBy")},
            "GitConfig": row["GitConfig"],
            "FromAppTemplate": row["FromAppTemplate"],
        }

    # --- compose ----------------------------------------------------------------------------------

    async def _deploy(self, row: Row, environment: Row) -> Reply | None:
        """Run compose up; give the error Portainer answers when it fails."""
        directory = f"/data/compose/{row['Id']}"
        # Without a name compose takes the folder's, so that such a stack starts and can never be
        # taken down.
        name = row["Name"] or str(row["Id"])
        project = Project(name, row["file"], row["Env"] or [], directory)
        try:
            await self._compose.up(project)
        except ComposeFailed as failed:
            return portainer_error(500, f"failed to deploy a stack: {failed.text}")
        except EngineGone:
            return portainer_error(500, f"failed to deploy a stack: {no_daemon(environment)}\n")
        return None

    async def _down(self, row: Row, environment: Row, message: str) -> Reply | None:
        """Run compose down in the environment the request named."""
        trouble = ""
        if not row["Name"]:
            trouble = _NO_FILE
        else:
            try:
                await self._compose.containers(row["Name"])
                if self._same_engine(row, environment):
                    await self._compose.down(row["Name"])
            except EngineGone:
                trouble = _unreached(row["Name"], environment)
            except ComposeFailed as failed:
                trouble = failed.text.strip()
        if not trouble:
            return None
        text = f"failed to remove a stack: {trouble}\n"
        return portainer_error(500, message or text, text)

    def _same_engine(self, row: Row, environment: Row) -> bool:
        """Return whether Compose finds the containers there: in the stack's own environment, or one
        that replaced it.
        """
        own = self._environments.rows.get(str(row["EndpointId"]))
        return own is None or own["URL"] == environment["URL"]


def no_daemon(environment: Row) -> str:
    url = environment["URL"]
    return f"Cannot connect to the Docker daemon at {url}. Is the docker daemon running?"


def _unreached(name: str, environment: Row) -> str:
    """Return what compose says of a dead engine: of a TCP one it sees Portainer's proxy only."""
    if environment["URL"].startswith("unix"):
        return no_daemon(environment)
    filters = (
        '{"label":{"com.docker.compose.config-hash":true,'
        f'"com.docker.compose.project={name}":true}}}}'
    )
    return (
        "request returned Bad Gateway for API route and version "
        "http://127.0.0.1:46745/v1.46/containers/json?all=1&filters="
        f"{quote(filters, safe='')}, check if the server supports the requested API version"
    )


def missing(bucket: str, key: int) -> str:
    return f"Object not found inside the database (bucket={bucket}, key={key})"
