"""No test fails because an answer took some seconds."""

import ast
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pymysql
import pytest

from tests import client_patience
from workspace_sandbox.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parent.parent
ON_PURPOSE = {"sandbox/tests/stand_ins/container_manager/test_stand_in_stacks.py"}
"""Tests whose subject is a caller that does not wait."""


def test_a_test_waits_for_minutes() -> None:
    with httpx.Client() as client:
        assert client.timeout == httpx.Timeout(PATIENCE_S)
    assert (httpx.get.__kwdefaults__ or {})["timeout"] == httpx.Timeout(PATIENCE_S)
    session = pymysql.connect(host="127.0.0.1", defer_connect=True)
    assert session.connect_timeout == PATIENCE_S


@pytest.mark.parametrize("program", ["tests.attack", "benchmarks"])
def test_a_program_that_uses_modules_of_the_tests_waits_as_long(
    program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What follows the time limit in its `main` is not reached."""
    monkeypatch.setattr(sys, "argv", [program])
    # Another test of this process may have imported it, of which runpy warns.
    monkeypatch.delitem(sys.modules, f"{program}.__main__", raising=False)

    def stop() -> None:
        raise SystemExit("waits")

    monkeypatch.setattr(client_patience, "wait_for_minutes", stop)
    with pytest.raises(SystemExit, match="waits"):
        runpy.run_module(program, run_name="__main__")


def test_no_test_gives_httpx_a_number_of_its_own() -> None:
    files = [*(ROOT / "tests").rglob("*.py"), *(ROOT / "sandbox" / "tests").rglob("*.py")]
    assert [
        f"{name}:{line}"
        for file in files
        if (name := str(file.relative_to(ROOT))) not in ON_PURPOSE
        for line in _numbers(ast.parse(file.read_text()))
    ] == []


def _numbers(tree: ast.Module) -> Iterator[int]:
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func).startswith("httpx."):
            for given in call.keywords:
                if given.arg == "timeout" and isinstance(given.value, ast.Constant):
                    yield call.lineno
