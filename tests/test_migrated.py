"""Tables are copied as all migrations made them, and made anew when a migration differs."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from django.db import connection

from tests import migrated


def schema(database: sqlite3.Connection) -> list[tuple[str, ...]]:
    return database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY 1, 2").fetchall()


@pytest.mark.django_db(transaction=True)  # what has an open transaction cannot be copied
def test_a_copy_has_all_that_the_migrations_made(tmp_path: Path) -> None:
    connection.ensure_connection()
    kept = tmp_path / "deeper" / "kept.sqlite3"
    migrated.keep(connection.connection, kept)
    assert [one.name for one in kept.parent.iterdir()] == ["kept.sqlite3"]
    with contextlib.closing(sqlite3.connect(":memory:")) as copy:
        migrated.fill(copy, kept)
        assert schema(copy) == schema(connection.connection)
        [(applied,)] = copy.execute("SELECT count(*) FROM django_migrations WHERE app = 'records'")
    source = migrated.ROOT / "src/workspace_manager/records/migrations"
    assert applied == len([*source.glob("0*.py")])


def test_another_migration_is_another_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrated, "ROOT", tmp_path)
    monkeypatch.setattr(migrated, "MADE_BY", ("*.py",))
    (tmp_path / "0001_initial.py").write_text("one")
    first = migrated.locate_copy()
    assert migrated.locate_copy() == first
    (tmp_path / "0002_more.py").write_text("two")
    second = migrated.locate_copy()
    (tmp_path / "0002_more.py").write_text("three")
    assert len({first, second, migrated.locate_copy()}) == 3
