"""Of every check of the suite `make check` keeps the trials in which every pair is; the others are
`thorough`, but for faults that are like another one. Of the checks on real parts that take long for
each thing, `make test` runs a few; the others are for `make everything`.
"""

from typing import Any

import pytest

from tests.conformance import containers, stacks, triplestore
from tests.pairwise import covering

SHOWN_BY_THE_WHOLE = {
    (containers.PortainerPodmanPlace, "container_manager.container"),
    (triplestore.RDF4JPlace, "triplestore.user"),
    (triplestore.RDF4JPlace, "triplestore.repository"),
}
"""Where a stand-in stands before a real part, and what of it the whole real product shows too."""
ALIKE = {("status", 502), ("status", 503), ("html", 0), ('"text"', 0)}
"""Faults that a client takes as it takes another one (500, garbage, 7): each is met in the everyday
run with every kind, every wish and every check once, and in all of them by `make everything`.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each check, kind, wish and place with each fault if there are any, and each of them with each
    other: real parts meet all of it anyway.
    """
    trials = [item for item in items if _is_trial(item)]
    for item in trials:
        if _is_slow(item):
            item.add_marker(pytest.mark.everything)
    everyday = [item for item in trials if _is_of_every_connector(item)]
    for faults in (True, False):
        rows = [item for item in everyday if ("fault" in _given(item)) is faults]
        kept = covering([_row(item) for item in rows])
        for number, item in enumerate(rows):
            if number not in kept:
                alike = (_given(item).get("fault"), _given(item).get("status")) in ALIKE
                item.add_marker(pytest.mark.everything if alike else pytest.mark.thorough)


def _is_slow(item: Any) -> bool:
    """Whether it is one of most checks of stacks on real parts, or of faults before a repository
    that everybody may read where the real OpenGDB is not: each makes another one in RDF4J. Of a
    sample, a place on a real part has its first kind, with one wish.
    """
    place, case, wish = _given(item)["trial"]
    if case.kind == "triplestore.public" and place.real == "RDF4J" and "fault" in _given(item):
        return True
    if (place, case.kind) in SHOWN_BY_THE_WHOLE:
        return wish != case.wishes[0] or "fault" in _given(item)
    if place in stacks.FEW:
        return wish not in stacks.FEW[place].get(item.originalname, ())
    sample = item.get_closest_marker("one_in")
    first = item.module.PLACES[place][0]
    return bool(sample and place.real and (case, wish) != (first, first.wishes[0]))


def _is_trial(item: pytest.Item) -> bool:
    return "trial" in _given(item)


def _is_of_every_connector(item: Any) -> bool:
    here = item.module.__name__.endswith("test_every_connector")
    return here and not item.get_closest_marker("real")


def _given(item: Any) -> dict[str, Any]:
    """The parameters of a test."""
    return dict(item.callspec.params) if hasattr(item, "callspec") else {}


def _row(item: Any) -> tuple[str, ...]:
    place, case, wish = _given(item)["trial"]
    check = item.nodeid.partition("[")[0]
    faults = [str(given) for name, given in _given(item).items() if name != "trial"]
    return check, case.kind, wish, place.part, " ".join(faults)
