"""A pytest plugin: how it stands with each real part, said at the very end of a run in a table of
one line each; after it, by name, each that could not run and why. Under REQUIRE_REAL=1 that fails
the run.
"""

import dataclasses
import datetime
import json
import os
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.real_parts import KNOWN, PROPERTY, PartUse, required

SEVERAL = "several parts"
"""Whose minutes those of whole lives are, which use more than three."""


def pytest_addoption(parser: pytest.Parser) -> None:
    text = (
        "say at the end how it stands with every known real part, also with one no test asked for"
    )
    parser.addoption("--every-real-part", action="store_true", help=text)
    text = "write what this run had of real parts into this file (for `make verified-against`)"
    parser.addoption("--real-parts-result", metavar="FILE", default="", help=text)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        # Reports of a worker are counted where they arrive.
        config.pluginmanager.register(Ending(config), "real parts ending")


@dataclass
class Tally:
    """What the whole run saw of one part; filled from test reports, so that it works across
    processes too.
    """

    version: str = ""
    why_not: str = ""
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    came_up: list[float] = field(default_factory=list)
    minutes: float = 0.0
    """Of its checks, in each of the processes that ran them: all parts together make the run."""

    @property
    def ran(self) -> bool:
        return self.passed + self.failed > 0

    def missing(self, name: str) -> str:
        """Say that this run lacked it, and why."""
        title = f"real part: {name} {self.version}".rstrip()
        title += f" ({KNOWN[name]})" if name in KNOWN else ""
        if self.why_not:
            return f"{title}: COULD NOT RUN: {self.why_not}"
        return f"{title}: no check asked for it" if not self.skipped else f"{title}: no check ran"

    def row(self, name: str) -> tuple[str, ...]:
        """Its line of the table."""
        first, last = min(self.came_up, default=0), max(self.came_up, default=0)
        seconds = f"{first:.0f} s" if round(first) == round(last) else f"{first:.0f}-{last:.0f} s"
        came_up = seconds if self.came_up else ""
        counts = (self.passed, self.failed, self.skipped)
        return name, self.version, came_up, *map(str, counts), f"{self.minutes:.1f}"


HEAD = ("part", "version", "came up in", "passed", "failed", "skipped", "minutes")


def table(tallies: dict[str, Tally]) -> list[str]:
    """A line for each part, under a head."""
    rows = [HEAD, *(tally.row(name) for name, tally in tallies.items())]
    wide = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    return [
        "  ".join(
            cell.ljust(width) if number < 2 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, wide, strict=True))
        ).rstrip()
        for row in rows
    ]


class Ending:
    """Counts, judges and prints, in the process that does so: reports of other processes arrive
    there too.
    """

    def __init__(self, config: pytest.Config) -> None:
        every = KNOWN if config.getoption("--every-real-part") else {}
        self.tallies = {name: Tally() for name in every}
        self.processes = int(config.getoption("numprocesses", 0) or 1)
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.began = time.monotonic()
        self.ended_well = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        found: list[PartUse] = [value for key, value in report.user_properties if key == PROPERTY]  # type: ignore[misc]
        for told in found:
            tally = self.tallies.setdefault(told["name"], Tally())
            tally.version = told["version"] or tally.version
            tally.why_not = told["why_not"] or tally.why_not
            tally.came_up += told["came_up"]
            if told["counts"]:
                setattr(tally, report.outcome, getattr(tally, report.outcome) + 1)
        if found:
            owner = assign_part([told["name"] for told in found])
            self.seconds[owner] += report.duration
            if owner in self.tallies:
                self.tallies[owner].minutes = self._minutes(owner)

    def _minutes(self, owner: str) -> float:
        return round(self.seconds.get(owner, 0) / 60 / self.processes, 2)

    @property
    def lacking(self) -> list[str]:
        """The parts of which not one check ran to its end."""
        return [name for name, tally in self.tallies.items() if tally.why_not or not tally.ran]

    @property
    def wanting(self) -> list[str]:
        """Those of them whose want fails the run."""
        return [name for name in self.lacking if required(name)]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        well = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
        if self.wanting and session.exitstatus in well:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self.ended_well = session.exitstatus == pytest.ExitCode.OK

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Print after everything else, so that a run ends with these lines."""
        terminal = config.pluginmanager.get_plugin("terminalreporter")
        if terminal is None:
            return
        self._keep(config)
        if not self.tallies:
            return
        head, *rows = table(self.tallies)
        terminal.write_line(head)
        for row, tally in zip(rows, self.tallies.values(), strict=True):
            terminal.write_line(row, red=bool(tally.failed), green=tally.ran and not tally.failed)
        if SEVERAL in self.seconds:
            terminal.write_line(f"{SEVERAL}: {self._minutes(SEVERAL):.1f} minutes")
        for name in self.lacking:
            text = self.tallies[name].missing(name)
            terminal.write_line(text, red=name in self.wanting, yellow=name not in self.wanting)
        if self.wanting:
            text = f"REQUIRE_REAL=1: the run failed, for want of: {', '.join(self.wanting)}"
            terminal.write_line(text, red=True)

    def _keep(self, config: pytest.Config) -> None:
        """Write the result down, where somebody asked for it."""
        if not (place := config.getoption("--real-parts-result")):
            return
        parts = {
            name: {**dataclasses.asdict(tally), "serves": KNOWN.get(name, "")}
            for name, tally in self.tallies.items()
        }
        result = {
            "day": datetime.datetime.now(datetime.UTC).date().isoformat(),
            "minutes": round((time.monotonic() - self.began) / 60, 1),
            "cores": os.cpu_count(),
            "well": self.ended_well and not self.lacking,
            "several_minutes": self._minutes(SEVERAL),
            "parts": parts,
        }
        file = Path(place)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(result, indent=2) + "\n")


def assign_part(names: Sequence[str]) -> str:
    """Whose minutes those of a check are that uses these parts: each is counted once, so that all
    together are the run. A part that stands before another one comes after it in `KNOWN`.
    """
    if len(names) > 3:
        return SEVERAL
    order = list(KNOWN)
    return max(names, key=lambda name: order.index(name) if name in order else len(order))
