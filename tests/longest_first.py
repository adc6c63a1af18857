"""The files that are allowed the longest time begin first: with a few workers everybody waits for a
long one that begins last. Heeded where the runner keeps the order (`--no-loadscope-reorder`).
"""

from collections import Counter
from pathlib import Path

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    counts = Counter(item.path for item in items)
    allowed: dict[Path, float] = {}
    for item in items:
        mark = item.get_closest_marker("timeout")
        allowed[item.path] = max(allowed.get(item.path, 0), float(mark.args[0]) if mark else 0)
    items.sort(key=lambda item: (-allowed[item.path], -counts[item.path]))
