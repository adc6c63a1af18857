"""Portainer's stacks: list, read and create (facts 0.1, 0.2, 1.4)."""

import json
import re
import time
from collections.abc import Sequence
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Request, Row, Stop
from workspace_sandbox.stand_ins.container_manager.payload import environment_number
from workspace_sandbox.stand_ins.container_manager.rules import STACK, allows
from workspace_sandbox.stand_ins.container_manager.stack_rows import ACTIVE, StackRows, no_daemon
from workspace_sandbox.stand_ins.container_manager.stack_wanted import stack_wanted
from workspace_sandbox.stand_ins.container_manager.wire import (
    EngineGone,
    Reply,
    portainer_error,
    portainer_json,
)


class Stacks(StackRows):
    """Read and make stacks."""

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
            return portainer_error(500, message, no_daemon(environment))
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
