"""One person, and both systems in memory."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.drive_credentials.both import SUB, Both
from tests.fake_world.people import make_person
from tests.fake_world.world import World
from workspace_manager.core.connected_systems import ConnectedSystems
from workspace_manager.drive_credentials import context
from workspace_manager.records.models import Person
from workspace_sandbox.patience import PATIENCE_S


@pytest.fixture
def both() -> Both:
    return Both()


@pytest.fixture
def systems(both: Both) -> ConnectedSystems:
    ready: Any = {"drive": both, "identity_provider": both}
    return ConnectedSystems(by_name=ready, settings=World().systems().settings)


@pytest.fixture
def mira() -> Person:
    return make_person("mira", sub=SUB)


@pytest.fixture
def in_a_file(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """The database as it is in earnest: that of the tests lies in memory, where threads that write
    at once are refused instead of waiting.
    """
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    in_memory, name = connection.connection, connection.settings_dict["NAME"]
    file = tmp_path / "workspace.sqlite3"
    with closing(sqlite3.connect(file)) as copy:
        in_memory.backup(copy)
    connection.connection = None
    connection.settings_dict["NAME"] = str(file)
    yield
    connection.close()
    connection.settings_dict["NAME"] = name
    connection.connection = in_memory


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits for its turn as long as it takes."""
    monkeypatch.setattr(context, "LONGEST_WAIT_S", PATIENCE_S)
