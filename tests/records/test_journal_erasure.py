"""Erased text is in none of SQLite's files, as soon as its journal was cut."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils.connection import ConnectionProxy
from pytest_django import DjangoDbBlocker

from workspace_manager.records import journal_erasure

HASH = "pbkdf2-sha512$canary-of-a-hash"


@pytest.fixture
def database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: DjangoDbBlocker
) -> Iterator[BaseDatabaseWrapper]:
    """A database file with the options of ours."""
    if not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        pytest.skip("the database of this run is not SQLite")
    options = {**settings.DATABASES["default"], "NAME": str(tmp_path / "kept.sqlite3")}
    monkeypatch.setitem(connections.settings, "kept", options)
    monkeypatch.setattr(journal_erasure, "connection", ConnectionProxy(connections, "kept"))
    with django_db_blocker.unblock():
        yield connections["kept"]
        connections["kept"].close()
    del connections["kept"]


def _holding(tmp_path: Path) -> list[str]:
    return sorted(one.name for one in tmp_path.iterdir() if HASH.encode() in one.read_bytes())


def test_an_erased_hash_is_in_no_file(database: BaseDatabaseWrapper, tmp_path: Path) -> None:
    with database.cursor() as cursor:
        cursor.execute("CREATE TABLE registration (hash text)")
        cursor.execute("INSERT INTO registration VALUES (%s)", [HASH])
        cursor.execute("UPDATE registration SET hash = NULL")
        assert _holding(tmp_path), "nothing to cut"
        journal_erasure.forget_erased()
        assert _holding(tmp_path) == []
        cursor.execute("PRAGMA busy_timeout")
        assert cursor.fetchone()[0] > journal_erasure.PATIENCE_MS


def test_inside_a_transaction_nothing_is_cut(database: BaseDatabaseWrapper, tmp_path: Path) -> None:
    with database.cursor() as cursor:
        cursor.execute("CREATE TABLE registration (hash text)")
        cursor.execute("INSERT INTO registration VALUES (%s)", [HASH])
        cursor.execute("UPDATE registration SET hash = NULL")
    with transaction.atomic(using="kept"):
        journal_erasure.forget_erased()
    assert _holding(tmp_path)
