"""Write down who did what to whom. Rows are only ever added."""

from django.db import transaction
from pydantic import JsonValue

from workspace_manager.core import audit_teller
from workspace_manager.records.models import AuditEntry

MANAGER = "manager"
"""The actor of what the manager does by itself."""


def note(event: str, subject: str, *, actor: str, **details: JsonValue) -> None:
    """Add one entry. `event` is `thing:action`; people are named by text; no secret ever goes into
    `details`.
    """
    with transaction.atomic(savepoint=False):
        audit_teller.tell(
            AuditEntry.objects.create(actor=actor, event=event, subject=subject, details=details)
        )
