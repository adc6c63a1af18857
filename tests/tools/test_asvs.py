"""The table of what the security standard asks names every section and only tests that exist."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "reference" / "asvs.md"
SECTIONS = {
    1: 5,
    2: 4,
    3: 7,
    4: 4,
    5: 4,
    6: 8,
    7: 6,
    8: 4,
    9: 2,
    10: 7,
    11: 7,
    12: 3,
    13: 4,
    14: 3,
    15: 4,
    16: 5,
}
"""How many sections each chapter of version 5.0 has; chapter 17 (WebRTC) stands as a whole."""


def rows() -> Iterator[tuple[str, str, list[str]]]:
    """Section, how it is met, and the tests named for it."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| V"):
            section, how, shown = (cell.strip() for cell in line.strip("|").split("|"))
            yield section, how, re.findall(r"`([^`]+)`", shown)


NAMED = sorted({test for _, _, tests in rows() for test in tests})


def test_every_section_has_its_row() -> None:
    wanted = [f"V{c}.{n}" for c, count in SECTIONS.items() for n in range(1, count + 1)]
    assert [section.split()[0] for section, _, _ in rows()] == [*wanted, "V17"]


def test_what_applies_and_is_ours_is_shown() -> None:
    """Without a test stands only what does not apply, or what somebody else does: who is said."""
    excused = ("Does not apply", "The identity provider's", "Left to")
    bare = [section for section, how, tests in rows() if not tests and not how.startswith(excused)]
    assert bare == []


@pytest.mark.parametrize("named", NAMED)
def test_every_test_that_is_named_exists(named: str) -> None:
    path, _, name = named.partition("::")
    root = ROOT if path.startswith("sandbox/") else ROOT / "tests"
    tree = ast.parse((root / path).read_text(encoding="utf-8"))
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert name in functions
