"""Says at the end of a run how much was asked."""

from collections import Counter

import pytest

from tests.access.figures import PROPERTY, WORDS
from tests.access.routes import addresses
from tests.access.table import VISITORS, rows

tally: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count here and not where the tests run: with xdist these are other processes."""
    for key, value in report.user_properties:
        if key == PROPERTY and report.when == "call" and report.passed:
            assert isinstance(value, tuple | list)
            tally[str(value[0])] += int(value[1])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not tally:
        return
    terminalreporter.section("access: routes and roles")
    table = rows()
    terminalreporter.write_line(
        f"{len(table)} routes x {len(VISITORS)} roles ({', '.join(VISITORS)}), "
        f"at {len(addresses())} addresses of the URL configuration and the OpenAPI document"
    )
    for what, words in (one for one in WORDS if tally[one[0]]):
        terminalreporter.write_line(f"{tally[what]} {words}")
