"""Portainer's stacks: create, list, read, update, start, stop, delete, with everything that bites (facts 0.1, 0.2, 1.4)."""

import json
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

from workspace_manager.systems.container_manager.emulator.compose import (
    Compose,
    ComposeFailed,
    Project,
)
from workspace_manager.systems.container_manager.emulator.environments import Environments, unknown
from workspace_manager.systems.container_manager.emulator.gate import Gate, Request, Row, Stop
from workspace_manager.systems.container_manager.emulator.payload import (
    Payload,
    environment_number,
    invalid,
    number,
)
from workspace_manager.systems.container_manager.emulator.rules import STACK, Rules, allows
from workspace_manager.systems.container_manager.emulator.stack_wanted import stack_wanted
from workspace_manager.systems.container_manager.emulator.wire import (
    PORTAINER,
    EngineGone,
    Reply,
    portainer_error,
    portainer_json,
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


class Stacks:
    """The stacks of all environments."""

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

    # --- reading -------------------------------------------------------------------------------------------------------

    async def list_all(self, request: Request, _parts: Sequence[str]) -> Reply:
        try:
            wanted = json.loads(request.parameters.get("filters") or "{}").get("EndpointID")
        except ValueError:
            message = "Invalid query parameter: filters"
            return portainer_error(400, message, "invalid JSON")
        rows = [r for r in self.rows.values() if wanted in {None, 0, r["EndpointId"]}]
        return portainer_json(
            [self._shown(row) for row in rows if allows(self._control(row), request)]
        )

    async def get(self, request: Request, parts: Sequence[str]) -> Reply:
        return portainer_json(self._shown(self._of(request, parts[0])))

    async def file(self, request: Request, parts: Sequence[str]) -> Reply:
        return portainer_json({"StackFileContent": self._of(request, parts[0])["file"]})

    # --- making --------------------------------------------------------------------------------------------------------

    async def create(self, request: Request, parts: Sequence[str]) -> Reply:
        kind, method = parts
        if kind not in {"standalone", "swarm", "kubernetes"}:
            return portainer_error(
                400,
                "Invalid value for query parameter: type. Value must be one of: 1 (Swarm stack) or 2 (Compose stack)",
                "Invalid query parameter",
            )
        where = environment_number(request.parameters)
        environment = self._environment(request, where)
        if kind == "swarm":
            message = "Unable to check for name collision"
            return portainer_error(500, message, "Error response from daemon: Not Found")
        if method not in {"string", "repository", "file"}:
            return portainer_error(
                400,
                "Invalid value for query parameter: method. Value must be one of: string, repository or file",
                "Invalid query parameter",
            )
        given = stack_wanted(request, method)
        return await self._made(request, environment, given)

    async def create_old(self, request: Request, _parts: Sequence[str]) -> Reply:
        """`POST /api/stacks?type=2&method=string`: still routed."""
        given = request.parameters
        if "method" not in given:
            return portainer_error(
                400, "Invalid query parameter: method. Valid values are: file or string"
            )
        kind = {"1": "swarm", "2": "standalone"}.get(given.get("type", ""), "")
        return await self.create(request, [kind, given["method"]])

    async def _made(self, request: Request, environment: Row, given: dict[str, Any]) -> Reply:
        assert request.user is not None
        where = environment["Id"]
        name = re.sub(r"[^-_a-z0-9]", "", given["name"].lower())
        try:
            await self._compose.containers(name)
        except EngineGone:
            message = "Unable to check for name collision"
            return portainer_error(500, message, _no_daemon(environment))
        if any(row["Name"] == name for row in self.rows.values()):
            message = f"A stack with the normalized name '{name}' already exists"
            return portainer_error(409, message)
        file = given["file"]
        if given.get("git"):
            file = self._cloned(given["git"])
        last = self._gate.state["last"]
        last["stack"] += 1
        row = {
            "Id": last["stack"],
            "Name": name,
            "EndpointId": where,
            "Env": given["env"],
            "Status": ACTIVE,
            "CreationDate": int(time.time()),
            "CreatedBy": request.user["Username"],
            "UpdateDate": 0,
            "UpdatedBy": "",
            "GitConfig": given.get("git_shown"),
            "FromAppTemplate": bool(given["template"]),
            "file": file,
        }
        failed = await self._deploy(row, environment)
        if failed:
            await self._compose.down(name)
            self._changed()
            return failed
        self.rows[str(row["Id"])] = row
        self._rules.add(f"{where}_{name}", STACK, request)
        return portainer_json(self._shown(row))

    def _cloned(self, git: dict[str, str]) -> str:
        """The file of a repository the control route `settings` told us of. Raises Stop."""
        known = self._gate.state["settings"]["repositories"].get(git["url"])
        if known is None:
            host = re.sub(r"^https?://([^/]+)/.*$", r"\1", git["url"])
            raise Stop(
                portainer_error(
                    500,
                    "unable to clone git repository: failed to clone git repository: "
                    f'Get "{git["url"]}/info/refs?service=git-upload-pack": dial tcp {host}: connect: connection refused',
                )
            )
        if known.get("password") and known["password"] != git["password"]:
            raise Stop(portainer_error(500, "Invalid git credential"))
        return str(known["file"])

    async def _deploy(self, row: Row, environment: Row) -> Reply | None:
        """Run compose up; give the error Portainer answers when it fails."""
        directory = f"/data/compose/{row['Id']}"
        project = Project(row["Name"], row["file"], row["Env"] or [], directory)
        try:
            await self._compose.up(project)
        except ComposeFailed as failed:
            return portainer_error(500, f"failed to deploy a stack: {failed.text}")
        except EngineGone:
            return portainer_error(500, f"failed to deploy a stack: {_no_daemon(environment)}\n")
        return None

    # --- changing ------------------------------------------------------------------------------------------------------

    async def update(self, request: Request, parts: Sequence[str]) -> Reply:
        """A PUT replaces file and Env; one that fails takes the stack down and keeps the old file."""
        row = self._of(request, parts[0])
        environment = self._environment(request, environment_number(request.parameters))
        given = Payload(request.body, "stacks.updateComposeStackPayload")
        file, env = given.text("StackFileContent"), given.env()
        if not file:
            raise invalid("Invalid stack file content")
        return await self._again(request, row, environment, {"file": file, "Env": env}, text=True)

    async def redeploy(self, request: Request, parts: Sequence[str]) -> Reply:
        row = self._of(request, parts[0])
        environment = self._environment(request, environment_number(request.parameters))
        if not row["GitConfig"]:
            return portainer_error(400, "Stack is not created from git")
        env = Payload(request.body, "stacks.stackGitRedployPayload").env()
        return await self._again(request, row, environment, {"Env": env}, text=False)

    async def _again(
        self, request: Request, row: Row, environment: Row, new: dict[str, Any], *, text: bool
    ) -> Reply:
        assert request.user is not None
        wanted = {**row, **new}
        failed = await self._deploy(wanted, environment)
        if failed:
            await self._compose.down(row["Name"])
            return failed
        row.update(new, Status=ACTIVE, UpdateDate=int(time.time()))
        row["UpdatedBy"] = request.user["Username"]
        if text and row["GitConfig"]:
            row.update(GitConfig=None, FromAppTemplate=True)
        self._changed()
        return portainer_json({**self._shown(row), "ResourceControl": None})

    async def start(self, request: Request, parts: Sequence[str]) -> Reply:
        row = self._of(request, parts[0])
        environment = self._environment(request, environment_number(request.parameters))
        if row["Status"] == ACTIVE:
            return portainer_error(409, f"A stack with the name '{row['Name']}' is already running")
        failed = await self._deploy(row, environment)
        if failed:
            return failed
        return self._set(row, ACTIVE)

    async def stop(self, request: Request, parts: Sequence[str]) -> Reply:
        """Compose down: containers are deleted, volumes stay. In a foreign environment nothing is stopped, Status changes."""
        row = self._of(request, parts[0])
        environment = self._environment(request, environment_number(request.parameters))
        if row["Status"] == INACTIVE:
            return portainer_error(400, "Stack is already inactive")
        failed = await self._down(row, environment, "Unable to stop stack")
        return failed or self._set(row, INACTIVE)

    async def delete(self, request: Request, parts: Sequence[str]) -> Reply:
        given = request.parameters
        if given.get("external") == "true":
            return self._delete_external(request, parts[0])
        which = number(parts[0], "Invalid stack identifier route variable")
        row = self._row(which)
        where = (
            number(given["endpointId"], "Invalid query parameter: endpointId")
            if given.get("endpointId")
            else 0
        )
        if where != row["EndpointId"] and not request.administrator:
            return portainer_error(403, "Permission denied to remove orphaned stack")
        environment = self._environments.rows.get(str(where))
        if environment is None:
            message = "Unable to find the endpoint associated to the stack inside the database"
            return portainer_error(404, message, _missing("endpoints", where))
        if not allows(self._control(row), request):
            return portainer_error(403, "Access denied to resource")
        failed = await self._down(row, environment, "")
        if failed:
            return failed
        del self.rows[str(which)]
        self._rules.drop(f"{row['EndpointId']}_{row['Name']}")
        self._changed()
        return Reply(204, headers=dict(PORTAINER))

    def _delete_external(self, request: Request, name: str) -> Reply:
        environment_number(request.parameters)
        if any(row["Name"] == name for row in self.rows.values()):
            return portainer_error(
                400,
                "A stack with this name exists inside the database. Cannot use external delete method",
                "A tag already exists with this name",
            )
        return portainer_error(500, "Unable to delete stack", "")

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
                trouble = _no_daemon(environment)
        if not trouble:
            return None
        text = f"failed to remove a stack: {trouble}\n"
        return portainer_error(500, message or text, text)

    def _same_engine(self, row: Row, environment: Row) -> bool:
        """Whether compose finds the containers there: in the stack's own environment, or one that replaced it."""
        own = self._environments.rows.get(str(row["EndpointId"]))
        return own is None or own["URL"] == environment["URL"]

    # --- finding -------------------------------------------------------------------------------------------------------

    def _row(self, which: int) -> Row:
        found = self.rows.get(str(which))
        if found is None:
            message = "Unable to find a stack with the specified identifier inside the database"
            raise Stop(portainer_error(404, message, _missing("stacks", which)))
        return found

    def _of(self, request: Request, text: str) -> Row:
        found = self._row(number(text, "Invalid stack identifier route variable"))
        if not allows(self._control(found), request):
            raise Stop(portainer_error(403, "Access denied to resource"))
        return found

    def _environment(self, request: Request, which: int) -> Row:
        if str(which) not in self._environments.rows:
            raise Stop(unknown(which))
        return self._environments.allowed(request, str(which))

    def _control(self, row: Row) -> Row | None:
        return self._rules.controls.get(f"{row['EndpointId']}_{row['Name']}")

    def _set(self, row: Row, status: int) -> Reply:
        row["Status"] = status
        self._changed()
        return portainer_json({**self._shown(row), "ResourceControl": None})

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


def _no_daemon(environment: Row) -> str:
    url = environment["URL"]
    return f"Cannot connect to the Docker daemon at {url}. Is the docker daemon running?"


def _missing(bucket: str, key: int) -> str:
    return f"Object not found inside the database (bucket={bucket}, key={key})"
