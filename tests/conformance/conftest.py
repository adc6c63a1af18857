"""Hands out trials: every wish of every case at every place, each with a fresh thing, on places that are started once."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conformance import tally
from tests.conformance.case import Case, Place
from tests.conformance.parts import PLACES
from tests.conformance.trial import Trial
from tests.conformance.watch import Listener

Open = Callable[[type[Place], Any], Place]

NEEDS: dict[str, Callable[[type[Place], type[Case], str], bool]] = {
    "breakable": lambda place, _case, _wish: place.breakable,
    "http": lambda place, _case, _wish: place.breakable and place.speaks_http,
    "password": lambda place, _case, _wish: place.has_password,
    "poor": lambda place, case, wish: bool(place.poor) and wish in case.taking,
    "taking": lambda _place, case, wish: wish in case.taking,
    "foreign": lambda _place, case, wish: wish in case.foreign,
    "half": lambda _place, case, wish: wish in case.halves,
}
"""What a check may need (`@needs("taking")`), and which trials have it."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A trial for each wish of each case at each place that the check is about; no check is skipped because it fits nothing."""
    if "trial" not in metafunc.fixturenames:
        return
    needed = [NEEDS[name] for name in getattr(metafunc.function, "needs", ())]
    trials = [
        pytest.param(
            (place, case, wish),
            id=f"{case.kind}-{wish}-{place.part}".replace(" ", "_"),
            marks=marks_of(place),
        )
        for place, cases in PLACES.items()
        for case in cases
        for wish in case.wishes
        if all(need(place, case, wish) for need in needed)
    ]
    metafunc.parametrize("trial", trials, indirect=True)


def marks_of(place: type[Place]) -> list[pytest.MarkDecorator]:
    marks = [pytest.mark.xdist_group(place.__qualname__)]
    if place.real:
        marks += [pytest.mark.real(place.real), pytest.mark.timeout(900)]
    if place.needs_database:
        marks.append(pytest.mark.django_db)
    return marks


@pytest.fixture(scope="session")
def open_place() -> Iterator[Open]:
    """Start a place, or give the one that runs."""
    with contextlib.ExitStack() as stack:
        found: dict[type[Place], Place] = {}

        def give(place: type[Place], real: Any) -> Place:
            if place not in found:
                found[place] = place.open(stack, real)
            return found[place]

        yield give


@pytest.fixture
def trial(request: pytest.FixtureRequest, open_place: Open) -> Iterator[Trial]:
    """One wish for one thing. Afterwards: no secret came out, and everything survived JSON (checks 13 and 14, in every check)."""
    kind_of_place, case, wish = request.param
    real = request.getfixturevalue(REAL[kind_of_place.real]) if kind_of_place.real else None
    place = open_place(kind_of_place, real)
    tally.count(request.node, case.kind, place.part)
    listener, root = Listener(), logging.getLogger()
    level = root.level
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)
    start = len(place.calls())
    made = Trial(case(place), wish)
    try:
        yield made
    finally:
        root.removeHandler(listener)
        root.setLevel(level)
        place.settle()
    assert not listener.crashes, listener.crashes
    paths = [one["path"] for one in place.calls(start)]
    came_out = made.watch.holds(place.vault.every(), *listener.lines, *paths)
    place.vault.forget()
    assert not came_out, f"a secret came out: {came_out}"


# --- real parts ----------------------------------------------------------------------------------------------------------

REAL = {
    "Keycloak": "real_keycloak",
    "MariaDB": "real_mariadb",
    "PostgreSQL": "real_postgresql",
    "RDF4J": "real_rdf4j",
    "podman": "real_podman",
}
