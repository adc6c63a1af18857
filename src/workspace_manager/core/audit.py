"""Write down who did what to whom. Rows are only ever added."""

from pydantic import JsonValue

from workspace_manager.records.models import AuditEntry

MANAGER = "manager"
"""The actor of what the manager does by itself."""


def note(event: str, subject: str, *, actor: str, **details: JsonValue) -> None:
    """Add one entry. `event` is `thing:action`; people are named by text; no secret ever goes into
    `details`.
    """
    AuditEntry.objects.create(actor=actor, event=event, subject=subject, details=details)
