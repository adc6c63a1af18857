"""The benchmark measures the removal that it names: 11 outside writes, 15 changes, 7 steps; and one
line of JSON says so.
"""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
from django.http import HttpResponse

from benchmarks import __main__ as command
from benchmarks import engine_cost, lists, lists_one_database, passwords


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
    assert (removal["writes"], removal["changes"], removal["steps"]) == (14, 15, 7)
    assert removal["statements"] > removal["transactions"] > 0
    # An account is written twice: its door is shut, then it is dropped.
    assert (further["changes"], component["changes"]) == (0.5, 2)
    assert 0 < further["statements"] <= 12
    assert 0 < further["transactions"] <= 2
    assert component["statements"] > further["statements"]
    assert removal["cpu_ms"] > 0
    lines = engine_cost.table(costs)
    assert "NOT MEASURED on postgresql: it is left out here" in lines
    ratios = engine_cost.ratios(costs, costs)
    assert ratios["removal"]["sqlite"]["statements"] == 1


@pytest.mark.thorough
def test_the_long_lists_are_measured(sqlite_alone: None) -> None:
    figures = lists.measure(rounds=2)
    assert {"/", "/components", "/stacks", "/api/v1/components?limit=50"} <= figures.keys()
    for one in (by_database["sqlite"] for by_database in figures.values()):
        # Which of them costs more, a busy machine decides: what is spent is told apart below.
        assert min(one["cpu_ms"], one["frame_ms"], one["bare_ms"]) > 0
        # The first page shows what waits, of whatever kind.
        assert 0 < one["statements"] <= 30
        assert one["bytes"] < 100_000


def test_the_rows_are_told_from_the_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """By turns: the second turn, in which all is ten times slower, says the same."""
    spent = iter([10.0, 4.0, 2.0, 100.0, 40.0, 20.0])
    browser = SimpleNamespace(get=lambda address: HttpResponse(address))
    monkeypatch.setattr(lists_one_database, "_cpu_ms", lambda call: next(spent))
    found = lists_one_database.figures_of(browser, browser, "/components", rounds=2)
    assert (found["ratio"], found["whole"]) == (3, 5)
    assert (found["cpu_ms"], found["frame_ms"], found["bare_ms"]) == (55, 22, 11)


def test_a_list_that_costs_too_much_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By CPU alone: how long it took depends on who else uses the machine."""
    names = ("cpu_ms", "frame_ms", "bare_ms", "ratio", "whole", "p95_ms", "statements")
    cheap = {**dict.fromkeys(names, 2.0), "p95_ms": 100_000.0}
    figures = {
        "/components": {"sqlite": cheap},
        "/stacks": {"sqlite": {**cheap, "ratio": 3.1}},
        "/projects": {"sqlite": cheap, "postgresql": {**cheap, "ratio": 30.0}},
    }
    monkeypatch.setattr(lists, "measure", lambda: figures)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--lists"])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 1
    assert capsys.readouterr().out.endswith("at most 3 times the bare queries: more: /stacks\n")
    del figures["/stacks"]
    assert lists.table(figures)[-1] == "at most 3 times the bare queries: all of them"


def test_the_dearest_password_is_named() -> None:
    spent, password = passwords.measure(typed=1)
    assert spent > 0
    assert password


def test_how_it_is_asked_for_is_said() -> None:
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--help"], capture_output=True, text=True, check=True
    )
    assert all(option in told.stdout for option in ("--json", "--against", "--people", "--lists"))


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
