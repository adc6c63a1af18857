"""The preview's looks: what is there now, for every target of a draft. A system that is down leaves
"unknown", never a hole.
"""

from workspace_manager.contract.connector import UNKNOWN
from workspace_manager.contract.errors import ConnectorError
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.engine.lease import Lease
from workspace_manager.engine.rows import change_of
from workspace_manager.records.models import Plan, PlanChange, SystemStatus


def look(lease: Lease, plan: Plan, systems: ConnectedSystems) -> None:
    """Fill `before` of every change of a draft. Only looks are made; a system that failed once is
    not asked again this time.
    """
    silent = set(SystemStatus.objects.filter(paused=True).values_list("system", flat=True))
    for row in PlanChange.objects.filter(step__plan=plan).select_related("step"):
        change = change_of(row)
        connector = systems.connector(change.kind)
        if connector is None or change.system in silent:
            continue
        try:
            before = connector.plan(change.target, change.after).before
        except ConnectorError:
            silent.add(change.system)
            before = UNKNOWN
        row.change = change.model_copy(update={"before": before}).model_dump(mode="json")
        with lease.writing():
            row.save(update_fields=["change"])
    with lease.writing():
        Plan.objects.filter(id=plan.id, state=Plan.State.DRAFT).update(due_at=None)
