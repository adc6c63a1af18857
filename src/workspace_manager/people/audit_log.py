"""The audit as it is read: who did what to whom, found by person, by action and by time.

Rows are written by `core.audit` and only ever added to; here they are only read.
"""

from typing import Any, Final

from django.db.models import Q, QuerySet

from workspace_manager.core.listing import Listing
from workspace_manager.core.timestamps import in_utc
from workspace_manager.records.models import AuditEntry

AUDIT: Final = Listing(
    searched=("actor", "subject", "event"),
    order=("-at", "-id"),
    columns={"action": "event", "since": "at__gte", "until": "at__lt"},
)


def entries(person: str = "") -> QuerySet[AuditEntry]:
    """All entries, or those in which this name acts or is acted upon."""
    rows = AuditEntry.objects.all()
    return rows.filter(Q(subject=person) | Q(actor=person)) if person else rows


def actions() -> list[str]:
    """Every action that was ever done, in the order of their names."""
    return list(AuditEntry.objects.order_by("event").values_list("event", flat=True).distinct())


def of_entry(row: AuditEntry) -> dict[str, Any]:
    """One entry as programs read it. `details` are as they were written: no secret is in them."""
    return {
        "id": row.pk,
        "at": in_utc(row.at),
        "actor": row.actor,
        "action": row.event,
        "subject": row.subject,
        "details": row.details,
    }
