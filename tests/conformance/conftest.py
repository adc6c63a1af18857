"""Of every check that meets faults, the everyday run keeps the trials in which every pair is; the
others are `thorough`.
"""

from typing import Any

import pytest

from tests.conformance import stacks
from tests.pairwise import covering


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Each check, kind, wish and place with each fault, and each of them with each other: real
    parts meet all of it anyway.
    """
    trials = [item for item in items if isinstance(item, pytest.Function) and _meets_faults(item)]
    kept = covering([_row(item) for item in trials])
    for number, item in enumerate(trials):
        if number not in kept:
            item.add_marker(pytest.mark.thorough)

    for item in items:
        if isinstance(item, pytest.Function) and not _of_each_run(item):
            item.add_marker(pytest.mark.thorough)


def _of_each_run(item: pytest.Function) -> bool:
    """Not most checks of stacks on real parts."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    place, _, wish = given.get("trial", (None, None, ""))
    slow = place in {stacks.RealStacksPlace, stacks.ComposePlace}
    return not slow or wish in stacks.FEW.get(item.originalname, ())


def _meets_faults(item: pytest.Function) -> bool:
    given = item.callspec.params if hasattr(item, "callspec") else {}
    return {"trial", "fault", "status"} <= given.keys() and not item.get_closest_marker("real")


def _row(item: pytest.Function) -> tuple[str, ...]:
    trial: Any = item.callspec.params["trial"]
    place, case, wish = trial
    fault, status = item.callspec.params["fault"], item.callspec.params["status"]
    check = item.nodeid.partition("[")[0]
    return check, case.kind, wish, place.part, f"{fault} {status}"
