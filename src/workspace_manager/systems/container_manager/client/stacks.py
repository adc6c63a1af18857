"""Calls to Portainer about stacks.

See docs/systems/container-manager.md#stacks and
docs/systems/container-manager.md#stacks-what-bites.
"""

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

import httpx

from workspace_manager.contract.answer import Answer
from workspace_manager.contract.connector import CallPolicy, FrozenModel
from workspace_manager.contract.errors import Conflict, Denied, Invalid, Unavailable
from workspace_manager.contract.secret import Secret
from workspace_manager.systems.container_manager.client.answers import (
    Odd,
    as_object,
    number_in,
    read_entries,
    require_all,
)
from workspace_manager.systems.container_manager.client.projects import Projects
from workspace_manager.systems.container_manager.client.values import reveal_values
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import STACK_KIND, is_stack_name

KIND = STACK_KIND
STACK_S = 110.0
"""Seconds a call about a stack may take: as long as a worker's claim on its plan allows. A creation
that takes longer continues in Portainer; a later attempt finds its result.

See docs/systems/container-manager.md#stacks.
"""
GOES_ON_S = 600.0
"""Seconds a creation without an answer may continue at the container manager, for example fetching
images. Nothing is sent again meanwhile, because a second creation would remove the first one's
containers.
"""
STACK_CALLS = CallPolicy(connect_s=5, answer_s=60, first_wait_s=5, goes_on_s=GOES_ON_S)
"""`answer_s` is also the wait before a new look: at a creation that was cut off, and at a stack
that is made and not healthy yet.
"""
_BY_A_PROXY = (502, 504)
"""Statuses of a proxy in front of Portainer that gave up, too."""
_NEVER_SENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout)
_ADMINISTRATOR = 1


class NotAnswered(Unavailable):
    """A creation was sent and not answered in time; Portainer continues it."""


class Stack(FrozenModel):
    """A stack as Portainer shows it. It does not say whether its containers run: `Status` ignores
    that.

    See docs/systems/container-manager.md#stacks-what-bites.
    """

    id: int
    name: str
    environment_id: int
    active: bool


class Stacks(Projects):
    """The client's calls about stacks."""

    def me(self) -> dict[str, Any]:
        """Return the key's owner; `Role` 1 is an administrator."""
        return as_object(
            self.connection.portainer("GET", "/api/users/me", doing=message("asking_whose_key"))
        )

    def require_everything(self) -> None:
        """Raise Denied for a regular user's key: its lists are filtered, so absence from them
        proves nothing.
        """
        if not self.connection.direct and self.me().get("Role") != _ADMINISTRATOR:
            raise Denied(
                message("owner_is_regular"),
                kind=KIND,
                doing=message("asking_whose_key"),
                advice=message("make_token_as_administrator"),
            )

    def list_stacks(self) -> list[Stack]:
        """Return all stacks of the environment that the key may see."""
        return require_all(*self._each_stack())

    def each_stack(self) -> list[Stack | Odd]:
        """Return the stacks for a comparison: an odd entry hides no other one."""
        return self._each_stack()[1]

    def _each_stack(self) -> tuple[Answer, list[Stack | Odd]]:
        number = self.connection.environment_id
        answer = self.connection.portainer(
            "GET",
            "/api/stacks",
            doing=message("listing_stacks"),
            kind=KIND,
            params={"filters": json.dumps({"EndpointID": number})},
        )
        found = read_entries(answer, answer.json(), partial(_stack, answer))
        return answer, [
            one for one in found if isinstance(one, Odd) or one.environment_id == number
        ]

    def get_stack(self, stack_id: int) -> Stack:
        """Return a stack. Raises NotFound for an unknown id."""
        answer = self.connection.portainer(
            "GET",
            f"/api/stacks/{stack_id}",
            doing=message("reading_stack"),
            kind=KIND,
            thing="stack",
        )
        return _stack(answer, answer.json())

    def stack_file(self, stack_id: int) -> str:
        """Return the compose file of a stack. Raises NotFound for an unknown id."""
        answer = self.connection.portainer(
            "GET",
            f"/api/stacks/{stack_id}/file",
            doing=message("reading_file_of_stack"),
            kind=KIND,
            thing="stack",
        )
        found = as_object(answer).get("StackFileContent")
        if not isinstance(found, str):
            raise answer.error(Invalid, message("no_stack_described", shape=answer.shape))
        return found

    def create_stack(self, name: str, file: str, values: Mapping[str, Secret]) -> Stack:
        """Create and start a stack. Raises Conflict if the name is taken, by a stack or by a
        project that Portainer does not know, and NotAnswered if the creation may still succeed.

        A failed creation deletes the containers of an unknown project with that name
        (docs/systems/container-manager.md#stacks-what-bites), so they are looked for first. Raises
        Invalid for a value that would not be taken literally.
        """
        doing = message("creating_stack")
        if not is_stack_name(name):
            raise Invalid(message("impossible_stack_name"), kind=KIND, doing=doing)
        environment = reveal_values(values)
        if self.project_containers(name):
            raise Conflict(
                message("containers_without_stack"),
                kind=KIND,
                doing=doing,
                advice=message("look_at_them"),
            )
        try:
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
                accept=(200, *_BY_A_PROXY),
                answer_s=STACK_S,
            )
        except Unavailable as late:
            broken = late.__cause__
            if isinstance(broken, httpx.HTTPError) and not isinstance(broken, _NEVER_SENT):
                raise NotAnswered(late.message, kind=KIND, doing=doing) from late
            raise
        if answer.status in _BY_A_PROXY:
            raise NotAnswered(message("answered", shape=answer.shape), kind=KIND, doing=doing)
        return _stack(answer, answer.json())

    def delete_stack(self, stack_id: int) -> None:
        """Take a stack down and delete it; its volumes stay. Raises NotFound for an unknown id.

        The environment is always named: otherwise a project with the same name in another
        environment would be taken down (docs/systems/container-manager.md#stacks-what-bites).
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


def _stack(answer: Answer, found: Any) -> Stack:
    if not (
        isinstance(found, dict)
        and isinstance(found.get("Id"), int)
        and isinstance(found.get("Name", ""), str)
    ):
        raise answer.error(Invalid, message("no_stack_described", shape=answer.shape))
    return Stack(
        id=found["Id"],
        name=found.get("Name", ""),
        environment_id=number_in(answer, found, "EndpointId"),
        active=found.get("Status") == 1,
    )
