"""Write down who did what to whom. Rows are only ever added."""

from typing import Final

from django.db import transaction
from pydantic import JsonValue

from workspace_manager.audit import teller
from workspace_manager.contract.storable import storable, storable_json
from workspace_manager.records.models import AuditEntry

MANAGER: Final = AuditEntry.MANAGER
LONGEST: Final = 255
"""Of a name. Longer ones, which come from outside, are cut: PostgreSQL refuses them, SQLite not."""


def note(event: str, subject: str, *, actor: str, **details: JsonValue) -> None:
    """Add one entry. `event` is `thing:action`; people are named by text; no secret ever goes into
    `details`. A row that could not be read again could not be taken back either.
    """
    row = AuditEntry(
        actor=storable(actor)[:LONGEST],
        event=event,
        subject=storable(subject)[:LONGEST],
        details=storable_json(details),
    )
    with transaction.atomic(savepoint=False):
        row.save()
        teller.tell(row)
