"""Configure a system for one test, by the environment as a deployment would."""

import pytest

from workspace_manager.operations.pinned_settings import pin_name


def pin(monkeypatch: pytest.MonkeyPatch, system: str, values: dict[str, str]) -> None:
    """Set settings of one system; they are gone after the test."""
    for name, text in values.items():
        monkeypatch.setenv(pin_name(system, name), text)
