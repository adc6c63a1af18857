"""What a request to create a stack asks for."""

from typing import Any

from workspace_sandbox.stand_ins.container_manager.gate import Request
from workspace_sandbox.stand_ins.container_manager.payload import Payload, invalid


def stack_wanted(request: Request) -> dict[str, Any]:
    """Read name, Env and file of a creation. Raises Stop."""
    given = Payload(request.body, "stacks.composeStackFromFileContentPayload")
    name, env, file = given.text("Name"), given.env(), given.text("StackFileContent")
    if not name:
        raise invalid("Invalid stack name")
    if not file:
        raise invalid("Invalid stack file content")
    return {"name": name, "env": env, "template": given.get("FromAppTemplate"), "file": file}
