"""The recordings that are tried (`--recordings DIR`: others than the project's own), and what was
counted at the end.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.recorded.prior_state import Stage
from tests.recorded.reading import SYSTEMS, Exchange, Run, read, recordings
from tests.recorded.suite import Recorded

OWN = Path(__file__).parent
COUNTED = "recorded exchange"
OUTCOMES = ("fed", "replayed", "not served", "not matched", "left out")

tally: Counter[tuple[str, str]] = Counter()
reasons: Counter[tuple[str, str]] = Counter()


def pytest_addoption(parser: pytest.Parser) -> None:
    text = (
        "try the recordings in this folder instead: one named after its system, or one that "
        "holds such"
    )
    parser.addoption("--recordings", metavar="DIR", help=text)


def folders(chosen: str | None) -> dict[str, Path]:
    """The folder of each system that has one. Raises UsageError for a folder that holds none."""
    home = Path(chosen).resolve() if chosen else OWN
    found = {system: home / system for system in SYSTEMS if (home / system).is_dir()}
    if home.name in SYSTEMS:
        found = {home.name: home}
    if not found:
        raise pytest.UsageError(
            f"--recordings {chosen}: neither this folder nor one in it is named "
            f"{', '.join(SYSTEMS)}"
        )
    return found


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "recording" not in metafunc.fixturenames:
        return
    assert metafunc.cls is not None
    assert issubclass(metafunc.cls, Recorded)
    folder = folders(metafunc.config.getoption("--recordings", None)).get(metafunc.cls.system)
    paths = list(recordings(folder)) if folder else []
    metafunc.parametrize("recording", paths, ids=[path.stem for path in paths], indirect=True)


@pytest.fixture
def recording(request: pytest.FixtureRequest) -> Exchange | Run:
    return read(request.param, request.cls.system)


@pytest.fixture(scope="class")
def stage(request: pytest.FixtureRequest) -> Iterator[Stage]:
    """The system's stand-in, running, for all of its recordings."""
    found: Stage = request.cls.make_stage()
    with found.running():
        yield found


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count here and not where the tests run: with xdist these are other processes."""
    for key, value in report.user_properties:
        if key == COUNTED and report.when == "call":
            system, what, reason = (str(part) for part in value)  # type: ignore[attr-defined]
            tally[system, what if not report.failed else "not matched"] += 1
            if reason:
                reasons[system, reason] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not tally:
        return
    terminalreporter.section("recorded exchanges")
    for system in SYSTEMS:
        fed, replayed, other, bad, left = (tally[system, what] for what in OUTCOMES)
        if fed or replayed or other or bad or left:
            terminalreporter.write_line(
                f"{system}: {fed} answers fed to the client and classified, {replayed} "
                f"requests replayed and matched, "
                f"{other} not served, {bad} not matched, {left} left out with a reason"
            )
    for (system, reason), count in sorted(reasons.items()):
        terminalreporter.write_line(f"  left out, {system}, {count}: {reason}")
