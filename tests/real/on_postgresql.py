"""What tests of the rooms need to run on PostgreSQL (`pytest -p tests.real.on_postgresql`)."""

import pytest

from workspace_manager import worker


@pytest.fixture(autouse=True)
def the_connection_of_the_test_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task closes connections that are in no state it knows, as that of a test is, which is in a
    transaction. SQLite in memory does not close.
    """
    monkeypatch.setattr(worker, "close_old_connections", lambda: None)
