"""A row of the audit can be read again: nothing takes it back."""

import json

import pytest

from workspace_manager.audit.note import note
from workspace_manager.records.models import AuditEntry

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("odd", ["a\ud800", "a\x00"])
def test_what_no_database_keeps_is_not_written(odd: str) -> None:
    note("person:noted", odd, actor=odd, text=odd, more=[{"deep": odd}])
    row = AuditEntry.objects.get()
    assert (row.actor, row.subject) == ("a�", "a�")
    assert row.details == {"text": "a�", "more": [{"deep": "a�"}]}
    json.dumps(row.details, ensure_ascii=False).encode()
