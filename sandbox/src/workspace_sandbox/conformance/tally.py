"""Counts of conformance checks for each connector and part, printed at the end of the run."""

from collections import Counter

import pytest

PROPERTY = "conformance"


def count(node: pytest.Item, kind: str, part: str) -> None:
    """Note which connector and part a check is about; travels with its report, across processes
    too.
    """
    node.user_properties.append((PROPERTY, (kind, part)))


def begin(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and not config.pluginmanager.has_plugin(PROPERTY):
        config.pluginmanager.register(Tally(), PROPERTY)


class Tally:
    """The counter in the process that prints."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], Counter[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.outcome == "passed":
            return
        for key, value in report.user_properties:
            if key == PROPERTY:
                kind, part = map(str, value)  # type: ignore[call-overload]
                self.counts.setdefault((kind, part), Counter())[report.outcome] += 1

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.counts:
            return
        terminalreporter.section("conformance: checks per connector and part")
        for (kind, part), outcomes in sorted(self.counts.items()):
            words = [f"{outcomes['passed']} passed"]
            words += [
                f"{outcomes[name]} {name}" for name in ("failed", "skipped") if outcomes[name]
            ]
            terminalreporter.write_line(f"{kind:32} {part:28} {', '.join(words)}")
