"""Every suite of `make test` is run, and told of with its minutes."""

import pytest

from tools import every_suite
from tools.every_suite import Ran, table


def test_one_that_fails_keeps_none_from_running(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    def make(suite: str) -> bool:
        asked.append(suite)
        return suite != "thorough"

    assert every_suite.main(["check", "thorough", "real"], make) == 1
    assert asked == ["check", "thorough", "real"]
    shown = capsys.readouterr()
    assert "thorough failed" in shown.err
    assert [line.split()[0] for line in shown.out.splitlines()[2:]] == [*asked, "all"]
    assert every_suite.main(["check"], make) == 0


def test_the_table_says_when_the_whole_takes_too_long() -> None:
    ran = [Ran("check", 1800, well=True), Ran("real", 1830, well=False)]
    assert table(ran)[2:] == [
        "  check         30.0",
        "  real          30.5  failed",
        "  all           60.5  over 60",
    ]
    assert table(ran[:1])[-1] == "  all           30.0"
