"""The tool names the test that finds a planted fault, and no other test."""

import contextlib
import dataclasses
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools import fault_gaps, planted_faults
from tools.fault_finder import Copy, Finder, Verdict, on_stand_ins
from tools.fault_rooms import ROOMS, Room
from tools.fault_sites import Fault, faults
from tools.fault_table import NOBODY, NOT_ASKED, table, what
from tools.planted_faults import faults_of, rows

ROOT = Path(__file__).resolve().parents[2]
SOURCE = "src/workspace_manager/kiln/fire.py"
ROOM = Room("kiln", ("kiln/",), (("tests/test_early.py",), ("tests/test_late.py",)))
FIRE = '"""Firing."""\n\n\ndef is_hot(degrees):\n    return degrees > 600\n'
SETTINGS = """
[tool.pytest.ini_options]
addopts = "-p xdist"
markers = ["real", "browser"]
"""
EARLY = """
from workspace_manager.kiln.fire import is_hot

def test_red_anyway():
    assert False

def test_far_from_it():
    assert is_hot(900)
"""
LATE = """
import pytest
from workspace_manager.kiln.fire import is_hot

def test_first():
    assert not is_hot(600)

def test_second():
    assert is_hot(600) is False
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with one function and two files of tests, which need no plugin of ours."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    write(tmp_path, SOURCE, FIRE)
    write(tmp_path, "src/workspace_manager/__init__.py", "")
    write(tmp_path, "tests/test_early.py", EARLY)
    write(tmp_path, "tests/test_late.py", LATE)
    write(tmp_path, "pyproject.toml", SETTINGS)
    git(tmp_path, "init", "-q")
    commit(tmp_path)
    return tmp_path


def write(tree: Path, name: str, text: str) -> None:
    path = tree / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (0, 0))  # what was compiled of another text is of the same second too


def git(tree: Path, *arguments: str) -> str:
    who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    run = subprocess.run(
        ["git", *who, *arguments], cwd=tree, check=True, capture_output=True, text=True
    )
    return run.stdout


def commit(tree: Path) -> None:
    git(tree, "add", "--all")
    git(tree, "commit", "-q", "-m", "kiln: fire")


@pytest.fixture
def fault(tree: Path) -> Fault:
    """600 degrees are hot with it."""
    [found] = [one for one in faults(SOURCE, FIRE) if one.kind == "comparison swapped"]
    return found


def test_who_is_red_without_it_is_not_counted(tree: Path, fault: Fault) -> None:
    red: list[str] = []
    finder = Finder(Copy(tree), red)
    seen = finder.look(fault, on_stand_ins(ROOM))
    assert (seen.found_by, seen.on) == ("tests/test_late.py::test_first", "stand-ins")
    assert red == ["tests/test_early.py::test_red_anyway"]
    assert not git(tree, "diff", "--stat")


def test_when_who_found_it_is_gone_another_one_is_asked(tree: Path, fault: Fault) -> None:
    before = Verdict("tests/test_late.py::test_first", "stand-ins", 5)
    finder = Finder(Copy(tree), ["tests/test_early.py::test_red_anyway"])
    again = finder.look_again(fault, ROOM, before)
    assert (again.found_by, again.ran) == (before.found_by, 1)
    write(tree, "tests/test_late.py", LATE.replace("test_first", "look_first"))
    assert finder.look_again(fault, ROOM, before).found_by == "tests/test_late.py::test_second"
    write(tree, "tests/test_late.py", "def test_nothing(): ...\n")
    assert finder.look_again(fault, ROOM, before).found_by == ""


def test_what_make_test_leaves_out_is_not_asked(tree: Path, fault: Fault) -> None:
    write(tree, "pyproject.toml", SETTINGS.replace('"real"', '"everything: rare", "real"'))
    write(
        tree,
        "tests/test_late.py",
        LATE.replace("def test_first", "@pytest.mark.everything\ndef test_first"),
    )
    finder = Finder(Copy(tree), ["tests/test_early.py::test_red_anyway"])
    before = Verdict("tests/test_late.py::test_first", "stand-ins", 5)
    assert finder.look_again(fault, ROOM, before).found_by == "tests/test_late.py::test_second"


def test_what_cannot_be_imported_is_found(tree: Path, fault: Fault) -> None:
    write(tree, "tests/conftest.py", "from workspace_manager.kiln.fire import is_hot\n")
    commit(tree)
    broken = Fault(SOURCE, 1, "call removed", "", "", '"""Firing."""', "1 / 0")
    seen = Finder(Copy(tree), []).look(broken, on_stand_ins(ROOM))
    assert seen.found_by == "tests/test_early.py (cannot be collected)"


@pytest.fixture
def alone(tree: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The tool works in this tree, and knows its one room."""

    @contextlib.contextmanager
    def copy(root: Path) -> Iterator[Copy]:
        yield Copy(root)

    monkeypatch.setattr(planted_faults, "ROOT", tree)
    monkeypatch.setattr(planted_faults, "ROOMS", (ROOM,))
    monkeypatch.setattr(planted_faults, "copy_of", copy)
    return tree


