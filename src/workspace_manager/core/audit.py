"""Write down who did what to whom. Rows are only ever added.

Whoever tells others of it is asked in the same transaction. Core does not know them: `install` says
who they are, and they are loaded when they are first needed.
"""

from django.db import transaction
from django.utils.module_loading import import_string
from pydantic import JsonValue

from workspace_manager.records.models import AuditEntry

MANAGER = "manager"
"""The actor of what the manager does by itself."""


_teller = ""


def install(teller: str) -> None:
    """Name the function that is given each entry; "" for none."""
    global _teller
    _teller = teller


def note(event: str, subject: str, *, actor: str, **details: JsonValue) -> None:
    """Add one entry. `event` is `thing:action`; people are named by text; no secret ever goes into
    `details`.
    """
    if not _teller:
        AuditEntry.objects.create(actor=actor, event=event, subject=subject, details=details)
        return
    with transaction.atomic(savepoint=False):
        entry = AuditEntry.objects.create(
            actor=actor, event=event, subject=subject, details=details
        )
        import_string(_teller)(entry)
