"""A system whose address the environment pins is told of as a stand-in is: numbers are numbers."""

from pathlib import Path

import pytest

from workspace_sandbox.world import World


def test_what_is_a_number_is_told_as_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__HOST", "sql.example.org")
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__PORT", "3307")
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__ADMIN_USERNAME", "3307")
    told = World(tmp_path, "http://127.0.0.1:8000")._pinned(
        "sql_server", "host", "port", "admin_username"
    )
    assert (told["host"], told["port"]) == ("sql.example.org", 3307)
    assert told["admin_username"] == "3307"
