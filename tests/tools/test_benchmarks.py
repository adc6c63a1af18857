"""What is measured is the removal it says: 11 outside writes, 15 changes, 7 steps; and one line
of JSON says so.
"""

import json
import subprocess
import sys

import pytest

from benchmarks import __main__ as command
from benchmarks import engine_cost


@pytest.fixture
def sqlite_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {"sqlite": "", "postgresql": "it is left out here"}
    monkeypatch.setattr(engine_cost, "databases", lambda: found)


@pytest.mark.thorough
def test_the_reference_case_is_measured(sqlite_alone: None) -> None:
    costs = engine_cost.measure(engine_cost.ROOT, 1)
    removal, further, component = (
        costs[case]["sqlite"] for case in ("removal", "further_write", "further_component")
    )
    assert (removal["writes"], removal["changes"], removal["steps"]) == (11, 15, 7)
    assert removal["statements"] > removal["transactions"] > 0
    assert (further["changes"], component["changes"]) == (1, 2)
    assert 0 < further["statements"] <= 12
    assert 0 < further["transactions"] <= 2
    assert component["statements"] > further["statements"]
    assert removal["cpu_ms"] > 0
    lines = engine_cost.table(costs)
    assert "NOT MEASURED on postgresql: it is left out here" in lines
    ratios = engine_cost.ratios(costs, costs)
    assert ratios["removal"]["sqlite"]["statements"] == 1


def test_how_it_is_asked_for_is_said() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--help"], capture_output=True, text=True, check=True
    )
    assert all(option in told.stdout for option in ("--json", "--against", "--people"))


def test_json_is_one_line(
    sqlite_alone: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        engine_cost, "measure", lambda checkout, people: {"removal": {"sqlite": {"writes": 11}}}
    )
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--json", "--engine-only"])
    command.main()
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["removal"]["sqlite"]["writes"] == 11
