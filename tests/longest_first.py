"""A pytest plugin: what shares fixtures runs in one process, and what is allowed the longest time
begins first: with a few processes everybody waits for a long one that begins last.

Under `--dist loadgroup` the checks of one place are together, and elsewhere those of one file: all
checks of connectors in one process would keep the other one waiting. The order is heeded where the
runner keeps it (`--no-loadscope-reorder`).
"""

from collections import Counter
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling


class GroupsAndFiles(LoadScopeScheduling):  # type: ignore[misc]
    """The runner has one for groups, which takes every other test for itself alone."""

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.partition("::")[0]
        _, at, group = nodeid.rpartition("@")
        return group if at and "]" not in group and "::" not in group else path


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    return GroupsAndFiles(config, log) if config.getoption("dist") == "loadgroup" else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    counts = Counter(_together(item) for item in items)
    allowed: dict[str, float] = {}
    for item in items:
        mark = item.get_closest_marker("timeout")
        seconds = float(mark.args[0]) if mark else 0
        allowed[_together(item)] = max(allowed.get(_together(item), 0), seconds)
    items.sort(key=lambda item: (-allowed[_together(item)], -counts[_together(item)]))


def _together(item: pytest.Item) -> str:
    group = item.get_closest_marker("xdist_group")
    return str(group.args[0]) if group else str(item.path)
