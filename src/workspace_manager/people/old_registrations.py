"""Delete unsuccessful registrations after a time: the row with name and address, and the name in
the audit log.
"""

from datetime import datetime, timedelta
from itertools import islice
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from workspace_manager.audit import erasure
from workspace_manager.audit.note import MANAGER, note
from workspace_manager.core.clock import database_now
from workspace_manager.core.housekeeping_failures import attempt, due_rows
from workspace_manager.people import confirm_email, undo_approval
from workspace_manager.records.models import Person, Plan, Registration, Tombstone

Status = Registration.Status
NOTHING_CAME_OF_IT: Final = (Status.REJECTED, Status.EXPIRED, Status.WITHDRAWN)
AT_ONCE: Final = 20
"""The most in one round, since each is searched in the whole audit log."""


def forget_old(now: datetime | None = None) -> int:
    """Delete registrations rejected WORKSPACE_REGISTRATION_RETENTION_DAYS ago; return their number.
    0 days keeps them for ever.
    """
    if not settings.REGISTRATION_RETENTION_DAYS:
        return 0
    now, count = now or database_now(), 0
    old = _old(now).order_by("decided_at", "id")
    for row in islice(due_rows("forget_registrations", old), AT_ONCE):
        with attempt("forget_registrations", row.pk):
            count += _forget(row, now)
    return count


def _old(now: datetime) -> QuerySet[Registration]:
    """Return old registrations that nothing refers to."""
    limit = now - timedelta(days=settings.REGISTRATION_RETENTION_DAYS)
    kinds = (confirm_email.CONFIRMATION.name, undo_approval.UNDOING.name)
    busy = list(
        Plan.objects.filter(state__in=Plan.OPEN, kind__in=kinds).values_list("about", flat=True)
    )
    rows = Registration.objects.filter(status__in=NOTHING_CAME_OF_IT, decided_at__lt=limit)
    return rows.exclude(pk__in=busy)


def _forget(row: Registration, now: datetime) -> int:
    if not _is_borne(row):
        entries = erasure.take_out(
            row.username,
            row.sub,
            {str(row.id)},
            end=now,
            pseudonym=erasure.new_pseudonym(),
        )
        if entries:
            note("audit:erased", "", actor=MANAGER, entries=entries)
    with transaction.atomic():
        # Read again where it is deleted: somebody may have taken it up since.
        found = _old(now).filter(pk=row.pk).select_for_update().first()
        if found:
            found.delete()
    return int(found is not None)


def _is_borne(row: Registration) -> bool:
    """Return whether somebody has the name, or had it and will be erased from the audit log in
    their own time.
    """
    name = row.username
    return (
        Person.objects.filter(username=name).exists()
        or Tombstone.objects.filter(username=name, erased=False).exists()
        or Registration.objects.filter(username=name).exclude(pk=row.pk).exists()
    )
