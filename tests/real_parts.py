"""A pytest plugin: how a test asks for a real part (Keycloak, MariaDB, podman, JupyterHub, …), and
what its report says of it (at the end of a run: tests/real_table.py).

A test that needs a real part asks for it in a fixture, of any scope:

    @pytest.fixture(scope="session")
    def keycloak(real_part):
        part = real_part("Keycloak", version=keycloak.VERSION, why_not=keycloak.why_not())
        ...                                  # known only after the start: part.version = "10.11.19"

Where `why_not` is a reason, the test is skipped with it, loudly and by name; under REQUIRE_REAL=1
it fails. Checks are counted for the part whose fixture the test uses. A test that gets it by
`request.getfixturevalue` says so itself: `@pytest.mark.real("MariaDB")`.
"""

import os
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypedDict

import pytest

from workspace_sandbox.real import parts_folder

KNOWN = {
    "Keycloak": "identity provider",
    "OpenLDAP": "directory behind the identity provider",
    "MariaDB": "SQL server",
    "PostgreSQL": "SQL server; records and queue of the manager",
    "podman": "container engine",
    "JupyterHub": "notebook hub",
    "RDF4J": "data layer of the triplestore",
    "OpenGDB": "triplestore",
    "Nextcloud": "drive",
    "Portainer": "container manager",
    "WebProtégé": "ontology editor",
    "phpMyAdmin": "SQL admin tool",
    "Chromium": "browser",
    "compose": "reads deploy/compose.yaml",
    "S3Proxy": "bucket of snapshots",
    "age": "opens snapshots without the manager",
    "Jena": "reads snapshots of repositories without the manager",
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
    came_up: list[float] = field(default_factory=list)
    """How many seconds each start took that no report has told yet."""
    running: list[Any] = field(default_factory=list)
    """Its servers that are looked after (tests/real_watch.py)."""


class PartUse(TypedDict):
    """What a test's report says of a part that the test used."""

    name: str
    version: str
    why_not: str
    came_up: list[float]
    counts: bool


parts = pytest.StashKey[dict[str, Part]]()
setting_up = pytest.StashKey[list[tuple[str, str]]]()


def required(name: str) -> bool:
    """Whether the want of a real part fails the run (continuous integration sets it). A part that
    no registry has is required where somebody named the folder that holds it.
    """
    every = os.environ.get("REQUIRE_REAL", "0") not in {"", "0"}
    return every and (name not in parts_folder.ARCHIVES or parts_folder.folder() is not None)


def pytest_configure(config: pytest.Config) -> None:
    config.stash[parts] = {}
    config.stash[setting_up] = []


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
    # "." is what pytest 9.1 calls the folder that everything is in.
    fixture = (fixturedef.baseid.removeprefix("."), fixturedef.argname)
    under_way.append(fixture)
    began = time.monotonic()
    try:
        made = yield
    finally:
        under_way.pop()
    if fixturedef.scope != "function":
        took = time.monotonic() - began
        for part in request.config.stash[parts].values():
            if fixture in part.fixtures:
                part.came_up.append(took)
    return made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    counts = report.when == "call" or report.outcome != "passed"
    for part in parts_of(item):
        told: PartUse = {
            "name": part.name,
            "version": part.version,
            "why_not": part.why_not,
            "came_up": [*part.came_up],
            "counts": counts,
        }
        part.came_up.clear()
        report.user_properties.append((PROPERTY, told))
    return report


def parts_of(item: pytest.Item) -> list[Part]:
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
