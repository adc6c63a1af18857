"""A pytest plugin: what was tried, reported at the end of the run."""

import pytest

PROPERTY = "crash figures"


def report(node: pytest.Item, line: str) -> None:
    """Have a line reported at the end; it travels with the test's report, across processes too."""
    node.user_properties.append((PROPERTY, line))


class Figures:
    """Collects the lines in the process that prints."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.lines += [str(value) for name, value in report.user_properties if name == PROPERTY]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.lines:
            terminalreporter.section("crash, storm, secrets and races")
            for line in self.lines:
                terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    """Have the lines said by the process that prints."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Figures(), PROPERTY)
