"""Entries from before there were digests get theirs by the migration, as they are."""

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from workspace_manager.audit.note import note
from workspace_manager.audit.seals import seal_waiting
from workspace_manager.audit.verify import verify
from workspace_manager.records import migrations
from workspace_manager.records.models import AuditEntry

pytestmark = pytest.mark.django_db


def test_entries_from_before_are_sealed_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    (file,) = Path(str(migrations.__file__)).parent.glob("*_audit_seals.py")
    migration = import_module(f"{migrations.__name__}.{file.stem}")
    monkeypatch.setattr(migration, "BATCH", 2)
    for n in range(5):
        note("person:suspended", f"zoë{n}", actor="ada", until=None, deep={"n": [n]})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE records_auditentry SET salt = '', digest = '', mark = ''")
    assert seal_waiting() == 0
    migration.commit_to_what_is_there(apps, SimpleNamespace(connection=connection))
    assert len(set(AuditEntry.objects.values_list("digest", flat=True))) == 5
    assert seal_waiting() == 5
    assert verify().verifies
