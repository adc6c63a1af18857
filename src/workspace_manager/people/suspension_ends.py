"""Suspensions with an end: administrators are told before, then the person is resumed."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from workspace_manager.access.administrators import lock_administrators
from workspace_manager.audit.note import MANAGER
from workspace_manager.core.clock import database_now
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.core.deadlocks import retry_after_deadlock
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.core.refusal import Refused
from workspace_manager.letters import emails
from workspace_manager.people.suspend import resume
from workspace_manager.records.models import Person, Suspension

REMINDER: Final = timedelta(days=3)
"""How long before the end the letter is sent; for a shorter suspension after half of it."""


def end_due(systems: ConnectedSystems, now: datetime | None = None) -> int:
    """Announce ends that are near, and resume people after theirs; return the number of
    resumptions.
    """
    now, back = now or database_now(), 0
    rows = Suspension.objects.filter(person__state=Person.State.SUSPENDED).exclude(until=None)
    for row in due_rows("end_suspensions", rows.select_related("person")):
        with attempt("end_suspensions", row.pk):
            if row.until and row.until <= now:
                back += _let_in(row, systems)
            elif row.reminded_at is None and _reminded_from(row) <= now:
                _remind(row, now)
    return back


def _reminded_from(row: Suspension) -> datetime:
    until = row.until or row.since
    return max(until - REMINDER, row.since + (until - row.since) / 2)


def _remind(row: Suspension, now: datetime) -> None:
    with transaction.atomic():
        waiting = Suspension.objects.filter(id=row.id, until=row.until, reminded_at=None)
        if waiting.update(reminded_at=now):
            emails.suspension_ends(row)


@retry_after_deadlock
def _let_in(row: Suspension, systems: ConnectedSystems) -> int:
    """Resume a person, unless the end was moved, or they were resumed or are leaving."""
    try:
        with transaction.atomic():
            # The order of locks for decisions about people (records/lock_order.py).
            lock_administrators()
            list(Person.objects.select_for_update().filter(id=row.person_id).values_list("id"))
            due = Suspension.objects.select_for_update().filter(id=row.id, until=row.until)
            if not due.exists():
                return 0
            resume(row.person.username, actor=MANAGER, systems=systems)
    except (Refused, Person.DoesNotExist):
        return 0
    return 1
