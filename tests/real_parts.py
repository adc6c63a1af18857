"""A pytest plugin: which real parts (Keycloak, MariaDB, podman, JupyterHub, …) this run had, said
at its very end, one line each.

A test that needs a real part asks for it in a fixture, of any scope:

    @pytest.fixture(scope="session")
    def keycloak(real_part):
        part = real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
        ...                                  # known only after the start: part.version = "10.11.19"

Where `why_not` is a reason, the test is skipped with it, loudly and by name; under REQUIRE_REAL=1
it fails. Checks are counted for the part whose fixture the test uses. A test that gets it by
`request.getfixturevalue` says so itself: `@pytest.mark.real("MariaDB")`.
What failed may be tried once more, by another run that knows what the first one saw
(`--real-parts-before FILE`, tools/real_suite.py). What failed first is named at the end, with why,
and counted.
"""

import dataclasses
import datetime
import json
import os
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from workspace_sandbox.real import parts_folder

KNOWN = {
    "Keycloak": "identity provider",
    "MariaDB": "SQL server",
    "PostgreSQL": "SQL server; records and queue of the manager",
    "podman": "container engine",
    "JupyterHub": "notebook hub",
    "RDF4J": "data layer of the triplestore",
    "OpenGDB": "triplestore",
    "Nextcloud": "drive",
    "Portainer": "container manager",
    "phpMyAdmin": "SQL admin tool",
    "Chromium": "browser",
    "compose": "reads deploy/compose.yaml",
}
"""The parts a full run has to have, and what each is to us; others may be named by
tests besides.
"""

PROPERTY = "real_part"


@dataclass
class Part:
    """One real part as a process sees it."""

    name: str
    version: str = ""
    why_not: str = ""
    fixtures: set[tuple[str, str]] = field(default_factory=set)
    """(base id, name) of each fixture that asked for it."""


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
    tried_again: int = 0
    """Checks that failed in a run before this one, and were made once more."""

    @property
    def ran(self) -> bool:
        return self.passed + self.failed > 0

    def line(self, name: str) -> str:
        """Say how it stands with this part, in one line."""
        serves = f" ({KNOWN[name]})" if name in KNOWN else ""
        title = f"real part: {name} {self.version}".rstrip() + serves
        if self.why_not:
            return f"{title}: COULD NOT RUN: {self.why_not}"
        if not self.ran and not self.skipped:
            return f"{title}: no check asked for it"
        counts = [f"{self.passed} {'check' if self.passed == 1 else 'checks'} passed"]
        counts += [f"{self.failed} failed"] if self.failed else []
        counts += [f"{self.skipped} skipped"] if self.skipped else []
        counts += [f"{self.tried_again} TRIED A SECOND TIME"] if self.tried_again else []
        return f"{title}: {', '.join(counts)}"


parts = pytest.StashKey[dict[str, Part]]()
setting_up = pytest.StashKey[list[tuple[str, str]]]()


def required(name: str) -> bool:
    """Whether the want of a real part fails the run (continuous integration sets it). A part that
    no registry has is required where somebody named the folder that holds it.
    """
    every = os.environ.get("REQUIRE_REAL", "0") not in {"", "0"}
    return every and (name not in parts_folder.ARCHIVES or parts_folder.folder() is not None)


def pytest_addoption(parser: pytest.Parser) -> None:
    text = (
        "say at the end how it stands with every known real part, also with one no test asked for"
    )
    parser.addoption("--every-real-part", action="store_true", help=text)
    text = "write what this run had of real parts into this file (for `make verified-against`)"
    parser.addoption("--real-parts-result", metavar="FILE", default="", help=text)
    text = "the result of a run before, whose failed tests this run tries once more"
    parser.addoption("--real-parts-before", metavar="FILE", default="", help=text)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[parts] = {}
    config.stash[setting_up] = []
    if not hasattr(
        config, "workerinput"
    ):  # a worker of xdist: its reports are counted where they arrive
        config.pluginmanager.register(Ending(config), "real parts ending")