def test_it_draws_until_enough_are_found_and_goes_on_where_it_was_stopped(
    alone: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    result = tmp_path_factory.mktemp("kept") / "faults.json"
    planted_faults.main(["before", str(result), "--seed", "7", "--count", "2"])
    first = json.loads(result.read_text())
    assert sum(bool(one["before"]["found_by"]) for one in first["faults"]) == 2
    del first["faults"][1:]
    result.write_text(json.dumps(first))
    planted_faults.main(["before", str(result), "--seed", "7", "--count", "2"])
    again = json.loads(result.read_text())
    assert again["faults"][0] == first["faults"][0]
    assert sum(bool(one["before"]["found_by"]) for one in again["faults"]) == 2
    write(alone, SOURCE, FIRE.replace("600", "700"))
    commit(alone)
    planted_faults.main(["after", str(result)])
    after = [one["after"] for one in json.loads(result.read_text())["faults"] if "after" in one]
    assert [[*one] for one in after] == [["gone"], ["gone"]]


@pytest.mark.usefixtures("alone")
def test_what_nobody_found_is_looked_for_by_the_test_that_is_named(
    fault: Fault, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfound = {"found_by": "", "on": "", "ran": 0, "asked_all": False}
    kept: dict[str, Any] = {"seed": "7", "count": 2, "revision": fault_gaps.REVISION, "red": []}
    kept["faults"] = [
        {"room": ROOM.name, **dataclasses.asdict(fault), "line": line, "before": unfound}
        for line in range(4)
    ]
    result = tmp_path_factory.mktemp("kept") / "faults.json"
    result.write_text(json.dumps(kept))
    late, early = "tests/test_late.py::test_second", "tests/test_early.py::test_red_anyway"
    named = {"kiln/fire.py:0": late, "kiln/fire.py:1": early}
    monkeypatch.setattr(fault_gaps, "FOUND_BY", named)
    monkeypatch.setattr(fault_gaps, "NOT_SEEN", {"kiln/fire.py:2": "it is a mere name"})
    planted_faults.main(["since", str(result)])
    page = result.with_suffix(".md").read_text()
    assert [line.rpartition(" | ")[2] for line in page.splitlines() if "kiln/fire" in line] == [
        "`test_late.py::test_second` |",
        "**nobody** |",
        "it is a mere name |",
        "**nobody** |",
    ]
    assert "1 are found since, and 1 change nothing" in " ".join(page.split())
    result.write_text(json.dumps({**kept, "revision": "another"}))
    with pytest.raises(SystemExit, match="is of another"):
        planted_faults.main(["since", str(result)])


@pytest.mark.parametrize("test", fault_gaps.FOUND_BY.values())
def test_a_test_that_is_named_is_there(test: str) -> None:
    """In its file, or in one beside it that the file takes its tests from."""
    file, _, name = test.partition("::")
    assert (ROOT / file).is_file()
    beside = [one.read_text() for one in (ROOT / file).parent.glob("*.py")]
    assert [text for text in beside if f"def {name.rpartition('::')[2]}(" in text]


def test_another_seed_needs_another_file(alone: Path, tmp_path: Path) -> None:
    result = tmp_path / "faults.json"
    result.write_text(json.dumps({"seed": "1", "count": 2}))
    with pytest.raises(SystemExit, match="is of seed 1 and count 2"):
        planted_faults.main(["before", str(result), "--seed", "7"])


def test_forty_are_spread_over_the_rooms_and_every_system_has_its_share() -> None:
    names = [room.name for room in rows(40)]
    assert len(names) == 40
    assert {room.name for room in ROOMS} == set(names)
    systems = [name for name in names if name.endswith((" client", " connector", " other files"))]
    assert len(systems) == 24


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.name)
def test_a_room_has_faults_and_its_tests_are_there(room: Room) -> None:
    fault = next(faults_of(room, "23"))
    assert fault.in_text((ROOT / fault.path).read_text())
    for tests in (*room.tests, *room.real, *room.on_postgresql):
        assert (ROOT / tests[0]).exists(), tests


def test_the_table_says_who_finds_what(fault: Fault) -> None:
    def one(line: int, by: str, on: str = "stand-ins", **after: Any) -> dict[str, Any]:
        seen = {"found_by": by, "on": on, "ran": 7, "asked_all": True}
        planted = {"path": SOURCE, "line": line, "kind": "and/or", "was": "a | b", "now": "pass"}
        return {**planted, "before": seen, **after}

    kept = {"seed": "7", "count": 3, "revision": "abc", "red": ["tests/d.py::test_d"]}
    kept["faults"] = [
        one(1, "tests/a.py::test_a", after={"found_by": "tests/a.py::test_a", "on": "stand-ins"}),
        one(2, "tests/b.py::test_b", "podman", after={"found_by": "", "on": ""}),
        one(3, "tests/c.py::test_c"),
        one(4, ""),
    ]
    assert table(kept)[-1] == "- `d.py::test_d`"
    lines = [line for line in table(kept) if line.startswith("| ")]
    assert lines[1:4] == [
        r"| 1 | `kiln/fire.py:1` | and/or: `a \| b` | `a.py::test_a` | 7 | the same |",
        r"| 2 | `kiln/fire.py:2` | and/or: `a \| b` | `b.py::test_b` (podman) | 7 | **nobody** |",
        r"| 3 | `kiln/fire.py:3` | and/or: `a \| b` | `c.py::test_c` | 7 | to come |",
    ]
    assert lines[-1] == r"| `kiln/fire.py:4` | and/or: `a \| b` | 7 | to come |"


def test_what_waits_for_its_real_part_is_not_said_to_be_found_by_nobody(fault: Fault) -> None:
    def one(line: int, *, asked_all: bool) -> dict[str, Any]:
        seen = {"found_by": "", "on": "", "ran": 7, "asked_all": asked_all}
        return {**dataclasses.asdict(fault), "line": line, "before": seen}

    kept = {"seed": "7", "count": 2, "revision": "abc", "red": []}
    kept["faults"] = [one(1, asked_all=False), one(2, asked_all=True)]
    lines = table(kept)
    nobody, waits = lines.index(f"## {NOBODY}"), lines.index(f"## {NOT_ASKED}")
    assert "fire.py:2" in lines[nobody + 4]
    assert "fire.py:1" in lines[waits + 4]
    assert "1 of the others were not looked for on their real part." in " ".join(lines)


def test_of_a_long_change_what_changes_is_shown() -> None:
    was = "Change(\n    kind=self.kind,\n    target=dict(target), before=found,\n    after=want,\n)"
    now = "Change(kind=self.kind, target=dict(target), after=want)"
    planted = {"path": SOURCE, "line": 1, "kind": "argument dropped", "was": was, "now": now}
    shown = "`…arget=dict(target), before=found, after=want)` → `…arget=dict(target), after=want)`"
    assert what(planted) == ("`kiln/fire.py:1`", f"argument dropped: {shown}")
    swapped = {**planted, "kind": "comparison swapped", "was": "a == b", "now": "a != b"}
    assert what(swapped)[1] == "comparison swapped: `a == b` → `a != b`"
