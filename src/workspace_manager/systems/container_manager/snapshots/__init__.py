"""Snapshots of knowledge stacks: their volumes, packed while nothing in the stack runs, and
unpacked into new ones.

See docs/systems/container-manager.md#snapshots.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from workspace_manager.contract.connector import System, Target
from workspace_manager.contract.errors import Conflict, ConnectorError, NotFound
from workspace_manager.contract.progress import WorkEnded
from workspace_manager.contract.snapshots import SnapshotFacts, SnapshotReader, SnapshotWriter
from workspace_manager.systems.container_manager.connector import ContainerManager
from workspace_manager.systems.container_manager.connector.helper_container import (
    find_helper,
    remove_helper,
    stopped_for,
)
from workspace_manager.systems.container_manager.connector.stack_state import (
    find_stack,
    refuse_foreign,
)
from workspace_manager.systems.container_manager.messages import message
from workspace_manager.systems.container_manager.names import (
    MARK_LABEL,
    PROJECT_LABEL,
    VOLUME_LABEL,
    VOLUMES_KIND,
    content_address,
    content_target,
    is_beside,
    stack_beside,
    stack_in_place,
)
from workspace_manager.systems.container_manager.snapshots.programs import (
    running_programs,
    start_programs,
)
from workspace_manager.systems.container_manager.snapshots.tar_container import TarContainer
from workspace_manager.systems.container_manager.snapshots.volumes import find_volumes
from workspace_manager.systems.container_manager.snapshots.volumes_in_place import VolumesInPlace

ENDING: Final = ".tar"


class StackSnapshots:
    """Snapshots of volumes, by the address of a stack's content (`names.content_address`)."""

    def __init__(self, system: ContainerManager) -> None:
        self._client, self._engine = system.client, system.containers
        self._image = system.settings.snapshot_image

    def capture(self, address: str, writer: SnapshotWriter) -> SnapshotFacts:
        """Write each volume as a part. Running containers of the stack are stopped meanwhile."""
        if not find_volumes(self._client, content_target(address)):
            self._settle(address)
            return SnapshotFacts(tables=(), consistent=True)
        with self.at_rest(address) as capture:
            return capture(writer)

    @contextlib.contextmanager
    def at_rest(self, address: str) -> Iterator[Callable[[SnapshotWriter], SnapshotFacts]]:
        """Stop everything of the stack during this block, even without volumes; what ran before
        runs again afterwards.
        """
        target = content_target(address)
        self._settle(address)
        volumes = find_volumes(self._client, target)
        with self._stopped(target, volumes) as helper:

            def capture(writer: SnapshotWriter) -> SnapshotFacts:
                facts = []
                for key in volumes:
                    part = writer.open_part(key + ENDING)
                    facts.append(helper.pack(key, part.write))
                    part.close()
                return SnapshotFacts(tables=tuple(facts), consistent=True)

            yield capture

    def restore(self, address: str, reader: SnapshotReader) -> None:
        """Make and fill the volumes before anything else of the stack exists. Leftovers of an
        interrupted attempt are removed first. Raises Conflict if containers use them.
        """
        target = content_target(address)
        found = find_stack(self._client, target)
        if found.containers:
            raise Conflict(
                message("volumes_in_use", name=target["stack"]),
                kind=VOLUMES_KIND,
                doing=message("restoring_volumes"),
            )
        self._forget(target)
        sizes = {
            name.removesuffix(ENDING): size
            for name, size in reader.sizes().items()
            if name.endswith(ENDING)
        }
        if is_beside(target["stack"]):
            present = content_address(stack_in_place(target["stack"]), target["mark"])
            self._in_place(present).refuse_others([*sizes])
        try:
            self._fill(target, sizes, reader)
        except WorkEnded:
            raise
        except Exception:
            with contextlib.suppress(ConnectorError):
                self._forget(target)
            raise

    def facts(self, address: str) -> SnapshotFacts:
        """Count the content of the volumes. They are read as they are, even while containers
        run.
        """
        target = content_target(address)
        volumes = find_volumes(self._client, target)
        if not volumes:
            return SnapshotFacts(tables=(), consistent=True)
        self.release(address)
        helper = TarContainer(self._client, self._image, target, volumes)
        try:
            helper.start()
            facts = tuple(helper.pack(key, lambda _piece: None) for key in volumes)
        finally:
            with contextlib.suppress(ConnectorError):
                helper.remove()
        return SnapshotFacts(tables=facts, consistent=True)

    def release(self, address: str) -> None:
        """Start what an interrupted capture stopped, and remove its helper."""
        target = content_target(address)
        if helper := find_helper(self._client, target):
            self._resume(target, stopped_for(helper))

    def address_beside(self, address: str) -> str:
        target = content_target(address)
        return content_address(stack_beside(target["stack"]), target["mark"])

    def make_beside(self, address: str) -> None:
        """Finish a switch that broke off, and remove what an earlier restore left. `restore` makes
        the volumes.
        """
        in_place = self._in_place(address)
        if in_place.is_begun():
            in_place.switch()
        in_place.discard()

    def has_beside(self, address: str) -> bool:
        return self._in_place(address).exists()

    def discard_beside(self, address: str) -> None:
        self._in_place(address).discard()

    def switch(self, address: str, beside: str) -> None:  # noqa: ARG002
        """Copy the content of the volumes beside while no program runs, and start those that ran.
        Programs that were stopped stay stopped.
        """
        in_place = self._in_place(address)
        if not in_place.is_begun():
            self.release(address)
        in_place.switch()

    def _in_place(self, address: str) -> VolumesInPlace:
        target = content_target(address)
        return VolumesInPlace(self._client, self._engine, self._image, target)

    def _settle(self, address: str) -> None:
        """Bring to its end what broke off: nobody reads a volume that is half replaced."""
        in_place = self._in_place(address)
        if in_place.is_begun():
            in_place.switch()
        self.release(address)

    @contextlib.contextmanager
    def _stopped(self, target: Target, volumes: Mapping[str, str]) -> Iterator[TarContainer]:
        running = running_programs(self._client, target)
        stopped = [one.id for one in running]
        helper = TarContainer(self._client, self._image, target, volumes, stopped=stopped)
        try:
            for one in reversed(running):
                with contextlib.suppress(NotFound):
                    self._engine.stop(one.id)
            helper.start()
            yield helper
        except WorkEnded:
            # The next worker with the claim finds the helper, and what was stopped for it.
            raise
        except Exception:
            with contextlib.suppress(ConnectorError):
                self._resume(target, stopped)
            raise
        self._resume(target, stopped)

    def _resume(self, target: Target, stopped: Iterable[str]) -> None:
        """Start these containers again; then delete the record of their stop."""
        start_programs(self._client, stopped)
        remove_helper(self._client, target)

    def _fill(self, target: Target, sizes: Mapping[str, int], reader: SnapshotReader) -> None:
        volumes = {key: f"{target['stack']}_{key}" for key in sizes}
        taken = self._client.volumes_named(target["stack"], [*volumes.values()])
        refuse_foreign([one.name for one in taken], doing=message("restoring_volumes"))
        for key, name in volumes.items():
            labels = {
                MARK_LABEL: target["mark"],
                PROJECT_LABEL: target["stack"],
                VOLUME_LABEL: key,
            }
            self._client.create_volume(name, labels)
        helper = TarContainer(self._client, self._image, target, volumes, writes=True)
        helper.start()
        if is_beside(target["stack"]):
            # What the switch needs is refused before anything waits for it.
            helper.probe()
        for key, size in sizes.items():
            helper.unpack(key, reader.read_part(key + ENDING), size)
        helper.remove()

    def _forget(self, target: Target) -> None:
        """Remove the existing volumes, and the helper that uses them."""
        remove_helper(self._client, target)
        for name in find_volumes(self._client, target).values():
            with contextlib.suppress(NotFound):
                self._client.remove_volume(name)


def snapshots(system: System) -> StackSnapshots:
    """Return the snapshots of a connected container manager; no call is made."""
    if not isinstance(system, ContainerManager):
        raise TypeError("a source is of the system that connect gave")
    return StackSnapshots(system)
