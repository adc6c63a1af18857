"""The everyday tests at moments and in zones drawn by a seed (`make clocks`), and the one moment at
which `make unit` runs them, drawn by the tree.

A test that is red at one of them reads the clock where it should make its dates from it. Where the
moment comes to the tests: tests/clock.py.
"""

import argparse
import hashlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

from tests.child_clock.sitecustomize import AHEAD

ROOT = Path(__file__).resolve().parent.parent
MOMENT, ZONE = "WORKSPACE_TEST_MOMENT", "WORKSPACE_TEST_ZONE"
"""Where the environment names them. A moment is ISO 8601 (UTC where it names no zone), `tree` or
`now`.
"""
FIRST, YEARS = 2027, 14
HOURS = (
    ("00:01", "Pacific/Auckland"),
    ("06:59", "Asia/Kolkata"),
    ("12:00", "America/Los_Angeles"),
    ("23:59", "Pacific/Auckland"),
)
DAYS = (
    ("2028-02-29T10:58", "Pacific/Auckland", "29 February"),
    ("2031-12-31T23:50", "America/Los_Angeles", "31 December"),
    ("2027-03-28T00:57", "Europe/Berlin", "summer time begins"),
    ("2027-10-31T00:57", "Europe/Berlin", "summer time ends"),
    ("2027-03-14T06:57", "America/New_York", "summer time begins"),
    ("2027-11-07T05:57", "America/New_York", "summer time ends"),
)
"""Minutes before what is special, so that it comes while the tests run."""
ZONES = (
    *("Pacific/Auckland", "Asia/Kolkata", "America/Los_Angeles", "Europe/Berlin", "UTC"),
    *("America/New_York", "America/St_Johns", "Australia/Lord_Howe", "Pacific/Kiritimati"),
    *("Pacific/Pago_Pago", "Asia/Kathmandu", "Africa/Casablanca", "America/Santiago"),
)
SOURCES = ("src", "sandbox", "tests", "tools", "docs", "deploy", "requirements")
MADE = {"__pycache__", "build", "dist", "node_modules"}
"""Folders that are made from the tree, and no part of it."""


