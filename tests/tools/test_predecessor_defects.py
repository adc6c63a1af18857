"""The page of what must not happen again names only tests that exist, and one for every row."""

import re
from pathlib import Path

import pytest

from tests.tools.test_asvs import test_every_test_that_is_named_exists as exists

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "predecessor-defects.md"
SECTIONS = {
    "Whether a removal runs at all": 3,
    "What each step of a removal leaves": 9,
    "What is orphaned": 9,
    "In which order": 6,
    "Lifecycles, keys, sharing and stacks": 25,
    "Settings": 4,
    "Identity provider": 2,
    "Drive": 3,
    "Pages and names": 7,
    "Triplestore server": 4,
    "Operations": 4,
}
"""How many rows each section has."""


def rows() -> dict[str, list[list[str]]]:
    """The tests of each row, by section."""
    found: dict[str, list[list[str]]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            found[line.removeprefix("## ")] = []
        elif line.startswith("| ") and not line.startswith("| must not happen "):
            found[list(found)[-1]].append(re.findall(r"`([^`]+::[^`]+)`", line))
    return found


NAMED = sorted({test for of in rows().values() for tests in of for test in tests})


def test_every_row_has_its_tests() -> None:
    assert {section: len(of) for section, of in rows().items()} == SECTIONS
    assert all(tests for of in rows().values() for tests in of)


@pytest.mark.parametrize("named", NAMED)
def test_every_test_that_is_named_exists(named: str) -> None:
    exists(named)
