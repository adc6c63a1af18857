"""The output of the demo: where a program reads it, nothing but what was promised."""

import json
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

from workspace_manager.cli.__main__ import main
from workspace_sandbox.cli import demo as command


class Ending:
    """A demo whose worker has ended, and that is stopped a moment later."""

    def __init__(self, **_options: Any) -> None:
        self.looks = 0

    def start(self) -> dict[str, Any]:
        return {"ready": True}

    def ended(self) -> list[str]:
        self.looks += 1
        if self.looks > 1:
            raise KeyboardInterrupt
        return ["worker"]

    def stop(self) -> None: ...


@pytest.fixture
def signals() -> Iterator[None]:
    """The demo takes these for itself."""
    numbers = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
def test_a_demo_that_speaks_json_prints_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "Demo", Ending)
    said = CliRunner().invoke(main, ["demo", "--json"])
    assert said.exit_code == 0
    assert json.loads(said.stdout) == {"ready": True}
    assert "The worker ended." in said.stderr
