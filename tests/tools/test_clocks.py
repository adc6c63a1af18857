"""Moments and zones at which the everyday tests run."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tools import clocks
from tools.clocks import MOMENT, ZONE, Moment

NIGHTS = {"Europe/Berlin", "America/New_York"}


def test_a_seed_draws_the_same_again_and_always_the_special_ones() -> None:
    twelve = clocks.drawn(7, 12)
    assert twelve == clocks.drawn(7, 12) != clocks.drawn(8, 12)
    hours = {f"{one.at:%H:%M}" for one in twelve}
    assert {"00:01", "06:59", "12:00", "23:59"} <= hours
    local = [one.at.astimezone(ZoneInfo(one.zone)) for one in twelve]
    assert {(2, 29), (12, 31)} <= {(at.month, at.day) for at in local}
    zones = {one.zone for one in twelve}
    assert {"Pacific/Auckland", "Asia/Kolkata", "America/Los_Angeles"} <= zones
    assert len(clocks.drawn(7, 30)) == 30
    assert set(clocks.drawn(7, 3)) <= set(twelve[:10])


@pytest.mark.parametrize("zone", sorted(NIGHTS))
def test_both_nights_of_summer_time_begin_while_the_tests_run(zone: str) -> None:
    steps = []
    for one in clocks.fixed(random.Random(1)):
        if one.zone == zone:
            local = [datetime.fromtimestamp(at, ZoneInfo(zone)) for at in soon(one)]
            before, after = (at.replace(tzinfo=UTC) for at in local)
            steps.append(after - before - timedelta(minutes=5))
    assert sorted(steps) == [timedelta(hours=-1), timedelta(hours=1)]


def soon(moment: Moment) -> tuple[float, float]:
    """When the run begins, and five minutes later."""
    return moment.at.timestamp(), moment.at.timestamp() + 300


def tree(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        file = folder / "src" / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


def test_a_tree_draws_the_same_wherever_it_lies(tmp_path: Path) -> None:
    here, there = tree(tmp_path / "a", x="1", y="2"), tree(tmp_path / "b", y="2", x="1")
    cache = there / "src" / "__pycache__" / "x.pyc"
    cache.parent.mkdir()
    cache.write_bytes(b"made from it")
    (there / ".git").mkdir()
    (there / ".git" / "HEAD").write_text("ref")
    (there / "src" / "messages.mo").write_bytes(b"made from it")
    assert clocks.of_tree(here) == clocks.of_tree(there)
    assert clocks.hash_of(here) != clocks.hash_of(tree(there, x="12", y=""))
    drawn = {clocks.of_tree(tree(here, x=str(n))) for n in range(12)}
    assert len(drawn) > 4, "another tree, another moment"


def test_the_environment_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2028, 2, 29, 0, 1, tzinfo=UTC)
    assert clocks.read_moment({}) is None
    assert clocks.read_moment({MOMENT: "now"}) is None
    assert clocks.read_moment({MOMENT: "2028-02-29T00:01"}) == Moment(at, "UTC")
    told = Moment(at, "Asia/Kolkata")
    assert clocks.read_moment(told.environment) == told
    assert clocks.read_moment({MOMENT: "2028-02-29T05:31+05:30", ZONE: "Asia/Kolkata"}) == told
    assert clocks.read_moment({MOMENT: "tree"}) == clocks.read_moment({MOMENT: "tree"}) != told
    only_zone = clocks.read_moment({ZONE: "Asia/Kolkata"})
    assert only_zone
    assert only_zone.zone == "Asia/Kolkata"


SUITE = """
import datetime

def test_of_winter():
    assert datetime.datetime.now().month == 1

def test_whatever_the_month(): ...
"""


def test_it_ends_with_a_table_and_fails_where_one_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "test_it.py").write_text(SUITE)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {clocks.ROOT}\n")
    plugin = ["-p", "tests.clock", "-p", "no:django", "-c", str(tmp_path / "pytest.ini")]
    monkeypatch.setattr(clocks, "drawn", lambda seed, count: MOMENTS)
    words = ["--seed", "3", "--folder", str(tmp_path / "said"), "--", *plugin]
    assert clocks.main([*words, str(tmp_path / "test_it.py")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("seed 3;")
    assert [line.split()[:6] for line in lines[-2:]] == [
        ["2030-01-02", "00:01", "UTC", "Asia/Kolkata", "2", "0"],
        ["2030-07-02", "00:01", "UTC", "Asia/Kolkata", "1", "1"],
    ]
    assert any("test_of_winter" in line for line in lines)


MOMENTS = [Moment(datetime(2030, month, 2, 0, 1, tzinfo=UTC), "Asia/Kolkata") for month in (1, 7)]
