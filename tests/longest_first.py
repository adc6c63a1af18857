"""A pytest plugin: what is run together by one of a few processes (`--dist loadgroup`), and what
begins first.

A real server is started by each process that runs a test of it: what needs one and no other runs
together, everything else file by file. What takes longest begins first: with a few processes
everybody waits for a long one that begins last. Heeded where the runner keeps the order
(`--no-loadscope-reorder`).
"""

from collections import Counter, defaultdict
from collections.abc import Generator

import pytest

STARTED = {
    "real_parts_demo": "a demo",
    "stand_ins": "a demo",
    "real_keycloak": "Keycloak",
    "real_nextcloud": "Nextcloud",
    "real_webprotégé": "WebProtégé",
    "real_rdf4j": "RDF4J",
    "real_podman": "podman",
    "real_mariadb": "MariaDB",
    "real_postgresql": "PostgreSQL",
}
"""Fixtures of the whole run that take long, the longest first, and the name of what is run together
for each. One that needs another, as Portainer does podman, is among what needs that; a file that
needs several is among what needs the longest. A file of lives has some on real parts and some on
stand-ins, of which a run takes one.
"""
LONGEST = (
    "a demo",
    "tests/attack/test_attack.py",
    "tests/secret_leaks/test_secret_leaks.py",
    "tests/life/test_planted_faults.py",
    "sandbox/tests/test_storm.py",
    "podman",
    "tests/real/test_rooms_on_postgresql.py",
    "a drive's demo",
    "Keycloak",
    "tests/documentation/test_tutorial.py",
    "tests/crash/test_processes.py",
    "tests/real/test_departures_on_postgresql.py",
    "tests/real/test_manager_on_postgresql.py",
    "tests/browser/test_pages_axe.py",
    "tests/deploy/test_container_image.py",
)
"""Groups that take minutes with few tests, the longest first; the others by how many they have."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Generator[None]:
    """Say what is together before the runner reads it, and put in order what is left after all."""
    if getattr(config.option, "loadgroup", False):
        for item, group in groups_of(items).items():
            if item.get_closest_marker("xdist_group") is None:
                item.add_marker(pytest.mark.xdist_group(group))
    yield
    groups = groups_of(items)
    counts = Counter(groups.values())
    items.sort(key=lambda item: (_place(groups[item]), -counts[groups[item]]))


def _place(group: str) -> int:
    return LONGEST.index(group) if group in LONGEST else len(LONGEST)


def groups_of(items: list[pytest.Item]) -> dict[pytest.Item, str]:
    """By test: what it runs together with."""
    needed: dict[str, set[str]] = defaultdict(set)
    for item in items:
        fixtures = STARTED.keys() & getattr(item, "fixturenames", ())
        needed[str(item.path)] |= {STARTED[one] for one in fixtures}
    found = {}
    for item in items:
        mark = item.get_closest_marker("xdist_group")
        file = item.nodeid.partition("::")[0]  # where it runs, not where it is written
        longest = next((name for name in STARTED.values() if name in needed[str(item.path)]), file)
        found[item] = str(mark.args[0]) if mark else longest
    return found
