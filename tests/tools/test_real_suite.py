"""What fails on a real part is tried once more, started afresh, and said."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools import real_suite, verified_against

pytest_plugins = ["pytester"]

SUITE = """
    import pathlib
    import pytest

    pytestmark = pytest.mark.real("MariaDB")
    left = pathlib.Path("left")

    def test_not_at_once():
        there = left.exists()
        left.touch()
        assert there, "it was not up yet"

    @pytest.mark.parametrize("name", ["a b", "c::d"])
    def test_well(name): ...

    @pytest.mark.parametrize("number", range({broken}))
    def test_never(number):
        assert False, "it is broken"
"""


class Runs:
    """Run pytest here, and remember how."""

    def __init__(self, pytester: pytest.Pytester, broken: int) -> None:
        self.pytester = pytester
        self.results: list[pytest.RunResult] = []
        self.arguments: list[Sequence[str]] = []
        self.kept = pytester.path / "kept" / "result.json"
        pytester.makeini("[pytest]\nmarkers =\n  real\n  browser\n")
        pytester.makepyfile(SUITE.format(broken=broken))

    def main(self) -> int:
        return real_suite.main(self.kept, [], self)

    def __call__(self, arguments: Sequence[str]) -> int:
        without = ("-p", "tests.real_parts", "-p", "no:django", "-p", "no:cacheprovider")
        chosen = [one for one in arguments if one != "--every-real-part"]
        self.results.append(self.pytester.runpytest_inprocess(*without, *chosen))
        self.arguments.append(arguments)
        return int(self.results[-1].ret)


@pytest.fixture(autouse=True)
def nothing_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REQUIRE_REAL", "0")


def test_what_passes_at_the_second_try_is_named_and_the_run_is_well(
    pytester: pytest.Pytester,
) -> None:
    runs = Runs(pytester, broken=0)
    assert runs.main() == pytest.ExitCode.OK
    first, second = runs.results
    first.assert_outcomes(passed=2, failed=1, skipped=1)
    second.assert_outcomes(passed=1)
    assert (
        "real part: MariaDB (SQL server): 3 checks passed, 1 skipped, 1 TRIED A SECOND TIME"
        in second.outlines
    )
    second.stdout.fnmatch_lines("FAILED AT THE FIRST TRY: *::test_not_at_once: *not up yet*")
    page = pytester.path / "page.md"
    assert verified_against.main([runs.kept], page) == 0
    assert "| MariaDB |  | SQL server | 3 |\n" in page.read_text()


def test_what_fails_twice_fails(pytester: pytest.Pytester) -> None:
    runs = Runs(pytester, broken=1)
    assert runs.main() == pytest.ExitCode.TESTS_FAILED
    counted = "3 checks passed, 1 failed, 2 TRIED A SECOND TIME"
    assert f"real part: MariaDB (SQL server): {counted}" in runs.results[-1].outlines
    assert [*json.loads(runs.kept.read_text())["failed"]] == [
        "test_what_fails_twice_fails.py::test_never[0]"
    ]


def test_many_failures_are_no_accident(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(real_suite, "MOST", 2)
    runs = Runs(pytester, broken=2)
    assert runs.main() == pytest.ExitCode.TESTS_FAILED
    assert len(runs.results) == 1


def test_a_run_that_was_stopped_is_not_tried_again(pytester: pytest.Pytester) -> None:
    runs = Runs(pytester, broken=0)
    stop = "import pytest\ndef pytest_sessionstart(): pytest.exit('stopped', 2)"
    pytester.makeconftest(stop)
    assert runs.main() == pytest.ExitCode.INTERRUPTED
    assert len(runs.results) == 1


def test_the_second_run_is_told_the_options_and_its_own_tests(tmp_path: Path) -> None:
    kept = tmp_path / "result.json"
    told: list[Sequence[str]] = []

    def run(arguments: Sequence[str]) -> int:
        kept.write_text(json.dumps({"failed": {"tests/real/test_a.py::test_b[c d]": "so"}}))
        told.append(arguments)
        return 1

    assert real_suite.main(kept, ["-n", "2", "tests/real/test_a.py"], run) == 1
    assert told[1] == [
        *("--real-parts-result", str(kept), "--real-parts-before", str(kept)),
        *("-n", "2", "tests/real/test_a.py::test_b[c d]"),
    ]
