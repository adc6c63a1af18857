"""A pytest plugin: tables are made by all migrations once, and copied from then on.

Each process of a run makes a database of its own, and each demo too: two dozen migrations took each
of them eight seconds of a core. Django still asks the copy which migrations it lacks.
"""

import contextlib
import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.backends.sqlite3.creation import DatabaseCreation

from workspace_sandbox.demo import Demo

ROOT = Path(__file__).resolve().parents[1]
MADE_BY = ("src/workspace_manager/records/migrations/*.py", "requirements/dev.txt")
"""What another database comes of."""


def locate_copy() -> Path:
    """Where the copy is kept: another one as soon as a migration or a package differs."""
    found = hashlib.sha256()
    for path in sorted(path for pattern in MADE_BY for path in ROOT.glob(pattern)):
        found.update(path.name.encode() + b"\0" + path.read_bytes())
    return ROOT / ".pytest_cache/migrated" / f"{found.hexdigest()[:16]}.sqlite3"


def fill(database: sqlite3.Connection, kept: Path) -> None:
    """Copy what is kept into an empty database."""
    with contextlib.closing(sqlite3.connect(f"file:{kept}?mode=ro", uri=True)) as source:
        source.backup(database)


def keep(database: sqlite3.Connection, kept: Path) -> None:
    """Keep it for the next process; whoever reads it meanwhile reads a whole one."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=kept.parent)
    os.close(number)
    with contextlib.closing(sqlite3.connect(name)) as made:
        database.backup(made)
    Path(name).rename(kept)


def pytest_configure() -> None:
    Demo.begun_with = locate_copy()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """The tests' own database begins as the copy. It is in memory, and there as long as somebody is
    connected.
    """
    create = DatabaseCreation._create_test_db  # type: ignore[attr-defined]
    with contextlib.ExitStack() as connected, pytest.MonkeyPatch.context() as patch:

        def create_filled(self: Any, *args: Any, **more: Any) -> Any:
            name = create(self, *args, **more)
            if locate_copy().exists() and self.is_in_memory_db(name):
                made = sqlite3.connect(name, uri=True, check_same_thread=False)
                fill(connected.enter_context(contextlib.closing(made)), locate_copy())
            return name

        patch.setattr(DatabaseCreation, "_create_test_db", create_filled)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Whoever was first keeps what came of it."""
    if connection.vendor == "sqlite" and not locate_copy().exists():
        with django_db_blocker.unblock():
            connection.ensure_connection()
            keep(connection.connection, locate_copy())