@pytest.fixture(scope="session")
def real_part(request: pytest.FixtureRequest) -> Callable[..., Part]:
    """Ask for a real part by name: gives what is known of it, or skips (REQUIRE_REAL=1: fails) when
    `why_not` is a reason.
    """
    stash = request.config.stash

    def ask(name: str, *, version: str | None = None, why_not: str | None = None) -> Part:
        part = stash[parts].setdefault(name, Part(name))
        part.version = version or part.version
        part.why_not = why_not or ""
        part.fixtures.update(stash[setting_up][-1:])
        if why_not and required(name):
            pytest.fail(f"REQUIRE_REAL=1 and {name} is missing: {why_not}", pytrace=False)
        if why_not:
            pytest.skip(f"REAL PART MISSING: {name}: {why_not}")
        return part

    return ask


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Remember which fixture is being made: the one that asks for a part is the one whose users
    count as its checks.
    """
    under_way = request.config.stash[setting_up]
    under_way.append((fixturedef.baseid, fixturedef.argname))
    try:
        return (yield)
    finally:
        under_way.pop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or report.outcome != "passed":
        for part in of(item):
            report.user_properties.append((PROPERTY, (part.name, part.version, part.why_not)))
    return report


def of(item: pytest.Item) -> list[Part]:
    """The real parts a test uses: by its fixtures, or by name in its marker."""
    named = {name for marker in item.iter_markers("real") for name in marker.args}
    fixtures = getattr(item, "fixturenames", ())
    seen = item.config.stash[parts]
    found = [
        part
        for part in seen.values()
        if part.name in named
        or any(name in fixtures and item.nodeid.startswith(base) for base, name in part.fixtures)
    ]
    return found + [Part(name) for name in sorted(named - seen.keys())]


class Ending:
    """Counts, judges and prints, in the process that does so: reports of other processes arrive
    there too.
    """

    def __init__(self, config: pytest.Config) -> None:
        every = KNOWN if config.getoption("--every-real-part") else {}
        self.tallies = {name: Tally() for name in every}
        self.failed: dict[str, str] = {}
        self.tried_again: dict[str, str] = {}
        self.minutes_before = 0.0
        if before := config.getoption("--real-parts-before"):
            self._go_on(json.loads(Path(before).read_text()))
        self.began = time.monotonic()
        self.ended_well = False

    def _go_on(self, before: dict[str, Any]) -> None:
        """Count on from what a run before kept: what failed there is tried again here."""
        self.tried_again = before["failed"]
        self.minutes_before = before["minutes"]
        names = {one.name for one in dataclasses.fields(Tally)}
        for name, part in before["parts"].items():
            seen = {key: value for key, value in part.items() if key in names}
            self.tallies[name] = Tally(**seen | {"failed": 0, "tried_again": part["failed"]})

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            self.failed.setdefault(report.nodeid, str(crash or report.longrepr)[:500])
        for key, value in report.user_properties:
            if key == PROPERTY:
                name, version, why_not = map(str, value)  # type: ignore[call-overload]
                tally = self.tallies.setdefault(name, Tally())
                tally.version = version or tally.version
                tally.why_not = why_not or tally.why_not
                setattr(tally, report.outcome, getattr(tally, report.outcome) + 1)

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
        for name, tally in self.tallies.items():
            bad = bool(tally.failed) or name in self.wanting
            terminal.write_line(
                tally.line(name),
                red=bad,
                yellow=name in self.lacking and not bad,
                green=tally.ran and not bad,
            )
        self._keep(config)
        for test, why in self.tried_again.items():
            terminal.write_line(f"FAILED AT THE FIRST TRY: {test}: {why}", yellow=True)
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
            "minutes": round(self.minutes_before + (time.monotonic() - self.began) / 60, 1),
            "cores": os.cpu_count(),
            "well": self.ended_well and not self.lacking,
            "failed": self.failed,
            "parts": parts,
        }
        file = Path(place)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(result, indent=2) + "\n")
