"""Portainer's stacks in motion: update, start, stop, delete, with everything that bites (facts 0.1, 0.2, 1.4)."""

import time
from collections.abc import Sequence
from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Request, Row
from workspace_sandbox.stand_ins.container_manager.payload import (
    Payload,
    environment_number,
    invalid,
    number,
)
from workspace_sandbox.stand_ins.container_manager.rules import allows
from workspace_sandbox.stand_ins.container_manager.stack_rows import (
    ACTIVE,
    INACTIVE,
    StackRows,
    missing,
)
from workspace_sandbox.stand_ins.container_manager.wire import (
    PORTAINER,
    Reply,
    portainer_error,
    portainer_json,
)


class StackLife(StackRows):
    """Change and end stacks."""

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
            return portainer_error(404, message, missing("endpoints", where))
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
