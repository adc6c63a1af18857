"""The output of the demo: where a program reads it, nothing but what was promised."""

import json
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from workspace_manager.cli.__main__ import main
from workspace_sandbox.cli import demo as command
from workspace_sandbox.demo import parts_by_default
from workspace_sandbox.real import mariadb


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


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The programs of MariaDB that are on this machine."""
    programs = ["mariadbd", "mariadb", "mariadb-dump"]
    found = {name: f"/usr/bin/{name}" for name in programs}
    monkeypatch.setattr(mariadb, "why_not", lambda: None if "mariadbd" in programs else "missing")
    monkeypatch.setattr(shutil, "which", lambda name: found[name] if name in programs else None)
    return programs


@pytest.mark.parametrize("missing", ["mariadbd", "mariadb", "mariadb-dump"])
def test_mariadb_is_real_where_all_of_it_is_installed(installed: list[str], missing: str) -> None:
    assert parts_by_default(None, fresh=False) == {"MariaDB"}
    installed.remove(missing)
    assert parts_by_default(None, fresh=False) == frozenset()


def test_a_demo_goes_on_with_the_sql_server_that_it_began_with(
    installed: list[str], tmp_path: Path
) -> None:
    assert parts_by_default(tmp_path, fresh=False) == {"MariaDB"}
    (tmp_path / "systems").mkdir()
    (tmp_path / "systems" / "sandbox.json").touch()
    assert parts_by_default(tmp_path, fresh=False) == frozenset()
    assert parts_by_default(tmp_path, fresh=True) == {"MariaDB"}
    (tmp_path / "systems" / "mariadb").mkdir()
    assert parts_by_default(tmp_path, fresh=False) == {"MariaDB"}


@pytest.mark.usefixtures("signals", "installed")
@pytest.mark.parametrize(
    ("chosen", "real", "only"),
    [((), True, {"MariaDB"}), (("--real",), True, set()), (("--stand-ins",), False, set())],
)
def test_who_chooses_gets_all_real_parts_or_none(
    monkeypatch: pytest.MonkeyPatch, chosen: tuple[str, ...], real: bool, only: set[str]
) -> None:
    made: list[dict[str, Any]] = []

    class Noted(Ending):
        def __init__(self, **options: Any) -> None:
            super().__init__()
            made.append(options)

    monkeypatch.setattr(command, "Demo", Noted)
    assert CliRunner().invoke(main, ["demo", "--json", *chosen]).exit_code == 0
    assert [(one["real"], one["only"]) for one in made] == [(real, only)]
