"""Calls to Portainer about stacks.

See docs/systems/container-manager.md#stacks and
docs/systems/container-manager.md#stacks-what-bites.
"""

import json
from collections.abc import Mapping
from typing import Any

from workspace_manager.contract.answer import Answer, segment
from workspace_manager.contract.connector import Frozen
from workspace_manager.contract.errors import Conflict, Invalid
from workspace_manager.systems.container_manager.client.answers import (
    as_object,
    as_objects,
    labels_of,
    number_in,
)
from workspace_manager.systems.container_manager.client.connection import Connection
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import PROJECT_LABEL, is_stack_name

KIND = "container_manager.stack"
STACK_S = 600.0
"""Seconds a stack's creation may take: images may have to be fetched.

See docs/systems/container-manager.md#stacks.
"""


class Stack(Frozen):
    """What Portainer says of a stack. It does not say whether its containers run: `Status` ignores
    reality.

    See docs/systems/container-manager.md#stacks-what-bites.
    """

    id: int
    name: str
    environment_id: int
    active: bool


class Stacks:
    """The stack calls of the client."""

    connection: Connection

    def list_stacks(self) -> list[Stack]:
        """All stacks of the environment that the key may see."""
        number = self.connection.environment_id
        answer = self.connection.portainer(
            "GET",
            "/api/stacks",
            doing=message("listing_stacks"),
            kind=KIND,
            params={"filters": json.dumps({"EndpointID": number})},
        )
        stacks = [_stack(answer, item) for item in as_objects(answer)]
        return [stack for stack in stacks if stack.environment_id == number]

    def get_stack(self, stack_id: int) -> Stack:
        """Raises NotFound for an unknown id."""
        answer = self.connection.portainer(
            "GET",
            f"/api/stacks/{stack_id}",
            doing=message("reading_stack"),
            kind=KIND,
            thing="stack",
        )
        return _stack(answer, answer.json())

    def create_stack(self, name: str, file: str, environment: Mapping[str, str]) -> Stack:
        """Create and start it. Raises Conflict when the name is taken, by a stack or by a project
        Portainer does not know.

        A failed creation deletes the containers of an unknown project of that name
        (docs/systems/container-manager.md#stacks-what-bites), so that these are looked for first.
        Values must be `[A-Za-z0-9._-]` only: they are not taken literally there.
        """
        doing = message("creating_stack")
        if not is_stack_name(name):
            raise Invalid(message("impossible_stack_name"), kind=KIND, doing=doing)
        if self.project_containers(name):
            raise Conflict(
                message("containers_without_stack"),
                kind=KIND,
                doing=doing,
                advice=message("look_at_them"),
            )
        answer = self.connection.portainer(
            "POST",
            "/api/stacks/create/standalone/string",
            doing=doing,
            kind=KIND,
            params=self._environment(),
            json_body={
                "Name": name,
                "StackFileContent": file,
                "Env": [{"name": key, "value": value} for key, value in environment.items()],
            },
            answer_s=STACK_S,
        )
        return _stack(answer, answer.json())

    def delete_stack(self, stack_id: int) -> None:
        """Take it down and forget it; its volumes stay. Raises NotFound for an unknown id.

        The environment is always named: in another one a same-named project would be taken down
        instead (docs/systems/container-manager.md#stacks-what-bites).
        """
        self.connection.portainer(
            "DELETE",
            f"/api/stacks/{stack_id}",
            doing=message("deleting_stack"),
            kind=KIND,
            thing="stack",
            accept=(204,),
            params=self._environment(),
            answer_s=STACK_S,
        )

    def _environment(self) -> dict[str, str]:
        return {"endpointId": str(self.connection.environment_id)}

    def project_containers(self, project: str) -> list[str]:
        """Ids of a compose project's containers, whether or not Portainer knows the project."""
        answer = self.connection.engine(
            "GET",
            "/containers/json",
            doing=message("listing_projects_containers"),
            kind=KIND,
            params={"all": "1", **_of_project(project)},
        )
        found = as_objects(answer)
        return [str(item.get("Id")) for item in found if _belongs(answer, item, project)]

    def project_volumes(self, project: str) -> list[str]:
        """Names of a stack's volumes; they outlive the stack.

        See docs/systems/container-manager.md#stacks.
        """
        answer = self.connection.engine(
            "GET",
            "/volumes",
            doing=message("listing_volumes"),
            kind=KIND,
            params=_of_project(project),
        )
        found = as_object(answer).get("Volumes") or []
        if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
            raise answer.error(Invalid, message("not_a_list_of_volumes", shape=answer.shape))
        return sorted(str(item.get("Name")) for item in found if _belongs(answer, item, project))

    def remove_volume(self, name: str) -> None:
        """Raises Conflict while a container uses it, NotFound when there is none."""
        doing = message("removing_volume")
        path = f"/volumes/{segment(name, kind=KIND, doing=doing)}"
        self.connection.engine(
            "DELETE", path, doing=doing, kind=KIND, thing="volume", accept=(204,)
        )


def _of_project(project: str) -> dict[str, str]:
    return {"filters": json.dumps({"label": [f"{PROJECT_LABEL}={project}"]})}


def _belongs(answer: Answer, item: dict[str, Any], project: str) -> bool:
    """Whether the engine's filter was obeyed: an ignored filter must not make strangers' things
    ours.
    """
    return labels_of(answer, item).get(PROJECT_LABEL) == project


def _stack(answer: Answer, found: Any) -> Stack:
    if not isinstance(found, dict) or not isinstance(found.get("Id"), int):
        raise answer.error(Invalid, message("no_stack_described", shape=answer.shape))
    return Stack(
        id=found["Id"],
        name=str(found.get("Name", "")),
        environment_id=number_in(answer, found, "EndpointId"),
        active=found.get("Status") == 1,
    )