@dataclass(frozen=True)
class Moment:
    """The moment and the zone of a run."""

    at: datetime
    zone: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%dT%H:%M:%SZ} {self.zone}"

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables that name it to the tests."""
        return {MOMENT: f"{self.at:%Y-%m-%dT%H:%M:%SZ}", ZONE: self.zone}


def fixed(draw: random.Random) -> list[Moment]:
    """Those that are always among them: hours of a drawn day, and days that are special."""
    found = []
    for hour, zone in HOURS:
        day = anywhere(draw).at.date().isoformat()
        found.append(Moment(read(f"{day}T{hour}"), zone, f"{hour} UTC"))
    return found + [Moment(read(at), zone, why) for at, zone, why in DAYS]


def anywhere(draw: random.Random) -> Moment:
    at = datetime(FIRST, 1, 1, tzinfo=UTC) + timedelta(
        days=draw.randrange(YEARS * 365), minutes=draw.randrange(24 * 60)
    )
    return Moment(at, draw.choice(ZONES), "drawn")


def drawn(seed: int, count: int) -> list[Moment]:
    """Return so many moments: the fixed ones and others; of fewer, a sample of the fixed ones."""
    draw = random.Random(seed)
    always = fixed(draw)
    if count < len(always):
        return draw.sample(always, count)
    return always + [anywhere(draw) for _ in range(count - len(always))]


def of_tree(root: Path = ROOT) -> Moment:
    """One of the fixed ones or any other: the same for the same files, in a clone or without."""
    draw = random.Random(int.from_bytes(hash_of(root)))
    return draw.choice([*fixed(draw), *(anywhere(draw) for _ in range(10))])


def hash_of(root: Path) -> bytes:
    """Over names and contents of all that makes the tests what they are."""
    found = hashlib.sha256()
    for path in sorted(files(root)):
        text = path.read_bytes()
        found.update(f"{path.relative_to(root).as_posix()}\0{len(text)}\0".encode() + text)
    return found.digest()


def files(root: Path) -> Iterator[Path]:
    yield from (one for one in root.iterdir() if one.suffix in {".py", ".toml", ".md"})
    for source in SOURCES:
        for folder, folders, names in os.walk(root / source):
            folders[:] = [one for one in folders if one not in MADE and not is_made(one)]
            yield from (Path(folder, one) for one in names if not is_made(one))


def is_made(name: str) -> bool:
    return name.startswith(".") or name.endswith((".egg-info", ".mo", ".pyc", ".sqlite3"))


def read_moment(environment: Mapping[str, str]) -> Moment | None:
    """Return the moment that the environment names; None where it names none, or says `now`."""
    zone = environment.get(ZONE, "")
    match environment.get(MOMENT, ""):
        case "" | "now":
            return Moment(datetime.now(UTC), zone) if zone else None
        case "tree":
            one = of_tree()
            return Moment(one.at, zone or one.zone, "drawn by the tree")
        case text:
            return Moment(read(text), zone or "UTC")


def read(text: str) -> datetime:
    """A moment in UTC."""
    found = datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)


@dataclass(frozen=True)
class Ran:
    """The result of the everyday tests at one moment."""

    moment: Moment
    passed: int
    failed: Sequence[str]
    seconds: float
    ended: bool

    @property
    def well(self) -> bool:
        return self.ended and not self.failed

    def row(self) -> str:
        word = "" if self.ended else "  did not end"
        return (
            f"{self.moment.at:%Y-%m-%d %H:%M} UTC  {self.moment.zone:<20} {self.moment.why:<19}"
            f"{self.passed:>7} {len(self.failed):>6} {self.seconds / 60:>8.1f}{word}"
        )


def run(moment: Moment, folder: Path, arguments: Sequence[str]) -> Ran:
    """The tests in a process of their own; what they say stays in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{moment.at:%Y%m%dT%H%M}-{moment.zone.replace('/', '-')}"
    result = folder / f"{name}.xml"
    result.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", *arguments, f"--junit-xml={result}", "-o"]
    command += ["junit_logging=no", "-o", "junit_log_passing_tests=false", "-p", "no:cacheprovider"]
    ours = {name: value for name, value in os.environ.items() if name not in {AHEAD, "TZ"}}
    began = time.monotonic()
    with (folder / f"{name}.txt").open("wb") as said:
        code = subprocess.call(
            command,
            cwd=ROOT,
            env={**ours, **moment.environment},
            stdout=said,
            stderr=subprocess.STDOUT,
        )
    passed, failed = counts(result)
    return Ran(moment, passed, failed, time.monotonic() - began, code in (0, 1) and bool(passed))


def counts(result: Path) -> tuple[int, list[str]]:
    """Return how many passed, and which did not."""
    if not result.exists():
        return 0, []
    passed, failed = 0, []
    for case in ElementTree.parse(result).iter("testcase"):
        kinds = {one.tag for one in case}
        if kinds & {"failure", "error"}:
            failed.append(f"{case.get('classname')}::{case.get('name')}")
        elif "skipped" not in kinds:
            passed += 1
    return passed, failed


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="make clocks", description=__doc__)
    parser.add_argument("--count", type=int, default=12, help="how many moments (12)")
    parser.add_argument("--seed", type=int, help="what they are drawn by (printed)")
    parser.add_argument("--folder", type=Path, default=ROOT / "test-results" / "clocks")
    parser.add_argument("pytest", nargs="*", help="arguments of pytest, after --")
    told = parser.parse_args(words)
    seed = random.SystemRandom().randrange(1_000_000) if told.seed is None else told.seed
    print(f"seed {seed}; the same again: make clocks SEED={seed} COUNT={told.count}", flush=True)
    ran = []
    for moment in drawn(seed, told.count):
        ran.append(one := run(moment, told.folder, told.pytest))
        print(one.row(), *(f"  {name}" for name in one.failed), sep="\n", flush=True)
    print("\nmoment                zone                 why                passed failed  minutes")
    print("\n".join(one.row() for one in ran))
    return int(not all(one.well for one in ran))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
