"""The store of snapshots, for the engine a system like the others."""

from collections.abc import Mapping, Sequence

from workspace_manager.contract.connector import Connector, Evidence, Finding
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.snapshots import store_health
from workspace_manager.snapshots.content import SYSTEM, SnapshotContent
from workspace_manager.snapshots.content_in_place import ContentInPlace
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.restored_content import RestoredContent
from workspace_manager.snapshots.store.probe import try_store
from workspace_manager.snapshots.store_access import open_snapshots


class SnapshotsSystem:
    """The store of snapshots as a system: it keeps content and brings it back."""

    name = SYSTEM

    def __init__(self, systems: ConnectedSystems) -> None:
        connectors: list[Connector] = [
            SnapshotContent(systems),
            RestoredContent(systems),
            ContentInPlace(systems),
        ]
        self.connectors: Mapping[str, Connector] = {one.kind: one for one in connectors}

    def try_again(self) -> None:
        return None

    def check(self) -> Sequence[Finding]:
        return store_health.findings()

    def prove_credential(self) -> None:
        """A key may be one that lists and does not delete: each call is tried."""
        try_store(open_snapshots())

    def prove_rights(self) -> Evidence:
        open_snapshots().look()
        return Evidence.now(SYSTEM, message("asked_store"), message("store_shown"))


def connect(systems: ConnectedSystems) -> SnapshotsSystem:
    """As the other systems are connected; it is lent what is connected besides."""
    return SnapshotsSystem(systems)
