"""A pytest plugin that hands out trials: every wish of every case at every place, each with a fresh
thing, on places started once.

Only a test that asks for `trial` needs it, and its module says where (`PLACES`). It is loaded into
every run of pytest where the sandbox is installed, so that stand-ins and contract are imported when
the first trial is made.
"""

import contextlib
import logging
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from workspace_sandbox.conformance import tally

pytest.register_assert_rewrite("workspace_sandbox.conformance.checks")
HERE = "workspace_sandbox.conformance"
Open = Callable[[Any, Any], Any]

NEEDS: dict[str, Callable[[Any, Any, str], bool]] = {
    "breakable": lambda place, _case, _wish: place.breakable,
    "http": lambda place, _case, _wish: place.breakable and place.speaks_http,
    "password": lambda place, _case, _wish: place.has_password,
    "poor": lambda place, case, wish: bool(place.poor) and wish in case.taking,
    "taking": lambda _place, case, wish: wish in case.taking,
    "foreign": lambda _place, case, wish: wish in case.foreign,
    "listed": lambda _place, case, _wish: case.listed,
    "half": lambda _place, case, wish: wish in case.halves,
}
"""What a check may need (`@needs("taking")`), and which trials have it."""

SHAPE = '[{"another": "shape"}]'
ON_REAL_PARTS = ("delay", "reset", "truncated", "timeout_after_effect", SHAPE)
"""The faults that a real part meets, each with one wish of every kind; the checks of the others and
of the other wishes are marked `everything`. A door answers most faults before the part is reached:
what a client then does is seen on the stand-in, by every fault with every wish. These reach the
part, or end a connection of the client that speaks the part's own protocol; of the answers of
another shape, which the door makes, there is one.
"""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A trial for each wish of each case at each place that the check is about, with each fault
    that it meets; no check is skipped because it fits nothing.
    """
    if "trial" not in metafunc.fixturenames:
        return
    needed = [NEEDS[name] for name in getattr(metafunc.function, "needs", ())]
    faults = getattr(metafunc.function, "faults", ())
    trials = [
        (place, case, wish)
        for place, cases in metafunc.module.PLACES.items()
        for case in cases
        for wish in case.wishes
        if all(need(place, case, wish) for need in needed)
    ]
    if not faults:
        once = getattr(metafunc.function, "once", False)
        each = [
            pytest.param(
                one,
                id=name_of(*one),
                marks=[*marks_of(one[0]), *(repeated(*one) if once else [])],
            )
            for one in trials
        ]
        metafunc.parametrize("trial", each, indirect=True)
        return
    each = [
        pytest.param(
            one,
            *fault,
            id=f"{name_of(*one)}-{fault[1] or fault[0]}",
            marks=[*marks_of(one[0]), *rare(*one, fault[0])],
        )
        for one in trials
        for fault in faults
    ]
    metafunc.parametrize(("trial", "fault", "status"), each, indirect=["trial"])


def name_of(place: Any, case: Any, wish: str) -> str:
    return f"{case.kind}-{wish}-{place.part}".replace(" ", "_")


def repeated(place: Any, case: Any, wish: str) -> list[pytest.MarkDecorator]:
    """Return the marks of all but the first wish of a kind on a real part
    (`once_on_a_real_part`).
    """
    return [pytest.mark.everything] if place.real and wish != case.wishes[0] else []


def rare(place: Any, case: Any, wish: str, fault: str) -> list[pytest.MarkDecorator]:
    """On a real part a kind meets each fault of `ON_REAL_PARTS` with one wish, and the next fault
    with the next wish.
    """
    turns = {one: case.wishes[n % len(case.wishes)] for n, one in enumerate(ON_REAL_PARTS)}
    often = not place.real or turns.get(fault) == wish
    return [] if often else [pytest.mark.everything]


def marks_of(place: Any) -> list[pytest.MarkDecorator]:
    """Those of one place run in one process, and those of places on one real part, which starts
    once.
    """
    parts = (place.real, *place.besides) if place.real else ()
    marks = [pytest.mark.xdist_group(parts[-1] if parts else place.__qualname__)]
    if parts:
        marks.append(pytest.mark.real(*parts))
    if place.needs_database:
        marks.append(pytest.mark.django_db)
    return marks


@pytest.fixture(scope="session")
def open_place() -> Iterator[Open]:
    """Start a place, or return the running one, which is told if its real part was restarted."""
    with contextlib.ExitStack() as stack:
        found: dict[Any, Any] = {}
        seen: dict[Any, int] = {}

        def give(place: Any, real: Any) -> Any:
            begun_again = getattr(real, "begun_again", 0)
            if place not in found:
                found[place] = place.open(stack, real)
            elif begun_again != seen[place]:
                found[place].came_back()
            seen[place] = begun_again
            return found[place]

        yield give


@pytest.fixture
def trial(request: pytest.FixtureRequest, open_place: Open) -> Iterator[Any]:
    """One wish for one thing. Afterwards, in every check: no secret came out, and everything
    survived JSON.
    """
    kind_of_place, case, wish = request.param
    real = (
        request.getfixturevalue(f"real_{kind_of_place.real.lower()}")
        if kind_of_place.real
        else None
    )
    place = open_place(kind_of_place, real)
    tally.count(request.node, case.kind, place.part)
    listener = pkgutil.resolve_name(f"{HERE}.watch:Listener")()
    root = logging.getLogger()
    level = root.level
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)
    start = len(place.calls())
    made = pkgutil.resolve_name(f"{HERE}.trial:Trial")(case(place), wish)
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


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "real(name): needs a real part")
    config.addinivalue_line(
        "markers", "everything: shows on a real part what the stand-in shows too"
    )
    config.addinivalue_line("markers", "xdist_group(name): checks of one part run in one process")
    tally.begin(config)
