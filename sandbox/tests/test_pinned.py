"""A system whose address the environment pins is told of as a stand-in is: numbers are numbers."""

import pytest

from workspace_sandbox import pins


def test_what_is_a_number_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__HOST", "sql.example.org")
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__PORT", "3307")
    monkeypatch.setenv("WORKSPACE_SQL_SERVER__ADMIN_USERNAME", "3307")
    told = pins.read_settings("sql_server", "host", "port", "admin_username")
    assert (told["host"], told["port"]) == ("sql.example.org", 3307)
    assert told["admin_username"] == "3307"
