"""What ends by its time: registrations, suspensions, end dates, permissions, what is kept of those
who left. The worker does it every minute, and once when it starts.
"""

from workspace_manager.core import audit_seals, mail_outbox, sessions, tries
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import forget_old_locks
from workspace_manager.engine.forget import forget_old_plans
from workspace_manager.inbox import put_off
from workspace_manager.notices import lasting, webhooks
from workspace_manager.people import (
    announced,
    end_dates,
    erasure,
    permissions,
    register,
    suspension_ends,
    tokens,
)
from workspace_manager.reconcile import schedule as reconcile_schedule
from workspace_manager.records.erased import forget_erased
from workspace_manager.work import invitations


def look_after(systems: ConnectedSystems) -> None:
    """Close and end what is too old, forget what is old, lost or erased, and seal the audit."""
    register.expire_old()
    announced.forget_ended()
    suspension_ends.end_due(systems)
    end_dates.end_due(systems)
    sessions.forget_old()
    tries.forget_old()
    tokens.forget_ended()
    permissions.forget_ended()
    invitations.forget_old()
    put_off.forget_old()
    forget_old_locks()
    forget_old_plans()
    reconcile_schedule.forget_old()
    webhooks.look_after()
    mail_outbox.forget_old()
    erasure.erase_ended()
    audit_seals.seal_waiting()
    lasting.forget_old()
    forget_erased()
