"""What ends by its time: registrations, suspensions, end dates, permissions, what is kept of those
who left. The worker does it every minute, and once when it starts.
"""

from collections.abc import Callable, Mapping
from typing import Final

from workspace_manager.core import (
    audit_seals,
    dropped_tasks,
    housekeeping_failures,
    mail_outbox,
    sessions,
    tries,
)
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import forget_old_locks
from workspace_manager.engine.forget import forget_old_plans
from workspace_manager.inbox import put_off
from workspace_manager.notices import lasting, webhooks
from workspace_manager.operations import own_health
from workspace_manager.people import (
    announced,
    end_dates,
    erasure,
    old_registrations,
    permissions,
    register,
    suspension_ends,
    tokens,
)
from workspace_manager.reconcile import schedule as reconcile_schedule
from workspace_manager.records.erased import forget_erased
from workspace_manager.work import invitations

TASKS: Final[Mapping[str, Callable[[ConnectedSystems], object]]] = {
    "expire_registrations": lambda _: register.expire_old(),
    "forget_registrations": lambda _: old_registrations.forget_old(),
    "end_announcements": lambda _: announced.forget_ended(),
    "end_suspensions": suspension_ends.end_due,
    "end_people": end_dates.end_due,
    "end_sessions": lambda _: sessions.forget_old(),
    "forget_tries": lambda _: tries.forget_old(),
    "forget_dropped_tasks": lambda _: dropped_tasks.forget_old(),
    "end_tokens": lambda _: tokens.forget_ended(),
    "end_permissions": lambda _: permissions.forget_ended(),
    "end_invitations": lambda _: invitations.forget_old(),
    "end_snoozes": lambda _: put_off.forget_old(),
    "end_locks": lambda _: forget_old_locks(),
    "forget_plans": lambda _: forget_old_plans(),
    "forget_comparisons": lambda _: reconcile_schedule.forget_old(),
    "forget_deliveries": lambda _: webhooks.look_after(),
    "forget_letters": lambda _: mail_outbox.forget_old(),
    "erase_people": lambda _: erasure.erase_ended(),
    "seal_audit": lambda _: audit_seals.seal_waiting(),
    "forget_notices": lambda _: lasting.forget_old(),
    "forget_erased_pages": lambda _: forget_erased(),
    "look_at_manager": lambda _: own_health.look(),
}
"""Every task by its name, in the order in which they are done. Each is done whatever the others
raise, and each of its rows whatever the other rows raise.
"""


def look_after(systems: ConnectedSystems) -> None:
    """Close and end what is too old, forget what is old, lost or erased, and seal the audit."""
    for name, task in TASKS.items():
        if housekeeping_failures.is_due(name):
            with housekeeping_failures.attempt(name):
                task(systems)
