"""Of every check of the suite the everyday run keeps the trials in which every pair is; the others
are `thorough`. Of stacks on real parts only a few are run, and all under WORKSPACE_TEST_MATRIX=1.
"""

import os
from typing import Any

import pytest

from tests.conformance import stacks
from tests.pairwise import covering


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Each check, kind, wish and place with each fault if there are any, and each of them with each
    other: real parts meet all of it anyway.
    """
    if not os.environ.get("WORKSPACE_TEST_MATRIX"):
        slow = [item for item in items if _is_slow(item)]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    functions = [item for item in items if isinstance(item, pytest.Function) and _is_trial(item)]
    for faults in (True, False):
        trials = [item for item in functions if ("fault" in item.callspec.params) is faults]
        kept = covering([_row(item) for item in trials])
        for number, item in enumerate(trials):
            if number not in kept:
                item.add_marker(pytest.mark.thorough)


def _is_slow(item: pytest.Item) -> bool:
    """Whether it is one of most checks of stacks on real parts, or of faults before a repository
    that everybody may read where the real OpenGDB is not: each makes another one in RDF4J.
    """
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return False
    trial: Any = item.callspec.params.get("trial", (None, None, ""))
    place, case, wish = trial
    if case and case.kind == "triplestore.public" and place.real == "RDF4J":
        return "fault" in item.callspec.params
    return place in stacks.FEW and wish not in stacks.FEW[place].get(item.originalname, ())


def _is_trial(item: pytest.Function) -> bool:
    if hasattr(item, "callspec") and item.module.__name__.endswith("test_every_connector"):
        return "trial" in item.callspec.params and not item.get_closest_marker("real")
    return False


def _row(item: pytest.Function) -> tuple[str, ...]:
    trial: Any = item.callspec.params["trial"]
    place, case, wish = trial
    check = item.nodeid.partition("[")[0]
    faults = [str(given) for name, given in item.callspec.params.items() if name != "trial"]
    return check, case.kind, wish, place.part, " ".join(faults)
