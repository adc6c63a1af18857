"""The systems that keep the content of each kind of thing."""

from workspace_manager.contract.errors import Invalid
from workspace_manager.contract.snapshots import SnapshotSource
from workspace_manager.core.connected_systems import ConnectedSystems, label_of, unreachable_account
from workspace_manager.core.guarded_system import GuardedSystem
from workspace_manager.core.messages import message as of_core
from workspace_manager.core.refusal import Refused
from workspace_manager.records.models import Component, Stack
from workspace_manager.snapshots.messages import message
from workspace_manager.snapshots.store_access import refuse_unset
from workspace_manager.systems import registry
from workspace_manager.work.reservation import SYSTEMS


def refuse_unknown(source: Component | Stack, systems: ConnectedSystems) -> None:
    """Raise Refused where nothing keeps the content of such a component, or of a part of the
    stack.
    """
    for part in source.parts.all() if isinstance(source, Stack) else [source]:
        system = SYSTEMS[Component.Kind(part.kind)]
        if not systems.configured(system):
            raise Refused(of_core("not_configured", system=label_of(system)))
        refuse_unset()
        if not keeps_content(part.kind):
            raise Refused(message("source_unknown", kind=part.kind))


def keeps_content(kind: str) -> bool:
    """Return whether some system keeps the content of this kind of component, set up or not."""
    spec = registry().specs.get(SYSTEMS[Component.Kind(kind)])
    return spec is not None and bool(spec.snapshots)


def find_source(kind: str, systems: ConnectedSystems) -> SnapshotSource:
    """Return the source that keeps the content of this kind of component. Raises Invalid."""
    name = SYSTEMS[Component.Kind(kind)]
    spec, system = registry().specs.get(name), systems.by_name.get(name)
    if spec is None or system is None:
        # Named by a kind that the system has: else it counts as not installed.
        known = spec.kinds[0].kind if spec and spec.kinds else f"{name}.content"
        raise unreachable_account(known, systems)
    source = spec.snapshotter()
    if source is None:
        raise Invalid(
            message("source_unknown", kind=kind), kind=f"{name}.content", doing=message("capturing")
        )
    return source(system.brought if isinstance(system, GuardedSystem) else system)
