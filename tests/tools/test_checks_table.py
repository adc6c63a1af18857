"""The table of what `check` finds names only ids that can be said, each with a test that brings it
about, and for the rest how to look by hand.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.systems.drive.test_checks import WRONGS
from workspace_manager.contract.message import catalogues
from workspace_manager.operations.messages import message as of_operations
from workspace_manager.systems import registry

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "reference" / "checks.md"
NONE = "—"


class Row(NamedTuple):
    """One line of the table."""

    what: str
    found: str
    shown: str

    @property
    def ids(self) -> list[str]:
        return re.findall(r"`([a-z_]+\.[a-z0-9_]+)`", self.found)

    @property
    def tests(self) -> list[str]:
        return re.findall(r"`([\w/]+\.py::\w+)`", self.shown)


def rows() -> Iterator[Row]:
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith("| what "):
            yield Row(*(cell.strip() for cell in line.strip("|").split("|")))


ROWS = list(rows())
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what[:40])


@cache
def parsed(path: str) -> tuple[str, frozenset[str]]:
    """The text of a test module, and the names of its functions."""
    text = (ROOT / "tests" / path).read_text(encoding="utf-8")
    tree = ast.walk(ast.parse(text))
    return text, frozenset(node.name for node in tree if isinstance(node, ast.FunctionDef))


def test_there_is_a_table() -> None:
    assert len(ROWS) > 60
    assert len({row.what for row in ROWS if not row.what.startswith("…")}) > 40


@each_row
def test_a_row_names_an_id_with_a_test_or_says_how_to_look(row: Row) -> None:
    if row.found == NONE:
        assert not row.tests
        assert re.search(r"\S\. Look: \S", row.shown)
        return
    assert registry()  # which brings the systems' catalogues
    said = {**catalogues(), "operations": of_operations}
    assert row.ids
    assert row.tests
    for one in row.ids:
        system, _, key = one.partition(".")
        assert key in said[system].english, one
        assert any(
            re.search(rf"\b{key}\b", parsed(test.partition("::")[0])[0]) for test in row.tests
        )


@each_row
def test_every_test_that_is_named_exists(row: Row) -> None:
    for test in row.tests:
        path, _, name = test.partition("::")
        assert name in parsed(path)[1], test


def test_everything_the_drive_is_seen_with_is_in_the_table() -> None:
    named = {one for row in ROWS for one in row.ids}
    seen = {f"drive.{one}" for _, wanted in WRONGS for one in wanted}
    assert seen <= named
