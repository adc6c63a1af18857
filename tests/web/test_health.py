"""The question whether a process can serve comes often, and from anybody: it costs two small
statements.
"""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.test.utils import CaptureQueriesContext

from workspace_manager.web import health

READY = "/health/ready"


def test_the_migrations_of_this_code_are_read_once(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []

    class Loader(MigrationLoader):
        def load_disk(self) -> None:
            read.append(self)
            super().load_disk()

    monkeypatch.setattr(health, "MigrationLoader", Loader)
    health._newest.cache_clear()
    client = Client()
    assert [client.get(READY).status_code for _ in range(3)] == [200] * 3
    assert len(read) == 1
    with CaptureQueriesContext(connection) as asked:
        client.get(READY)
    rows = [one["sql"] for one in asked if '"django_migrations"' in one["sql"]]
    assert len(rows) == 1
    assert " IN (" in rows[0]


def test_a_migration_that_is_missing_is_seen(db: None) -> None:
    client = Client()
    assert client.get(READY).json() == {"status": "ready"}
    newest = MigrationRecorder.Migration.objects.filter(app="records").order_by("-id")[0]
    newest.delete()
    answer = client.get(READY)
    assert answer.status_code == 503
    assert "workspace-manager migrate" in answer.json()["status"]
