"""An existing container: start, stop and remove it.

See docs/explanation/components.md#containers and docs/explanation/removal.md#the-seven-steps.
"""

from typing import ClassVar

from workspace_manager.contract.connector import (
    ALREADY,
    CHANGED,
    CallPolicy,
    Change,
    Evidence,
    Facts,
    Outcome,
    Target,
)
from workspace_manager.contract.containers import ContainerState
from workspace_manager.contract.errors import NotFound
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.client.connection import CALLS, SYSTEM
from workspace_manager.systems.container_manager.connector.engine import KIND, Engine
from workspace_manager.systems.container_manager.messages import message


class ContainerConnector:
    """The connector of existing containers; it never creates one."""

    kind: ClassVar[str] = KIND
    calls: ClassVar[CallPolicy] = CALLS

    def __init__(self, engine: Engine, client: Client) -> None:
        self._engine = engine
        self._client = client

    def plan(self, target: Target, want: Facts | None) -> Change:
        """Look at the container. `before`: `running`, `status`, `image`."""
        state = self._look(target)
        before: Facts | None = None
        if state is not None:
            before = {
                "running": not state.stopped,
                "status": state.status,
                "image": state.image,
            }
        return Change(kind=KIND, subject="", target=dict(target), before=before, after=want)

    def apply(self, change: Change) -> Outcome:
        """Start or stop the container. Without the container, a stop changes nothing, and a start
        raises NotFound.
        """
        if _shall_run(change):
            state = self._client.inspect(change.target["container"])
            acted = state.stopped and self._client.start(state.id)
        else:
            found = self._look(change.target)
            acted = found is not None and not found.stopped and self._engine.stop(found.id)
        return CHANGED if acted else ALREADY

    def remove(self, change: Change) -> Outcome:
        """Stop and remove the container; its named volumes stay.

        See docs/explanation/removal.md#the-seven-steps.
        """
        state = self._look(change.target)
        if state is None:
            return ALREADY
        if not state.stopped:
            self._engine.stop(state.id)
        try:
            self._client.remove(state.id)
        except NotFound:
            return ALREADY
        return CHANGED

    def verify(self, change: Change) -> Evidence | None:
        """Look again. A missing container counts as stopped."""
        name = change.target["container"]
        state = self._look(change.target)
        asked = f"GET containers/{name}/json"
        if state is None:
            return (
                None
                if _shall_run(change)
                else Evidence.now(SYSTEM, asked, message("no_container_named", name=name))
            )
        if change.after is None or _shall_run(change) is state.stopped:
            return None
        return Evidence.now(
            SYSTEM, asked, message("container_is", name=name, status=state.status, pid=state.pid)
        )

    def _look(self, target: Target) -> ContainerState | None:
        try:
            return self._client.inspect(target["container"])
        except NotFound:
            return None


def _shall_run(change: Change) -> bool:
    return change.after is not None and change.after.get("running") is True
