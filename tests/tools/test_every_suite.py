"""Every suite of `make test` is run; the report begins with causes and ends with minutes beside
their budget.
"""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.real_parts import KNOWN
from tests.real_table import SEVERAL
from tools import budget, every_suite, verified_against
from tools.every_suite import Ran, table

MAKEFILE = Path(__file__).parents[2] / "Makefile"
TARGETS = set(re.findall(r"^([\w-]+):", MAKEFILE.read_text(), re.MULTILINE))


def test_one_that_fails_keeps_none_from_running(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    asked: list[str] = []

    def make(suite: str) -> bool:
        asked.append(suite)
        return suite != "thorough"

    assert every_suite.main("test", ["static", "thorough", "real"], make, tmp_path) == 1
    assert asked == ["static", "thorough", "real"]
    shown = capsys.readouterr()
    assert "thorough failed" in shown.err
    assert [line.split()[0] for line in shown.out.splitlines()[2:-1]] == [*asked, "all"]
    assert every_suite.main("test", ["static"], make, tmp_path) == 0


def test_the_report_begins_with_causes_of_this_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "causes"
    kept.mkdir()
    (kept / "thorough.json").write_text(json.dumps([{"line": "of a run before"}]))

    def make(suite: str) -> bool:
        kept.mkdir(exist_ok=True)
        (kept / f"{suite}.json").write_text(json.dumps([{"line": f"9 failed: for {suite}"}]))
        return False

    assert every_suite.main("test", ["unit", "real"], make, tmp_path) == 1
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "causes, the first in time first:",
        "  unit: 9 failed: for unit",
        "  real: 9 failed: for real",
    ]


def test_the_table_says_what_took_longer_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "SUITES", {"unit": 4.0, "real": 11.0})
    ran = [Ran("unit", 240, well=True), Ran("real", 2520, well=False)]
    assert table(ran)[2:] == [
        "  unit                 4.0    4.0",
        "  real                42.0   11.0  took longer, failed",
        "  all                 46.0   20.0  took longer, over 45, which it may take beside other "
        "work",
    ]
    assert table([*ran, Ran("rest", 60, well=True)])[-1] == "  all                 47.0"


def test_how_fast_a_machine_is_fails_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(every_suite, "timed", lambda suite, make: Ran(suite, 1e6, well=True))
    assert every_suite.main("test", ["unit"], lambda suite: True, tmp_path) == 0


def test_real_parts_stand_beside_their_budget(tmp_path: Path) -> None:
    kept = {"parts": {"Keycloak": {"minutes": 90.0}}, "several_minutes": 0.1}
    (tmp_path / "real-parts.json").write_text(json.dumps(kept))
    first, second = every_suite.table_of_parts(tmp_path)[1:]
    assert first.split() == [
        "Keycloak",
        "90.0",
        str(budget.REAL_PARTS["Keycloak"]),
        "took",
        "longer",
    ]
    assert second.split()[:2] == ["several", "parts"]


def test_the_budget_has_every_part_and_keeps_its_total() -> None:
    suites = re.search(r"^TEST_SUITES := (.*)$", MAKEFILE.read_text(), re.MULTILINE)
    assert suites
    assert list(budget.SUITES) == suites[1].split()
    assert sum(budget.SUITES.values()) <= budget.TOTAL
    assert set(budget.REAL_PARTS) == {*KNOWN, SEVERAL}
    assert sum(budget.REAL_PARTS.values()) <= budget.SUITES["thorough+real"]


def test_every_suite_is_a_target() -> None:
    named = re.findall(r"^(?:TEST|REST)_SUITES := (.*)$", MAKEFILE.read_text(), re.MULTILINE)
    assert {suite for line in named for suite in re.split(r"[ +]", line)} <= TARGETS


def test_everything_notes_its_commit_where_the_tree_is_that_of_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init")
    git("commit", "--allow-empty", "-m", "one")
    monkeypatch.setattr(every_suite, "ROOT", tmp_path)
    results = tmp_path / ".git" / "results"
    kept, page = results / "everything.json", tmp_path / "page.md"
    (tmp_path / "changed").touch()
    assert every_suite.main("everything", ["matrix"], lambda suite: True, results) == 0
    assert not kept.exists()
    (tmp_path / "changed").unlink()
    assert every_suite.main("everything", ["matrix"], lambda suite: False, results) == 1
    assert not kept.exists()
    assert every_suite.main("everything", ["matrix"], lambda suite: True, results) == 0
    commit = json.loads(kept.read_text())["commit"]
    assert f"green at {commit}" in capsys.readouterr().out
    result = tmp_path / "result.json"
    result.write_text('{"well": true, "parts": {}, "day": "", "minutes": 1, "cores": 2}')
    assert verified_against.main([result], page, kept) == 0
    assert verified_against.last_green(page.read_text()).startswith(
        f"`make everything` was last green at commit {commit}, 20"
    )
    kept.unlink()
    assert verified_against.main([result], page, kept) == 0
    assert commit in page.read_text(), "the page keeps what it said"
