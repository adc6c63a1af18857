"""Tasks for what ends by its time: registrations, suspensions, end dates, permissions, what is kept
of those who left. The worker does it every minute, and once when it starts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from workspace_manager.access import sessions, tokens
from workspace_manager.audit import erasure, seals
from workspace_manager.core import dropped_tasks, hold, housekeeping_failures, rate_limit
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.locks import forget_old_locks
from workspace_manager.engine.forget import forget_old_plans
from workspace_manager.inbox import put_off
from workspace_manager.letters import mail_outbox
from workspace_manager.notices import ended_waits
from workspace_manager.operations import health_strip, own_health
from workspace_manager.people import (
    announcements,
    end_dates,
    old_registrations,
    permissions,
    register,
    suspension_ends,
)
from workspace_manager.reconcile import schedule as reconcile_schedule
from workspace_manager.records.journal_erasure import forget_erased
from workspace_manager.removal import draft, recheck
from workspace_manager.snapshots import schedule
from workspace_manager.webhooks import endpoints
from workspace_manager.work import invitations


class TaskEffect(Enum):
    """The effect of a task on access and on what is kept. It decides whether the task waits while a
    hold stands.
    """

    OPENS = "lets somebody in"
    EXPIRES = "ends what was given until a moment"
    ERASES = "deletes what cannot be brought back"
    CLOSES = "shuts somebody out"
    TENDS = "changes nothing of what anybody has"


WAIT: Final = frozenset({TaskEffect.OPENS, TaskEffect.EXPIRES, TaskEffect.ERASES})
"""What a wrong clock must not do: nobody can undo it, or whoever comes in was not to."""


@dataclass(frozen=True)
class Task:
    """One task. `run` is given the time by which it goes, read once for all of them: a clock that
    is turned meanwhile is seen in the next minute, before anything goes by it.
    """

    does: TaskEffect
    run: Callable[[ConnectedSystems, datetime], object]


TASKS: Final[Mapping[str, Task]] = {
    "expire_registrations": Task(TaskEffect.EXPIRES, lambda _, now: register.expire_old(now)),
    "forget_registrations": Task(
        TaskEffect.ERASES, lambda _, now: old_registrations.forget_old(now)
    ),
    "end_announcements": Task(TaskEffect.EXPIRES, lambda _, now: announcements.forget_ended(now)),
    "end_suspensions": Task(TaskEffect.OPENS, suspension_ends.end_due),
    "end_people": Task(TaskEffect.CLOSES, end_dates.end_due),
    "end_sessions": Task(TaskEffect.EXPIRES, lambda _, now: sessions.forget_old(now)),
    "forget_tries": Task(TaskEffect.OPENS, lambda _, now: rate_limit.forget_old(now)),
    "forget_dropped_tasks": Task(TaskEffect.ERASES, lambda _, now: dropped_tasks.forget_old(now)),
    "end_tokens": Task(TaskEffect.ERASES, lambda _, now: tokens.forget_ended(now)),
    "end_permissions": Task(TaskEffect.EXPIRES, lambda _, now: permissions.forget_ended(now)),
    "end_invitations": Task(TaskEffect.EXPIRES, lambda _, now: invitations.forget_old(now)),
    "end_drafts": Task(TaskEffect.EXPIRES, lambda _, now: draft.end_old(now)),
    "end_snoozes": Task(TaskEffect.EXPIRES, lambda _, now: put_off.forget_old(now)),
    "end_locks": Task(TaskEffect.TENDS, lambda _, __: forget_old_locks()),
    "forget_plans": Task(TaskEffect.ERASES, lambda _, now: forget_old_plans(now)),
    "forget_comparisons": Task(
        TaskEffect.ERASES, lambda _, now: reconcile_schedule.forget_old(now)
    ),
    "make_snapshots": Task(TaskEffect.TENDS, schedule.make_due),
    "delete_snapshots": Task(TaskEffect.ERASES, schedule.delete_excess),
    "forget_deliveries": Task(TaskEffect.ERASES, lambda _, now: endpoints.look_after(now)),
    "forget_letters": Task(TaskEffect.ERASES, lambda _, now: mail_outbox.forget_old(now)),
    "erase_people": Task(TaskEffect.ERASES, lambda _, now: erasure.erase_ended(now)),
    "seal_audit": Task(TaskEffect.TENDS, lambda _, __: seals.seal_waiting()),
    "forget_notices": Task(TaskEffect.ERASES, lambda _, now: ended_waits.forget_old(now)),
    "forget_health": Task(TaskEffect.ERASES, lambda _, now: health_strip.forget_old(now)),
    "forget_erased_pages": Task(TaskEffect.TENDS, lambda _, __: forget_erased()),
    "look_again": Task(TaskEffect.TENDS, lambda _, now: recheck.look_again(now)),
    "look_at_manager": Task(TaskEffect.TENDS, lambda _, __: own_health.look()),
}
"""Every task by its name, in the order in which they are done. Each is done whatever the others
raise, and each of its rows whatever the other rows raise.
"""


def look_after(systems: ConnectedSystems, minute: hold.Minute | None = None) -> None:
    """Close and end what is too old, forget what is old, lost or erased, and seal the audit. While
    a hold stands, what opens, erases or expires waits. `minute`: where it was noted already.
    """
    minute = minute or hold.note_minute()
    for name, task in TASKS.items():
        if minute.hold is not None and task.does in WAIT:
            continue
        if housekeeping_failures.is_due(name):
            with housekeeping_failures.attempt(name):
                task.run(systems, minute.now)
