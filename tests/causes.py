"""A pytest plugin: why tests failed, said at once and after their list, the first in time first.

Hundreds of tests fail for one reason when a part dies or does not start: the number of victims says
nothing, and the first line of the list need not be the first in time. Failures are one cause where
the same exception says the same, wherever it was raised; of plain asserts, where the same line
failed.
"""

import dataclasses
import json
import re
import time
from collections.abc import Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import pytest

PROPERTY = "cause"
SHOWN = 300
_OF_ONE_RUN = re.compile(r"0x[0-9a-f]+|(?:/tmp|/var/tmp)/\S+|[0-9a-f]{8,}|\b\d{4,}\b")
"""Addresses, folders, random names and ports: what differs where the reason is the same."""


class Event(TypedDict):
    """What happened to what tests use, noticed by a test before it began."""

    moment: float
    text: str
    during: str
    """The test that used it last: if it failed, it failed for that."""


@dataclass
class Cause:
    """One reason."""

    text: str
    since: float
    failed: list[str] = field(default_factory=list)

    def line(self, began: float) -> str:
        count = f"{len(self.failed)} failed"
        since = f"from minute {max(self.since - began, 0) / 60:.1f}"
        first = f"; first: {_name(self.failed[0])}" if self.failed else ""
        return f"{count}, {since}: {self.text}{first}"


@dataclass(frozen=True)
class _Failure:
    test: str
    moment: float
    text: str
    key: str


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "write the causes of failures into this file, for the end of `make test`"
    parser.addoption("--causes-to", metavar="FILE", default="", help=text)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Causes(config), PROPERTY)


def note(item: pytest.Item, text: str, during: str) -> None:
    """Have it said that something happened, even if no test fails for it."""
    event: Event = {"moment": time.time(), "text": text, "during": during}
    item.user_properties.append((PROPERTY, event))


def kind_of(text: str) -> str:
    """The text without what differs from test to test."""
    return _OF_ONE_RUN.sub("…", text)


class Causes:
    """Collects them in the process that prints."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.began = time.time()
        self.failures: list[_Failure] = []
        self.events: dict[tuple[float, str], Event] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == PROPERTY:
                event: Event = value  # type: ignore[assignment]
                self.events[event["moment"], event["text"]] = event
        if report.failed:
            self._add(report, getattr(report, "stop", time.time()))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._add(report, time.time())

    def _add(self, report: pytest.TestReport | pytest.CollectReport, moment: float) -> None:
        crash = getattr(report.longrepr, "reprcrash", None)
        lines = _lines(str(crash.message if crash else report.longrepr))
        key = kind_of(lines[0][:SHOWN])
        if crash and lines[0].startswith(("assert ", "AssertionError")):
            key = f"{crash.path}:{crash.lineno}"
        text = " ".join(lines)[:SHOWN]
        self.failures.append(_Failure(report.nodeid, moment, text, key))
        self._tell(f"{_name(report.nodeid)}: {text}")

    def _tell(self, line: str) -> None:
        """Print a failure at once: a run that is ended from outside prints no list."""
        if reporter := self.config.pluginmanager.get_plugin("terminalreporter"):
            reporter.ensure_newline()
            reporter.write_line(line, red=True)

    def found(self) -> list[Cause]:
        """Them, the first in time first."""
        causes: dict[str, Cause] = {}
        blamed: dict[str, str] = {}
        for event in sorted(self.events.values(), key=lambda one: one["moment"]):
            key = kind_of(event["text"])
            causes.setdefault(key, Cause(event["text"], event["moment"]))
            blamed.setdefault(event["during"], key)
        for failure in sorted(self.failures, key=lambda one: one.moment):
            key = blamed.get(failure.test, failure.key)
            cause = causes.setdefault(key, Cause(failure.text, failure.moment))
            cause.since = min(cause.since, failure.moment)
            if failure.test not in cause.failed:
                cause.failed.append(failure.test)
        return sorted(causes.values(), key=lambda one: one.since)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> Generator[None, None, None]:
        yield
        found = self.found()
        if found:
            terminalreporter.section("causes, the first in time first", yellow=True)
        for cause in found:
            terminalreporter.write_line(cause.line(self.began), red=bool(cause.failed))
        if place := self.config.getoption("--causes-to"):
            kept = [{**dataclasses.asdict(one), "line": one.line(self.began)} for one in found]
            Path(place).parent.mkdir(parents=True, exist_ok=True)
            Path(place).write_text(json.dumps(kept, indent=2) + "\n")


def _name(test: str) -> str:
    """Remove the process in which a test runs (tests/longest_first.py) from its name."""
    return re.sub(r"@[^]@:]+$", "", test)


def _lines(text: str) -> list[str]:
    lines = [line.strip() for line in text.splitlines() if line.strip()] or [""]
    return [lines[0].removeprefix("Failed: "), *lines[1:]]
