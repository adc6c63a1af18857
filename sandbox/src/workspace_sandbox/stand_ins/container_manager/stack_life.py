"""Portainer's stacks: their end, with everything that bites."""

from collections.abc import Sequence

from workspace_sandbox.stand_ins.container_manager.gate import Request
from workspace_sandbox.stand_ins.container_manager.payload import environment_number, number
from workspace_sandbox.stand_ins.container_manager.rules import allows
from workspace_sandbox.stand_ins.container_manager.stack_rows import (
    StackRows,
    missing,
)
from workspace_sandbox.stand_ins.container_manager.wire import (
    PORTAINER,
    Reply,
    portainer_error,
)


class StackLife(StackRows):
    """End stacks."""

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
        self._environments.allowed(request, str(where), of="endpoint")
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
                (
                    "A stack with this name exists inside the database. Cannot use external "
                    "delete method"
                ),
                "A tag already exists with this name",
            )
        return portainer_error(500, "Unable to delete stack", "")
