"""History is added to and never edited, by whatever way the application would go."""

from collections.abc import Callable

import pytest
from django.db import transaction

from workspace_manager.audit.note import note
from workspace_manager.records.models import AuditEntry

pytestmark = pytest.mark.django_db


def _saved(entry: AuditEntry) -> None:
    entry.actor = "nobody"
    entry.save()


EDITS: dict[str, Callable[[AuditEntry], object]] = {
    "save": _saved,
    "delete": lambda entry: entry.delete(),
    "update many": lambda entry: AuditEntry.objects.filter(pk=entry.pk).update(actor="nobody"),
    "update in bulk": lambda entry: AuditEntry.objects.bulk_update([entry], ["actor"]),
    "delete many": lambda entry: AuditEntry.objects.filter(pk=entry.pk).delete(),
    "overwrite": lambda entry: AuditEntry(pk=entry.pk, actor="nobody").save(),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_a_row_is_neither_changed_nor_removed(edit: Callable[[AuditEntry], object]) -> None:
    note("person:suspended", "anna", actor="ada")
    entry = AuditEntry.objects.get()
    with pytest.raises(TypeError, match="never"), transaction.atomic():
        edit(entry)
    kept = AuditEntry.objects.get()
    assert (kept.actor, kept.event, kept.subject) == ("ada", "person:suspended", "anna")
