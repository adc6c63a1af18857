"""The switch of a stack's volumes for those that a restore in place filled beside.

No engine renames a volume, so the content is copied while no program runs. A switch that broke off
leaves the programs stopped and the volumes beside whole, and copies all of it again. Two containers
are the record: one from before the first stop until everything is copied, and one from then until
everything runs again. Both name the programs to start.
"""

import contextlib
from collections.abc import Mapping, Sequence

from workspace_manager.contract.connector import Target
from workspace_manager.contract.containers import ContainerEngine, ContainerState
from workspace_manager.contract.errors import Conflict, ConnectorError, NotFound
from workspace_manager.contract.progress import WorkEnded
from workspace_manager.systems.container_manager.client import Client
from workspace_manager.systems.container_manager.connector.helper_container import (
    find_helper,
    remove_helper,
    remove_helpers,
    stopped_for,
    switch_helpers,
)
from workspace_manager.systems.container_manager.connector.stack_state import (
    NOT_RUNNING,
    find_stack,
)
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    VOLUMES_KIND,
    stack_beside,
    stack_target,
    switch_name,
    switched_name,
)
from workspace_manager.systems.container_manager.snapshots.copy_container import (
    CopyContainer,
    create_copier,
)
from workspace_manager.systems.container_manager.snapshots.programs import (
    in_order,
    running_programs,
    start_programs,
)
from workspace_manager.systems.container_manager.snapshots.tar_container import create_helper
from workspace_manager.systems.container_manager.snapshots.volumes import find_volumes


class VolumesInPlace:
    """The volumes beside those of one stack, and their switch."""

    def __init__(self, client: Client, engine: ContainerEngine, image: str, target: Target) -> None:
        self._client, self._engine, self._image = client, engine, image
        self._target = target
        self._stack = target["stack"]
        self._beside = stack_target(stack_beside(self._stack), target["mark"])

    def exists(self) -> bool:
        """Return whether a restore left anything."""
        if find_volumes(self._client, self._beside):
            return True
        return any(map(self._find, switch_helpers(self._stack)))

    def is_begun(self) -> bool:
        """Return whether a switch began and has not ended."""
        return any(map(self._find, (switch_name(self._stack), switched_name(self._stack))))

    def discard(self) -> None:
        """Remove everything that a restore left. What a switch stopped stays stopped."""
        remove_helpers(self._client, self._target)
        self._remove_beside()

    def refuse_others(self, keys: Sequence[str]) -> None:
        """Raise Conflict, with their names, if the stack has other volumes than these."""
        present = find_volumes(self._client, self._target)
        if other := sorted({*present} ^ {*keys}):
            raise Conflict(
                message("volumes_differ", name=self._stack, volumes=", ".join(other)),
                kind=VOLUMES_KIND,
                doing=message("replacing_volumes"),
                advice=message("restore_volumes_as_new"),
            )

    def switch(self) -> None:
        """Replace the content, or continue a switch that broke off; do nothing once it is done."""
        if done := self._find(switched_name(self._stack)):
            self._end(stopped_for(done))
            return
        beside = find_volumes(self._client, self._beside)
        begun = self._find(switch_name(self._stack))
        if not beside and not begun:
            return
        self.refuse_others([*beside])
        helper = self._continue(begun) if begun else self._begin(beside)
        for key in beside:
            helper.replace(key)
        self._end(self._record_end())

    def _begin(self, beside: Mapping[str, str]) -> CopyContainer:
        """Record what runs, and stop it. Nothing is stopped for an image that cannot do it."""
        running = [one.id for one in running_programs(self._client, self._target)]
        present = find_volumes(self._client, self._target)
        helper = create_copier(
            self._client, self._image, self._target, present, beside, stopped=running
        )
        try:
            helper.start()
            helper.probe()
        except WorkEnded:
            raise
        except Exception:
            with contextlib.suppress(ConnectorError):
                helper.remove()
            raise
        self._stop_programs()
        return helper

    def _continue(self, begun: ContainerState) -> CopyContainer:
        """Stop what somebody started meanwhile, and a command that may still run in the helper."""
        self._stop_programs()
        self._engine.stop(begun.id, grace_s=0)
        helper = CopyContainer(self._client, self._image, begun.id)
        helper.start()
        return helper

    def _stop_programs(self) -> None:
        """Stop all programs, those that depend on others first. A paused one would go on with what
        it had read before, so it is stopped, too.
        """
        containers = find_stack(self._client, self._target).containers
        for one in reversed(in_order([*containers])):
            if one.state not in NOT_RUNNING:
                with contextlib.suppress(NotFound):
                    self._engine.stop(one.id)

    def _record_end(self) -> list[str]:
        """Record that everything is copied, and return the programs to start."""
        begun = self._find(switch_name(self._stack))
        stopped = stopped_for(begun) if begun else []
        name, mark = switched_name(self._stack), self._target["mark"]
        create_helper(self._client, self._image, name, mark, stopped=stopped)
        return stopped

    def _end(self, stopped: Sequence[str]) -> None:
        """Remove the volumes beside, and start what ran."""
        remove_helper(self._client, self._target, switch_name(self._stack))
        self._remove_beside()
        start_programs(self._client, stopped)
        remove_helper(self._client, self._target, switched_name(self._stack))

    def _remove_beside(self) -> None:
        for name in find_volumes(self._client, self._beside).values():
            with contextlib.suppress(NotFound):
                self._client.remove_volume(name)

    def _find(self, name: str) -> ContainerState | None:
        return find_helper(self._client, self._target, name)
