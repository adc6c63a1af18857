"""Portainer's stacks: list, read and create."""

import contextlib
import json
import re
import time
from collections.abc import Sequence
from typing import Any

from workspace_sandbox.stand_ins.container_manager.compose_file import ComposeFailed
from workspace_sandbox.stand_ins.container_manager.gate import Request, Row
from workspace_sandbox.stand_ins.container_manager.payload import (
    Payload,
    environment_number,
    invalid,
)
from workspace_sandbox.stand_ins.container_manager.rules import STACK, allows
from workspace_sandbox.stand_ins.container_manager.stack_rows import ACTIVE, StackRows, no_daemon
from workspace_sandbox.stand_ins.container_manager.wire import (
    EngineGone,
    Reply,
    portainer_error,
    portainer_json,
)


class Stacks(StackRows):
    """Read and make stacks."""

    # --- reading ----------------------------------------------------------------------------------

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

    # --- making -----------------------------------------------------------------------------------

    async def create(self, request: Request, _parts: Sequence[str]) -> Reply:
        """Make a stack of a file that is sent along; other kinds and ways have no caller."""
        environment = self._environment(request, environment_number(request.parameters))
        return await self._made(request, environment, stack_wanted(request))

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
            "GitConfig": None,
            "FromAppTemplate": bool(given["template"]),
            "file": given["file"],
        }
        failed = await self._deploy(row, environment)
        if failed:
            with contextlib.suppress(ComposeFailed):
                await self._compose.down(name)
            self._changed()
            return failed
        self.rows[str(row["Id"])] = row
        self._rules.add(f"{where}_{name}", STACK, request)
        return portainer_json(self._shown(row))


def stack_wanted(request: Request) -> dict[str, Any]:
    """Read name, Env and file of a creation. Raises Stop."""
    given = Payload(request.body, "stacks.composeStackFromFileContentPayload")
    name, env, file = given.text("Name"), given.env(), given.text("StackFileContent")
    if not name:
        raise invalid("Invalid stack name")
    if not file:
        raise invalid("Invalid stack file content")
    return {"name": name, "env": env, "template": given.get("FromAppTemplate"), "file": file}
